// The parts of a local cloud: jobs and chats run in processes on this machine.
import type { Clock } from '../../clock/index.js';
import {
  openModel,
  readWeightChoice,
  startTraining,
  type TrainingRun,
  type TrainTask,
  type WeightSetting,
} from '../../engine/index.js';
import { createLocalBackend } from '../backends/local.js';
import type { CloudDeps } from '../deps.js';
import { createFolders } from '../disk/folders.js';
import type { JobRunner } from '../seams/runner.js';

interface LocalParts {
  /** The cloud's data folder. */
  folder: string;
  baseModel: CloudDeps['baseModel'];
  weights: WeightSetting;
  /** Memory for chats in bytes, including the model's weights. */
  memory?: number | undefined;
  log: CloudDeps['log'];
  clock?: Clock | undefined;
}

export function createLocalParts({
  folder,
  baseModel,
  weights,
  memory,
  log,
  clock,
}: LocalParts): Pick<CloudDeps, 'runner' | 'backend' | 'readWeights'> {
  const roundedFolder = createFolders(folder).rounded;
  return {
    runner: createLocalRunner({ weights }),
    backend: createLocalBackend({
      modelFolder: baseModel.folder,
      weights,
      roundedFolder,
      memory,
      log,
      clock,
    }),
    async readWeights() {
      if (weights !== 'auto') return { setting: weights, used: weights };
      const choice = await readWeightChoice(await openModel(baseModel.folder), roundedFolder);
      return { setting: weights, used: choice?.weights ?? null, ...(choice && { speedup: choice.speedup }) };
    },
  };
}

interface LocalRunner extends JobRunner {
  measure: NonNullable<JobRunner['measure']>;
  start(...attempt: Parameters<JobRunner['start']>): TrainingRun;
}

interface LocalRunnerOptions {
  /** The precision of the base model's weights in training. Default: `f32`. */
  weights?: WeightSetting;
}

/** Runs jobs on this machine, each in its own process. */
export function createLocalRunner({ weights = 'f32' }: LocalRunnerOptions = {}): LocalRunner {
  const weigh = ({ request, ...task }: TrainTask): TrainTask => ({
    ...task,
    request: { ...request, options: { ...request.options, weights } },
  });
  return {
    start: (run, desk) => startTraining(weigh(desk.locate(run)), desk.record, desk.heldUp),
    measure: (task, onEvent) => startTraining(weigh(task), onEvent),
  };
}
