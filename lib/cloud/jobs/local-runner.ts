// Runs jobs on this machine, each in a process of its own.
import { startTraining, type TrainingRun, type WeightForm } from '../../engine/index.js';
import type { JobRunner } from './runner.js';

export interface LocalRunner extends JobRunner {
  start(...parameters: Parameters<JobRunner['start']>): TrainingRun;
}

export interface LocalRunnerOptions {
  /** How a run holds the base model's weights; `f32` unless given. */
  weights?: WeightForm;
}

export function createLocalRunner({ weights = 'f32' }: LocalRunnerOptions = {}): LocalRunner {
  return {
    start: (task, onEvent) =>
      startTraining(
        { ...task, request: { ...task.request, options: { ...task.request.options, weights } } },
        onEvent,
      ),
  };
}
