// Runs jobs on this machine, each in a process of its own.
import { startTraining, type TrainingRun } from '../../engine/index.js';
import type { JobRunner } from './runner.js';

export interface LocalRunner extends JobRunner {
  start(...parameters: Parameters<JobRunner['start']>): TrainingRun;
}

export function createLocalRunner(): LocalRunner {
  return { start: startTraining };
}
