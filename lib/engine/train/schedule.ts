// The learning rate of each step, as a share of the maximum.
import type { Schedule } from './options.js';

interface SchedulePlan {
  schedule: Schedule;
  warmupSteps: number;
  totalSteps: number;
}

/** Steps count from 0. Falling schedules reach 0 one step after the last. */
export function scheduleFactor(step: number, { schedule, warmupSteps, totalSteps }: SchedulePlan): number {
  if (schedule === 'constant') return 1;
  if (step < warmupSteps) return (step + 1) / (warmupSteps + 1);
  if (schedule === 'constant_with_warmup') return 1;
  const done = (step - warmupSteps) / Math.max(1, totalSteps - warmupSteps);
  return schedule === 'linear' ? Math.max(0, 1 - done) : Math.max(0, 0.5 * (1 + Math.cos(Math.PI * done)));
}
