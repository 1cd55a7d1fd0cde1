// Runs jobs on this machine, each in its own process.
import { startTraining, type TrainingRun, type WeightSetting } from '../../engine/index.js';
import type { JobRunner } from '../seams/runner.js';

interface LocalRunner extends JobRunner {
  start(...attempt: Parameters<JobRunner['start']>): TrainingRun;
}

interface LocalRunnerOptions {
  /** The precision of the base model's weights in a run. Default: `f32`. */
  weights?: WeightSetting;
}

export function createLocalRunner({ weights = 'f32' }: LocalRunnerOptions = {}): LocalRunner {
  return {
    start(run, desk) {
      const { request, ...task } = desk.locate(run);
      const options = { ...request.options, weights };
      return startTraining({ ...task, request: { ...request, options } }, desk.record, desk.heldUp);
    },
  };
}
