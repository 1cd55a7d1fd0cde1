// Runs jobs on this machine, each in its own process.
import { startTraining, type TrainingRun, type TrainTask, type WeightSetting } from '../../engine/index.js';
import type { JobRunner } from '../seams/runner.js';

interface LocalRunner extends JobRunner {
  measure: NonNullable<JobRunner['measure']>;
  start(...attempt: Parameters<JobRunner['start']>): TrainingRun;
}

interface LocalRunnerOptions {
  /** The precision of the base model's weights in a run. Default: `f32`. */
  weights?: WeightSetting;
}

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
