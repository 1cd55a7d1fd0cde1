// Runs jobs on this machine, each in a process of its own.
import { startTraining, type TrainingRun, type WeightPrecision } from '../../engine/index.js';
import type { JobRunner } from '../seams/runner.js';

export interface LocalRunner extends JobRunner {
  start(
    task: Parameters<JobRunner['start']>[0],
    onEvent: Parameters<JobRunner['start']>[1],
    onHeldUp?: Parameters<JobRunner['start']>[2],
  ): TrainingRun;
}

export interface LocalRunnerOptions {
  /** How a run holds the base model's weights; `f32` unless given. */
  weights?: WeightPrecision;
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
