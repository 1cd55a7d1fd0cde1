// The learning rate of each step, as a share of the highest.
import type { Schedule } from './options.js';

export interface SchedulePlan {
  schedule: Schedule;
  warmupSteps: number;
  totalSteps: number;
}

/** The factor for a step, counted from 0: warmed up, then as the schedule says, down to 0 behind the last step. */
export function scheduleFactor(step: number, { schedule, warmupSteps, totalSteps }: SchedulePlan): number {
  if (schedule === 'constant') return 1;
  if (step < warmupSteps) return (step + 1) / (warmupSteps + 1);
  if (schedule === 'constant_with_warmup') return 1;
  const done = (step - warmupSteps) / Math.max(1, totalSteps - warmupSteps);
  return schedule === 'linear' ? Math.max(0, 1 - done) : Math.max(0, 0.5 * (1 + Math.cos(Math.PI * done)));
}
