// Runs a cloud in this process: locks the data folder, listens, writes cloud.json, and shuts down in order.
import { type Clock, realClock } from '../../clock/index.js';
import { cloudRoutes, describePort, usualPort } from '../../contract/index.js';
import type { WeightSetting } from '../../engine/index.js';
import { errorResponse, listen } from '../../http/index.js';
import { logFileIn, outputFileIn } from '../../system/index.js';
import { openTraces, type TraceSettings } from '../../telemetry/index.js';
import { type Cloud, createCloud } from '../app.js';
import { createVllmBackend, type VllmAddress } from '../backends/vllm.js';
import type { CloudAddress, CloudDeps } from '../deps.js';
import { createFolders } from '../disk/folders.js';
import { type FolderLock, ownFolder } from '../disk/own-folder.js';
import { cloudStarting } from '../health.js';
import {
  checkExposure,
  chooseAnonymous,
  choosePorts,
  type Exposure,
  isExposed,
  toAddress,
  toLocalUrl,
} from './address.js';
import { hasBaseUrls } from './data-folder.js';
import { createDeviceChoice } from './device-choice.js';
import type { DeviceSetting } from './devices.js';
import { createLocalParts } from './local-parts.js';
import { adoptOutput, type Log, openLog } from './log.js';
import {
  createSecret,
  maintainFolder,
  markStopped,
  readCloudFile,
  unmarkStopped,
  writeCloudFile,
} from './maintain-folder.js';
import { releaseMemory, watchProcess } from './process.js';
import { createRayParts, type RayOptions } from './ray-parts.js';

type CloudParts = Partial<Pick<CloudDeps, 'runner' | 'backend' | 'workerUrl'>>;

export interface RunCloudOptions extends Exposure {
  /** The data folder. */
  folder: string;
  version: string;
  baseModel: CloudDeps['baseModel'];
  /** The weights' precision in training and chats. `nf4` is for training with PyTorch alone. Default: `auto`. */
  baseWeights?: WeightSetting | 'nf4' | undefined;
  /** What runs on this machine compute on. Default: `auto`, the faster one. */
  device?: DeviceSetting | undefined;
  /** The Python that trains with PyTorch. Default: svc's own engine trains. */
  torch?: string | undefined;
  /** Memory for chats in bytes, including the model's weights. Default: a share of the machine's. */
  memory?: number | undefined;
  /** How many hours answers are stored for callers who ask for it; 0: not at all. Default: 24. */
  storeHours?: number | undefined;
  /** The identity provider that users sign in with. */
  oauth?: CloudDeps['oauth'];
  /** The Ray cluster for jobs. Default: this machine. */
  ray?: RayOptions | undefined;
  /** The vLLM server for chats. Default: this machine, or the cluster. */
  vllm?: VllmAddress | undefined;
  /** Replaces the parts of this machine or of the Ray cluster. */
  parts?: CloudParts | undefined;
  /** How many jobs run at once. Default: 1; on a cluster, as many as fit, up to 256. */
  concurrency?: number | undefined;
  /** Uses only this port. */
  port?: number | undefined;
  /** Called when everything is ready, before the first request is answered. */
  beforeOpen?: (() => Promise<void>) | undefined;
  /** The first port to try if the last one is unknown or taken. */
  firstPort?: number | undefined;
  /** Where requests, answers and steps are reported. Default: nowhere. */
  traces?: TraceSettings | undefined;
  /** Ignores the last port used. */
  forgetPort?: boolean | undefined;
  clock?: Clock | undefined;
}

export interface RunningCloud {
  /** The URL for programs on this machine. */
  url: string;
  port: number;
  address: CloudAddress;
  logFile: string;
  /** What callers should know if it is not at the port that it had before, or is back there; null otherwise. */
  portNotice: string | null;
  /** Resolves when it has stopped, on request or after an error, which is in the log. */
  ended: Promise<'stopped' | 'crashed'>;
  stop(): void;
}

/** How long running jobs may take to save their state. */
const GRACE_MS = 10_000;
/** Routes with which callers find the cloud, check its health, and stop it. */
const VITAL = [cloudRoutes.getCloud, cloudRoutes.getHealth, cloudRoutes.stopCloud].map(({ path }) => path);
const MOST_ON_CLUSTER = 256;

