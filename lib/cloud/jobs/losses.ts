// The losses that job lists show: the last and the lowest. Kept in the job's row, so that a list reads no events.
import type { Tables } from '../store/tables.js';

export const LOSS_COLUMNS = ['loss', 'eval_loss', 'best_loss', 'best_eval_loss'] as const;

export type JobLosses = Pick<Tables['jobs'], (typeof LOSS_COLUMNS)[number]>;

export const NO_LOSSES: JobLosses = { loss: null, eval_loss: null, best_loss: null, best_eval_loss: null };

/** The losses after an event. Where a run learns from rewards, the lowest loss is not the best. */
export function noteLosses(
  { loss, eval_loss, best_loss, best_eval_loss }: JobLosses,
  event: Readonly<Partial<Record<'loss' | 'evalLoss' | 'reward', number | null | undefined>>>,
): JobLosses {
  return {
    loss: event.loss ?? loss,
    eval_loss: event.evalLoss ?? eval_loss,
    best_loss: event.reward == null ? lowest(best_loss, event.loss) : best_loss,
    best_eval_loss: lowest(best_eval_loss, event.evalLoss),
  };
}

function lowest(known: number | null, value: number | null | undefined): number | null {
  if (known === null || value === null || value === undefined) return known ?? value ?? null;
  return Math.min(known, value);
}
