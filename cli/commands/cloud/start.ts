// svc cloud start: runs the cloud in the background or, with --foreground, in this process until it is told to stop.
import { isAbsolute } from 'node:path';
import { createCloudClient } from '../../../lib/client/index.js';
import { realClock } from '../../../lib/clock/index.js';
import {
  checkExposure,
  checkRay,
  createDeviceChoice,
  findUnreachable,
  hasOwnTables,
  isCloudError,
  makePrivateFolder,
  type RunCloudOptions,
  type RunningCloud,
  runCloud,
} from '../../../lib/cloud/index.js';
import { modelWarning } from '../../../lib/console/index.js';
import { describeMove } from '../../../lib/contract/index.js';
import { PortTakenError } from '../../../lib/http/index.js';
import {
  cloudFolder,
  ensureLocalCloud,
  findCloudIn,
  findHome,
  IN_HOME,
  type LocalCloud,
  makeFolder,
  noteCloud,
  requireRoomForCloud,
} from '../../../lib/sdk/local-cloud/index.js';
import { readTraceSettings } from '../../../lib/telemetry/index.js';
import {
  CommandError,
  type Context,
  type ExitCode,
  exitCode,
  type RunCommand,
  UsageError,
} from '../../command.js';
import { endSentence, toSafeLine } from '../../style.js';
import { checkBaseModel, chooseBaseModel, isOnThisMachine } from './choose-base-model.js';
import { choosePython } from './choose-python.js';
import {
  changeOptions,
  isSameOptions,
  type LastingOptions,
  readOptions,
  toLasting,
  toWords,
  writeOptions,
} from './lasting-options.js';
import { type About, dataOf, describeCloud, findFolder, findRunning, silentOwner } from './local-cloud.js';
import { readSettings, TORCH_OFF } from './settings.js';

type Settings = Omit<RunCloudOptions, 'baseModel'>;

interface Start {
  folder: string;
  /** What commands to copy need to be about this cloud. */
  data: string;
  settings: Settings;
  /** The options typed now, and the remembered options merged with them. */
  typed: LastingOptions;
  options: LastingOptions;
  isChange: boolean;
  context: Context;
}

export const run: RunCommand = async context => {
  const { values, io } = context;
  if (values.anonymous && values['no-anonymous'])
    throw new UsageError('--anonymous cannot be combined with --no-anonymous.');
  if (values['store-for'] !== undefined && values['no-store'])
    throw new UsageError('--store-for cannot be combined with --no-store.');
  const folder = findFolder(context);
  const data = dataOf(folder, io.env);
  const typed = await readTyped(context);
  const former = values.reset ? null : await readOptions(folder, data);
  const options = changeOptions(former ?? {}, typed);
  const isChange = former === null || !isSameOptions(options, former);
  const settings = {
    ...readSettingsOrExplain(options, typed, folder, io),
    forgetPort: values.reset === true,
  };
  refuseUnsafe(settings);
  const elsewhere = folder === cloudFolder(findHome(io.env)) ? IN_HOME : undefined;
  if (!(await findCloudIn(folder))) {
    requireRoomForCloud(folder, { elsewhere });
    await checkRayAtStart(settings, typed, context.note);
  }
  makeFolder(folder, { mode: 0o700, elsewhere });
  makePrivateFolder(folder);
  const start = { folder, data, settings, typed, options, isChange, context };
  return values.foreground ? runHere(start) : runInBackground(start);
};

/** The typed options. Of PyTorch, the Python that was chosen. */
async function readTyped({ values, io, note }: Context): Promise<LastingOptions> {
  const { torch = io.env.SVC_TORCH, ...typed } = toLasting(values, io.cwd);
  if (typeof torch !== 'string' || torch === '') return typed;
  // A start in the background has chosen it already, and types it.
  const isTyped = values.torch !== undefined && values.foreground === true && isAbsolute(torch);
  const isChosen = torch === TORCH_OFF || isTyped;
  return { ...typed, torch: isChosen ? torch : await choosePython(torch, { io, note }) };
}

/** If only the combination with remembered options fails, names those. */
function readSettingsOrExplain(
  options: LastingOptions,
  typed: LastingOptions,
  folder: string,
  io: Context['io'],
): Settings {
  try {
    return readSettings(options, folder, io);
  } catch (error) {
    const saved = Object.entries(options).filter(([name]) => !(name in typed));
    if (!(error instanceof UsageError) || saved.length === 0 || isWrong(typed, folder, io)) throw error;
    const words = toWords(Object.fromEntries(saved)).map(word => toSafeLine(word));
    throw new UsageError(
      `${error.message} The cloud remembers ${words.join(' ')} from an earlier start. To forget these options, pass --reset.`,
    );
  }
}

