// svc cloud start: runs the cloud in the background or, with --foreground, in this process until it is told to stop.
import { type Clock, realClock } from '../../../lib/clock/index.js';
import {
  checkExposure,
  ExposureError,
  FolderOwnedError,
  findFolderOwner,
  makePrivateFolder,
  type ServedCloud,
  type ServeOptions,
  serveCloud,
} from '../../../lib/cloud/index.js';
import {
  cloudFolder,
  ensureLocalCloud,
  findCloudIn,
  findHome,
  IN_HOME,
  type LocalCloud,
  makeFolder,
  noteLocalCloud,
  requireRoomForCloud,
} from '../../../lib/sdk/local-cloud/index.js';
import type { CommandModule, Input, Io } from '../../command.js';
import { CommandError, createUsageError } from '../../command-error.js';
import { type ExitCode, exitCode } from '../../exit-code.js';
import { ownName } from '../../own-name.js';
import { printAnswer, printLine } from '../../print.js';
import { checkRayAtStart } from './check-ray.js';
import { chooseBaseModel, isFolder } from './choose-base-model.js';
import { changeOptions, isSameOptions, type LastingOptions, toLasting, toWords } from './lasting-options.js';
import { type About, describeCloud, findFolder } from './local-cloud.js';
import { readOptions, writeOptions } from './options-file.js';
import { readSettings } from './settings.js';
import { silentOwner } from './silent-owner.js';

type Settings = Omit<ServeOptions, 'baseModel'>;

interface Start {
  folder: string;
  settings: Settings;
  /** What was typed now, and the remembered options with it applied. */
  typed: LastingOptions;
  options: LastingOptions;
  isChange: boolean;
  input: Input;
  io: Io;
}

export const run: CommandModule['run'] = async (input, io) => {
  const { values } = input;
  if (values.anonymous && values['no-anonymous'])
    throw createUsageError('--anonymous cannot be combined with --no-anonymous.', 'cloud start');
  const folder = findFolder(input, io);
  const typed = toLasting(values, io.cwd);
  const former = values.reset ? null : await readOptions(folder);
  const options = changeOptions(former ?? {}, typed);
  const isChange = former === null || !isSameOptions(options, former);
  const settings = { ...readSettings(options, folder, io), forgetPort: values.reset === true };
  refuseUnsafe(settings);
  const elsewhere = folder === cloudFolder(findHome(io.env)) ? IN_HOME : undefined;
  if (!(await findCloudIn(folder))) {
    requireRoomForCloud(folder, { elsewhere });
    await checkRayAtStart(settings, typed, io);
  }
  makeFolder(folder, { mode: 0o700, elsewhere });
  makePrivateFolder(folder);
  const start = { folder, settings, typed, options, isChange, input, io };
  return values.foreground ? runHere(start) : runInBackground(start);
};

/** Checked here so that the error reaches the terminal, not just the log of a background process. */
function refuseUnsafe(settings: Settings): void {
  try {
    checkExposure(settings);
  } catch (error) {
    if (error instanceof ExposureError) throw createUsageError(error.message, 'cloud start');
    throw error;
  }
}

async function runInBackground(start: Start): Promise<ExitCode> {
  const { folder, typed, options, input, io } = start;
  const home = findHome(io.env);
  const running = await findCloudIn(folder);
  // Checks a model folder even while a cloud is running: no one should stop it for a model that does not work.
  if (!running || isFolder(typed['base-model'])) await chooseBaseModel(options, folder, io);
  let isNew = false;
  const cloud = await ensureLocalCloud({
    home,
    env: io.env,
    folder,
    args: [...toWords(typed), ...(input.values.reset ? ['--reset'] : [])],
    isAsked: true,
    onStart: () => {
      isNew = true;
    },
  });
  if (folder === cloudFolder(home)) await noteLocalCloud(home, cloud);
  if (!isNew) await refuseOthers(cloud, start);
  tell(cloud, start, isNew ? 'is running' : 'is already running');
  return exitCode.ok;
}

async function runHere(start: Start): Promise<ExitCode> {
  const { folder, settings, options, isChange, io } = start;
  const baseModel = await chooseBaseModel(options, folder, io);
  const beforeOpen = async () => {
    if (isChange) await writeOptions(folder, options);
  };
  const served = await serveOrFind({ ...settings, baseModel, beforeOpen }, io.clock);
  if (!('ended' in served)) {
    await refuseOthers(served, start);
    tell(served, start, 'is already running');
    return exitCode.ok;
  }
  const { url, port, address } = served;
  const about = { url, port, pid: process.pid, version: settings.version, baseModel: baseModel.name };
  tell({ ...about, deploymentDomain: address.deploymentDomain }, start, 'is running');
  return (await served.ended) === 'crashed' ? exitCode.failure : exitCode.ok;
}

/** A running cloud keeps the options it was started with. */
async function refuseOthers({ url }: About, { folder, typed, input }: Start): Promise<void> {
  const inForce = await readOptions(folder).catch(() => null);
  const wanted = changeOptions(input.values.reset ? {} : (inForce ?? {}), typed);
  if (inForce && isSameOptions(wanted, inForce)) return;
  throw new CommandError(
    `The cloud is already running at ${url} with other options. To change them, stop it first: "svc cloud stop".`,
  );
}

const POLL_MS = 100;
const PATIENCE_MS = 30_000;

/** Returns this process's cloud, or another process's. Waits while another one is starting or stopping. */
async function serveOrFind(
  options: ServeOptions,
  clock: Clock = realClock,
): Promise<ServedCloud | LocalCloud> {
  for (const until = clock.elapsed() + PATIENCE_MS; ; await clock.sleep(POLL_MS)) {
    try {
      return await serveCloud(options);
    } catch (error) {
      if (!(error instanceof FolderOwnedError)) throw error;
      const found = await findCloudIn(options.folder);
      if (found) return found;
      if (clock.elapsed() > until) throw silentOwner(options.folder, findFolderOwner(options.folder));
    }
  }
}

function tell(cloud: About, { folder, settings, typed, input, io }: Start, how: string): void {
  const text = `The cloud ${how} at ${cloud.url} with base model ${cloud.baseModel}.\n`;
  const { firstPort } = settings;
  printAnswer(io, input, { cloud: describeCloud(cloud, folder) }, () => text);
  if (firstPort !== undefined && firstPort !== cloud.port && typed.port === undefined)
    printLine(
      io.stderr,
      `SVC_CLOUD_PORT (${firstPort}) applies only to a cloud's first start, and only if the port is free. This cloud uses port ${cloud.port}. To move it, run: ${ownName(io.env)} cloud start --port ${firstPort}`,
      io.env,
    );
}
