// svc doctor: checks that svc can work here; each check says what it found and what to do next.
import { findHome, readStudioFile } from '../../lib/sdk/index.js';
import { cloudFolder, readCloudFile } from '../../lib/sdk/local-cloud/index.js';
import { exitCode, type Input, type RunCommand } from '../command.js';
import { type LastingOptions, readOptions } from './cloud/lasting-options.js';
import { checkBaseModel, checkTorch } from './doctor/base-model.js';
import { renderReport } from './doctor/check.js';
import { checkCloud, lookForCloud } from './doctor/cloud.js';
import {
  checkCredentials,
  checkFolder,
  checkHome,
  checkNode,
  checkProject,
  checkRuntime,
} from './doctor/machine.js';
import { checkLoopback, checkPorts, findPorts } from './doctor/ports.js';

export const run: RunCommand = async context => {
  const { io, screen, answer } = context;
  const { env, cwd } = io;
  const home = findHome(env);
  // Loaded lazily because it loads the database's native code, which may be broken here.
  const ray = isAboutRay(context) ? await import('./doctor/ray.js') : null;
  const plan = ray && (await ray.planRay(context, home));
  const local = await lookForCloud(home, io.clock);
  // An invalid file counts as no Studio.
  const studio = await readStudioFile(cwd).catch(() => null);
  const port = await planCloudPort(home);
  const found = await Promise.all([
    checkNode(process.versions.node),
    checkRuntime(env),
    checkLoopback(),
    checkPorts(findPorts(env, { running: local.cloud, ...port }, studio), io.clock),
    checkHome(home),
    checkCloud(home, env, local, io.clock),
    checkBaseModel(home, env),
    checkTorch(home),
    checkCredentials(home, env),
    checkFolder(cwd),
    checkProject(cwd),
    ...(ray && plan ? [ray.checkRayCluster(plan, local.cloud)] : []),
  ]);
  // On its own, since it measures speeds.
  const device = context.values.device ? await import('./doctor/device.js') : null;
  const trial = device && (await device.checkDevice(context, home, local.cloud));
  const checks = [...found.flat(), ...(trial?.checks ?? [])];
  answer(
    { checks, ...(trial && { device: trial.report }) },
    () => renderReport(checks, screen.style) + (device?.renderOperators(trial!.report, screen) ?? ''),
  );
  return checks.some(({ status }) => status === 'problem') ? exitCode.failure : exitCode.ok;
};

/** Where the cloud starts next. The check of the cloud reports options that cannot be read. */
async function planCloudPort(home: string) {
  const folder = cloudFolder(home);
  const options: LastingOptions = await readOptions(folder).catch(() => ({}));
  const { port } = options;
  return { last: await readCloudFile(folder), remembered: typeof port === 'string' ? port : undefined };
}

function isAboutRay({ values, positionals }: Input): boolean {
  return positionals.length > 0 || ['ray', 'ray-token-file', 'advertise-url'].some(name => name in values);
}