function isWrong(typed: LastingOptions, folder: string, io: Context['io']): boolean {
  try {
    readSettings(typed, folder, io);
    return false;
  } catch (error) {
    if (error instanceof UsageError) return true;
    throw error;
  }
}

/** Fails early, so that the error reaches the terminal and not just the log of a background process. */
function refuseUnsafe(settings: Settings): void {
  try {
    checkExposure(settings);
  } catch (error) {
    if (isCloudError(error, 'exposure')) throw new UsageError(error.message);
    throw error;
  }
}

async function runInBackground(start: Start): Promise<ExitCode> {
  const { folder, typed, options, context } = start;
  const { values, io } = context;
  const home = findHome(io.env);
  const running = await findCloudIn(folder);
  // Checks a model on this machine even while a cloud is running, so that no one stops it for a model that does
  // not work.
  if (!running) await requireDevice(await chooseBaseModel(options, folder, io), start);
  else {
    if (isOnThisMachine(typed['base-model'])) await checkBaseModel(options, folder, io);
    await refuseOthers(running, start);
  }
  let isNew = false;
  let portNotice: string | null = null;
  const cloud = await ensureLocalCloud({
    home,
    env: io.env,
    folder,
    args: [...toWords(typed), ...(values.reset ? ['--reset'] : [])],
    isAsked: true,
    onStart: (_, notice) => {
      isNew = true;
      portNotice = notice;
    },
  });
  if (folder === cloudFolder(home)) await noteCloud(home, 'local', cloud);
  if (!isNew) await refuseOthers(cloud, start);
  tell(
    cloud,
    start,
    isNew ? portNotice : noticeOf(cloud, start),
    isNew ? 'is running' : 'is already running',
  );
  if (!isNew) await noteOtherTables(cloud, start);
  await warn(cloud, context);
  return exitCode.ok;
}

async function runHere(start: Start): Promise<ExitCode> {
  const { folder, settings, options, isChange, context } = start;
  const { io } = context;
  const baseModel = await chooseBaseModel(options, folder, io);
  const beforeOpen = async () => {
    if (isChange) await writeOptions(folder, options);
  };
  const traces = readTraces(context);
  const served = await serveOrFind({ ...settings, baseModel, beforeOpen, traces }, io).catch(error => {
    throw error instanceof PortTakenError ? explainTaken(error, start) : error;
  });
  if (!('ended' in served)) {
    await refuseOthers(served, start);
    tell(served, start, noticeOf(served, start), 'is already running');
    await warn(served, context);
    return exitCode.ok;
  }
  const { url, port, address, portNotice } = served;
  const about = { url, port, pid: process.pid, version: settings.version, baseModel: baseModel.name };
  tell({ ...about, deploymentDomain: address.deploymentDomain }, start, portNotice, 'is running');
  await warn(served, context);
  return (await served.ended) === 'crashed' ? exitCode.failure : exitCode.ok;
}

/** A variable that is meant for other programs must not keep the cloud from starting. */
function readTraces({ io, note }: Context): RunCloudOptions['traces'] {
  try {
    return readTraceSettings(io.env) ?? undefined;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    note(`No traces are sent: ${error.message}`);
    return undefined;
  }
}

/** Tries a GPU that is asked for here, so that the error reaches the terminal; the cloud then finds the report. */
async function requireDevice(
  baseModel: RunCloudOptions['baseModel'],
  { settings, context }: Pick<Start, 'settings' | 'context'>,
): Promise<void> {
  const { device: setting, baseWeights: weights = 'auto', ray, torch, ...about } = settings;
  if (setting !== 'gpu' || ray || torch || weights === 'nf4') return;
  context.note('Checking the GPU…');
  await createDeviceChoice({ ...about, baseModel, setting, weights })
    .require()
    .catch(toCommandError);
}

function toCommandError(error: unknown): never {
  throw isCloudError(error, 'device') ? new CommandError(error.message) : error;
}

/** Rejects new options while a cloud is running, since it keeps the ones it was started with. */
async function refuseOthers({ url }: About, { folder, data, typed, context }: Start): Promise<void> {
  const inForce = await readOptions(folder).catch(() => null);
  const wanted = changeOptions(context.values.reset ? {} : (inForce ?? {}), typed);
  if (inForce && isSameOptions(wanted, inForce)) return;
  throw new CommandError(
    `The cloud is already running at ${url} with other options. To change them, stop it first: "svc cloud stop${data}".`,
  );
}

