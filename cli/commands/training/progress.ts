// Training progress, computed from events. Times come from the events themselves, so a replay shows the same.
import type { JobEvent } from '../../../lib/contract/index.js';

export interface Progress {
  readonly step: number;
  readonly totalSteps: number | null;
  /** The step and time at which this run of the job started; the step is not 0 for a resumed job. */
  readonly firstStep: number;
  readonly startedAt: number | null;
  /** When the last step was logged. */
  readonly at: number | null;
  readonly loss: number | null;
  readonly evalLoss: number | null;
  readonly tokensPerSecond: number | null;
}

export const noProgress: Progress = {
  step: 0,
  totalSteps: null,
  firstStep: 0,
  startedAt: null,
  at: null,
  loss: null,
  evalLoss: null,
  tokensPerSecond: null,
};

export function advance(progress: Progress, event: JobEvent): Progress {
  switch (event.type) {
    case 'training.started': {
      const firstStep = event.resumedFromStep ?? 0;
      const startedAt = Date.parse(event.timestamp);
      return { ...progress, step: firstStep, firstStep, startedAt, at: null, totalSteps: event.totalSteps };
    }
    case 'training.log':
      return {
        ...progress,
        step: event.step,
        at: Date.parse(event.timestamp),
        loss: event.loss ?? progress.loss,
        evalLoss: event.evalLoss ?? progress.evalLoss,
        tokensPerSecond: event.tokensPerSecond ?? progress.tokensPerSecond,
      };
    default:
      return progress;
  }
}

/** The time left at the pace so far; null while there is no pace yet. */
export function remainingMs({ step, totalSteps, firstStep, startedAt, at }: Progress): number | null {
  if (totalSteps === null || startedAt === null || at === null || step <= firstStep) return null;
  const perStep = (at - startedAt) / (step - firstStep);
  return Math.max(0, totalSteps - step) * perStep;
}
