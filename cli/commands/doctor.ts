// svc doctor: checks what svc needs here and says, for each check, what was found and what to do next.
import { readStudioFile } from '../../lib/sdk/index.js';
import type { CommandModule } from '../command.js';
import { exitCode } from '../exit-code.js';
import { createStyle } from '../style.js';
import { checkCloud, lookForCloud } from './doctor/cloud.js';
import { checkCredentials, checkProject } from './doctor/json-files.js';
import { checkLoopback } from './doctor/loopback.js';
import { checkNode } from './doctor/node-version.js';
import { checkPorts, findPorts } from './doctor/port.js';
import { renderReport } from './doctor/report.js';
import { checkRuntime } from './doctor/runtime.js';
import { checkFolder, checkHome, findHome } from './doctor/writable.js';

export const run: CommandModule['run'] = async ({ json }, { stdout, env, cwd }) => {
  const home = findHome(env);
  const local = await lookForCloud(home);
  // An invalid file names no Studio.
  const studio = await readStudioFile(cwd).catch(() => null);
  const found = await Promise.all([
    checkNode(process.versions.node),
    checkRuntime(env),
    checkLoopback(),
    checkPorts(findPorts(env, local.cloud, studio)),
    checkHome(home),
    checkCloud(home, env, local),
    checkCredentials(home),
    checkFolder(cwd),
    checkProject(cwd),
  ]);
  const checks = found.flat();
  stdout.write(json ? `${JSON.stringify({ checks })}\n` : renderReport(checks, createStyle(stdout, env)));
  return checks.some(({ status }) => status === 'problem') ? exitCode.failure : exitCode.ok;
};