const POLL_MS = 100;
const PATIENCE_MS = 30_000;

/**
 * Starts a cloud in this process, or finds one in another process. Waits while another one is starting or
 * stopping.
 */
async function serveOrFind(
  options: RunCloudOptions,
  { env, clock = realClock }: Context['io'],
): Promise<RunningCloud | LocalCloud> {
  for (const until = clock.elapsed() + PATIENCE_MS; ; await clock.sleep(POLL_MS)) {
    try {
      return await runCloud(options);
    } catch (error) {
      if (!isCloudError(error, 'folder_owned')) toCommandError(error);
      const { cloud, owner } = await findRunning(options.folder, clock, 0);
      if (cloud) return cloud;
      if (clock.elapsed() > until) throw silentOwner(options.folder, owner, env);
    }
  }
}

/** About the port of a cloud that is running already. */
function noticeOf(cloud: LocalCloud, { data }: Start): string | null {
  const move = describeMove(cloud, data);
  return move && `It uses port ${move}`;
}

/** The remembered port may have been typed long ago. */
function explainTaken({ message }: PortTakenError, { data, options, typed }: Start): CommandError {
  if (options.port === undefined) return new CommandError(message);
  const hint =
    'port' in typed
      ? 'Stop the program that uses it, or choose another one with --port.'
      : `The cloud remembers --port ${options.port} from an earlier start. Stop the program that uses it, choose another one with "svc cloud start${data} --port N", or let "svc cloud start${data} --reset" forget all saved options.`;
  return new CommandError(`${message} ${hint}`);
}

function tell(
  cloud: About,
  { folder, data, settings, typed, context }: Start,
  portNotice: string | null,
  how: string,
): void {
  const { svc, answer, note } = context;
  const { firstPort } = settings;
  answer(
    { cloud: describeCloud(cloud, folder) },
    () => `The cloud ${how} at ${cloud.url} with base model ${cloud.baseModel}.\n`,
  );
  if (portNotice) note(`! ${portNotice}`);
  else if (firstPort !== undefined && firstPort !== cloud.port && typed.port === undefined)
    note(
      `SVC_CLOUD_PORT (${firstPort}) applies only to a cloud's first start, and only if the port is free. This cloud uses port ${cloud.port}. To move it, run: ${svc} cloud start${data} --port ${firstPort}`,
    );
}

/** About a cloud of another version, which this one cannot replace. */
async function noteOtherTables({ version }: About, { folder, settings, context }: Start): Promise<void> {
  if (version === settings.version || (await hasOwnTables(folder).catch(() => true))) return;
  context.note(
    `! The cloud runs svc ${version}, whose data svc ${settings.version} cannot read. Use that svc, or stop the cloud, move the data folder away and start the cloud again.`,
  );
}

/** About what the base model cannot do. */
async function warn({ url }: Pick<About, 'url'>, { note }: Context): Promise<void> {
  const { baseModel } = await createCloudClient({ baseUrl: url })
    .getBaseModel()
    .catch(() => ({ baseModel: null }));
  const warning = modelWarning(baseModel?.facts);
  if (warning !== null) note(`! ${warning}`);
}

const TYPED = ['ray', 'ray-token-file'];

/**
 * Reports problems that would keep the first job from running on a Ray cluster. They are errors only for a
 * cluster that was just chosen and can never work; otherwise they are warnings, because an unreachable
 * cluster may come back and an automatic start must not fail.
 */
async function checkRayAtStart(
  { ray, domain, tls }: Pick<RunCloudOptions, 'ray' | 'domain' | 'tls'>,
  typed: LastingOptions,
  note: (line: string) => void,
): Promise<void> {
  if (!ray) return;
  const { findings, obstacle } = await checkRay(ray);
  const ownUrl = domain === undefined ? `${tls ? 'https' : 'http'}://localhost` : `https://${domain}`;
  const unreachable = findUnreachable(ray, ray.advertiseUrl ?? ownUrl);
  const wrong = [...findings, ...(unreachable ? [unreachable] : [])].filter(({ status }) => status !== 'ok');
  const isFinal = obstacle === 'unauthorized' || obstacle === 'unsupported';
  const lines = wrong.map(({ message, hint }) =>
    toSafeLine([endSentence(message), hint].filter(Boolean).join(' ')),
  );
  if (isFinal && TYPED.some(name => name in typed)) throw new CommandError(lines.join('\n'));
  for (const line of lines) note(`Warning: ${line}`);
  if (lines.length > 0) note('Jobs wait until this is fixed. "svc doctor --ray" checks it again.');
}
