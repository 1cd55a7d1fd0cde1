// The parts of a local cloud: jobs and chats run in processes on this machine.
import type { Clock } from '../../clock/index.js';
import {
  describeModel,
  openModel,
  readWeightChoice,
  startTraining,
  type TrainTask,
  type WeightSetting,
} from '../../engine/index.js';
import { keepResult } from '../../system/index.js';
import { createLocalBackend } from '../backends/local.js';
import type { CloudDeps } from '../deps.js';
import { createFolders } from '../disk/folders.js';
import type { JobRunner } from '../seams/runner.js';
import type { DeviceChoice } from './device-choice.js';
import { createDeviceStarter, createGpuTurns, type GpuTurns } from './devices.js';
import { type ModelSpeeds, openModelSpeeds } from './model-speeds.js';
import { createTorchParts } from './torch-runner.js';

interface LocalParts {
  /** The cloud's data folder. */
  folder: string;
  baseModel: CloudDeps['baseModel'];
  weights: WeightSetting;
  /** What runs and chats compute on. Default: the CPU. */
  device?: DeviceChoice;
  /** The Python that trains with PyTorch. Default: svc's own engine trains. */
  torch?: string | undefined;
  /** Memory for chats in bytes, including the model's weights. */
  memory?: number | undefined;
  log: CloudDeps['log'];
  clock?: Clock | undefined;
}

export function createLocalParts({
  folder,
  baseModel,
  weights,
  device,
  torch,
  memory,
  log,
  clock,
}: LocalParts): Pick<
  CloudDeps,
  'runner' | 'backend' | 'readModelFacts' | 'readWeights' | 'readDevice' | 'readTorch'
> {
  const roundedFolder = createFolders(folder).roundedOf(baseModel);
  const gpuTurns = createGpuTurns();
  const own = createLocalRunner({ weights, device, gpuTurns });
  const training =
    torch === undefined
      ? { runner: own, readDevice: device?.read }
      : createTorchParts({ python: torch, own, gpuTurns, log });
  const speeds = openModelSpeeds(folder, baseModel.digest ?? baseModel.name);
  return {
    ...training,
    runner: speeds.watch(training.runner),
    backend: createLocalBackend({
      modelFolder: baseModel.folder,
      weights,
      roundedFolder,
      memory,
      log,
      onSpeed: speed => speeds.note('answering', speed),
      // With PyTorch, the GPU is for its runs.
      device: torch === undefined ? device?.answering : undefined,
      clock,
    }),
    readModelFacts: createFactsReader(baseModel.folder, speeds),
    async readWeights() {
      if (weights !== 'auto') return { setting: weights, used: weights };
      const choice = await readWeightChoice(await openModel(baseModel.folder), roundedFolder, {
        reads: false,
      });
      if (choice === null) return { setting: weights, used: null };
      const { weights: used, ...measured } = choice;
      return { setting: weights, used, ...measured };
    },
  };
}

/** What the files say is read once. */
function createFactsReader(folder: string, speeds: Pick<ModelSpeeds, 'read'>) {
  const readFiles = keepResult(() => describeModel({ path: folder }));
  return async () => {
    const { problem: _, ...facts } = await readFiles();
    return { ...facts, speed: await speeds.read() };
  };
}

interface LocalRunner extends JobRunner {
  measure: NonNullable<JobRunner['measure']>;
}

interface LocalRunnerOptions {
  /** The precision of the base model's weights in training. Default: `f32`. */
  weights?: WeightSetting;
  /** Default: the CPU. */
  device?: Pick<DeviceChoice, 'choose' | 'close'> | undefined;
  /** Shared with others that use the GPU. */
  gpuTurns?: GpuTurns;
}

/** Runs jobs on this machine, each in its own process. */
export function createLocalRunner({
  weights = 'f32',
  device,
  gpuTurns,
}: LocalRunnerOptions = {}): LocalRunner {
  const startOnDevice = createDeviceStarter(device?.choose ?? (async () => ({ type: 'cpu' })), gpuTurns);
  const weigh = ({ request, ...task }: TrainTask): TrainTask => ({
    ...task,
    request: { ...request, options: { ...request.options, weights } },
  });
  return {
    start: (run, { record: onEvent, waitsFor, locate, heldUp, score }) => {
      const task = weigh(locate(run));
      return startOnDevice({ onEvent, waitsFor }, (device, listen) =>
        startTraining({ ...task, device }, listen, { onHeldUp: heldUp, score }),
      );
    },
    measure: (task, onEvent) =>
      startOnDevice({ onEvent, waitsFor() {} }, (device, listen) =>
        startTraining({ ...weigh(task), device }, listen),
      ),
    close: async () => device?.close(),
  };
}