/** Throws `folder_owned` if another process runs a cloud on the folder. */
export async function runCloud(options: RunCloudOptions): Promise<RunningCloud> {
  checkExposure(options);
  const lock = ownFolder(options.folder);
  const undo: (() => unknown)[] = [() => lock.release()];
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    return await open(options, lock, undo, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(
  options: RunCloudOptions,
  lock: FolderLock,
  undo: (() => unknown)[],
  close: () => Promise<void>,
): Promise<RunningCloud> {
  const {
    folder,
    version,
    host = 'localhost',
    tls,
    baseModel,
    oauth,
    ray,
    vllm,
    parts,
    storeHours,
    clock = realClock,
  } = options;
  const {
    baseWeights = 'auto',
    device: setting = 'auto',
    torch,
    memory,
    concurrency = ray ? MOST_ON_CLUSTER : 1,
  } = options;
  const weights = toOwnWeights(baseWeights);
  const former = readCloudFile(folder);
  const secret = former?.secret ?? createSecret();
  const logFile = logFileIn(folder);
  const log = openLog(logFile, [secret]);
  unmarkStopped(folder);
  const takeOutput = () => adoptOutput(outputFileIn(folder), log);
  await takeOutput();
  undo.push(takeOutput);

  const door = createStartupGate();
  const last = options.forgetPort || options.port !== undefined ? null : former;
  const ports = choosePorts({
    port: options.port,
    former: last ? [usualPort(last), last.port] : [],
    first: options.firstPort,
  });
  const listening = await listen(door, { host, ports, tls, vital: VITAL, log });
  undo.push(() => listening.close());
  const { port } = listening;
  const at = new URL(listening.url);
  const address = toAddress({ ...options, workerUrl: parts?.workerUrl ?? ray?.advertiseUrl }, at);
  const ending = { stop: () => {} };
  const stop = () => ending.stop();
  const isFull = () => listening.isFull;
  const own = {
    folder,
    version,
    baseModel,
    ...((torch !== undefined || ray) && { torchWeights: toTorchWeights(baseWeights) }),
    secret,
    address,
    oauth,
    concurrency,
    storeHours,
    log,
    isFull,
    stop,
    clock,
  };
  const rules = { anonymous: chooseAnonymous(options), exposed: isExposed(options) };
  const device = createDeviceChoice({ folder, version, baseModel, setting, weights, clock });
  const isElsewhere = ray !== undefined || torch !== undefined || parts?.runner !== undefined;
  if (!isElsewhere) await device.require();
  const local = createLocalParts({ folder, baseModel, weights, device, torch, memory, log, clock });
  const traces =
    options.traces && openTraces(options.traces, { version, clock, log: message => log({ message }) });
  if (traces) {
    log({ message: `Traces are sent to ${options.traces!.url}.` });
    undo.push(() => traces.close());
  }
  const cloud = await createCloud({
    tracer: traces?.tracer,
    ...own,
    ...rules,
    ...local,
    ...(baseWeights === 'nf4' && { readWeights: async () => ({ setting: baseWeights, used: baseWeights }) }),
    ...(ray && createRayParts(ray, { log, cloudUrl: address.url, secret, weights, memory, clock })),
    ...(vllm && {
      backend: createVllmBackend({
        ...{ ...vllm, modelFolder: baseModel.folder, copies: createFolders(folder).vllm },
        ...{ local: local.backend, log, clock },
      }),
    }),
    ...parts,
    ...(isElsewhere && { readDevice: undefined }),
  });
  undo.push(() => cloud.close(GRACE_MS));
  undo.push(() => void listening.close(GRACE_MS));
  await cloud.start();
  await options.beforeOpen?.();
  const url = toLocalUrl(options, address, at);
  const content = {
    ...{ url, port, pid: process.pid, version, secret, modelFolder: baseModel.folder },
    // Without endpoints, no program has the former port in a base URL.
    ...(last &&
      port !== usualPort(last) && { moved: { from: usualPort(last), returns: await hasBaseUrls(folder) } }),
  };
  // A client that gets a response relies on the file to identify this process.
  await writeCloudFile(folder, content);
  door.open(cloud);
  log({
    message: `Cloud ${version} is running at ${address.url} with ${baseModel.name} and ${baseWeights} weights, process ${process.pid}.`,
  });
  const portNotice = describePort(last, content);
  if (portNotice) log({ message: portNotice });
  undo.push(() => markStopped(folder, log));
  const end = untilEnd(close, log);
  ending.stop = end.stop;
  const maintenance = maintainFolder({
    folder,
    lock,
    content,
    log,
    takeOutput,
    clock,
    onLost: end.fail,
  });
  undo.push(() => maintenance.stop());
  const releasing = releaseMemory();
  undo.push(() => releasing.stop());
  return { url, port, address, logFile, portNotice, ended: end.ended, stop };
}

/** Only PyTorch has nf4: chats then use what `auto` chooses. */
export function toOwnWeights(weights: WeightSetting | 'nf4'): WeightSetting {
  return weights === 'nf4' ? 'auto' : weights;
}

function toTorchWeights(weights: RunCloudOptions['baseWeights']): CloudDeps['torchWeights'] {
  return weights === 'int8' || weights === 'nf4' ? weights : undefined;
}

interface End extends Pick<RunningCloud, 'ended' | 'stop'> {
  fail(error: unknown): void;
}

/** Shuts down gracefully on request, or immediately after a crash. */
function untilEnd(close: () => Promise<void>, log: Log): End {
  const watch = watchProcess(error => log({ message: 'The cloud crashed.', error }));
  const ended = watch.ended.then(async reason => {
    if (reason === 'stopped') await close();
    watch.unwatch();
    if (reason === 'stopped') log({ message: 'The cloud stopped.' });
    return reason;
  });
  return { ended, stop: watch.stop, fail: watch.fail };
}

/** The cloud needs to know its address before it is created. Until then, callers are told to retry. */
function createStartupGate() {
  let cloud: Pick<Cloud, 'fetch'> | null = null;
  return {
    fetch: (request: Request) => cloud?.fetch(request) ?? errorResponse(cloudStarting()),
    open(ready: Pick<Cloud, 'fetch'>) {
      cloud = ready;
    },
  };
}
