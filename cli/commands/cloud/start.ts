// svc cloud start: runs the cloud in the background, or with --foreground in this process until it is told to end.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  checkExposure,
  ExposureError,
  FolderOwnedError,
  type ServedCloud,
  type ServeOptions,
  serveCloud,
} from '../../../lib/cloud/index.js';
import {
  ensureLocalCloud,
  findCloudIn,
  findHome,
  type LocalCloud,
} from '../../../lib/sdk/local-cloud/index.js';
import type { CommandModule, Input, Io } from '../../command.js';
import { CommandError, createUsageError } from '../../command-error.js';
import { type ExitCode, exitCode } from '../../exit-code.js';
import { chooseBaseModel } from './base-model.js';
import { type About, describeCloud } from './describe.js';
import { readSettings, toWords } from './settings.js';

type Settings = Omit<ServeOptions, 'baseModel'>;

export const run: CommandModule['run'] = async (input, io) => {
  const settings = readSettings(input, io);
  refuseUnsafe(settings);
  return input.values.foreground ? runHere(settings, input, io) : runInBackground(settings, input, io);
};

/** Said here already, so that nothing is started that would only say it to its log. */
function refuseUnsafe(settings: Settings): void {
  try {
    checkExposure(settings);
  } catch (error) {
    if (error instanceof ExposureError) throw createUsageError(error.message, 'cloud start');
    throw error;
  }
}

async function runInBackground({ folder }: Settings, input: Input, io: Io): Promise<ExitCode> {
  const running = await findCloudIn(folder);
  const words = toWords(input.values, io.cwd);
  if (!running) await chooseBaseModel(input, folder, io);
  let started = false;
  const cloud = await ensureLocalCloud({
    home: findHome(io.env),
    env: io.env,
    folder,
    args: words,
    onStart: () => {
      started = true;
    },
  });
  tell(cloud, folder, started ? 'runs' : 'runs already', input, io);
  if (!started && words.length > 0)
    io.stderr.write('To give it other options, stop it first: svc cloud stop\n');
  return exitCode.ok;
}

async function runHere(settings: Settings, input: Input, io: Io): Promise<ExitCode> {
  const { folder } = settings;
  const baseModel = await chooseBaseModel(input, folder, io);
  const served = await serveOrFind({ ...settings, baseModel });
  if (!('ended' in served)) {
    tell(served, folder, 'runs already', input, io);
    return exitCode.ok;
  }
  const { url, port, address } = served;
  const about = { url, port, pid: process.pid, version: settings.version, baseModel: baseModel.name };
  tell({ ...about, deploymentDomain: address.deploymentDomain }, folder, 'runs', input, io);
  return (await served.ended) === 'crashed' ? exitCode.failure : exitCode.ok;
}

const POLL_MS = 100;
const PATIENCE_MS = 120_000;

/** The cloud of this process, or the one of another. One that is about to start or to end is waited for. */
async function serveOrFind(options: ServeOptions): Promise<ServedCloud | LocalCloud> {
  for (const until = Date.now() + PATIENCE_MS; ; await sleep(POLL_MS)) {
    try {
      return await serveCloud(options);
    } catch (error) {
      if (!(error instanceof FolderOwnedError)) throw error;
      const found = await findCloudIn(options.folder);
      if (found) return found;
      if (Date.now() > until) throw new CommandError(`${error.message} It does not answer.`);
    }
  }
}

function tell(cloud: About, folder: string, how: string, { json }: Input, { stdout }: Io): void {
  const text = `The cloud ${how} at ${cloud.url}, with ${cloud.baseModel} as its base model.\n`;
  stdout.write(json ? `${JSON.stringify({ cloud: describeCloud(cloud, folder) })}\n` : text);
}
