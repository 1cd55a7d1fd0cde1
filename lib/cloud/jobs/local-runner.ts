// Runs jobs on this machine, each in its own process.
import { startTraining, type TrainingRun, type WeightSetting } from '../../engine/index.js';
import type { JobRunner } from '../seams/runner.js';

interface LocalRunner extends JobRunner {
  start(
    task: Parameters<JobRunner['start']>[0],
    onEvent: Parameters<JobRunner['start']>[1],
    onHeldUp?: Parameters<JobRunner['start']>[2],
  ): TrainingRun;
}

interface LocalRunnerOptions {
  /** The precision of the base model's weights in a run. Default: `f32`. */
  weights?: WeightSetting;
}

export function createLocalRunner({ weights = 'f32' }: LocalRunnerOptions = {}): LocalRunner {
  return {
    start: (task, onEvent, onHeldUp) =>
      startTraining(
        { ...task, request: { ...task.request, options: { ...task.request.options, weights } } },
        onEvent,
        onHeldUp,
      ),
  };
}
