// The losses of a job that lists show: the last ones and the lowest ones. Kept in its row, so that a list reads no events.
import type { JobEvent } from '../../contract/index.js';
import type { Tables } from '../store/tables.js';

export const LOSS_COLUMNS = ['loss', 'eval_loss', 'lowest_loss', 'lowest_eval_loss'] as const;

export type JobLosses = Pick<Tables['jobs'], (typeof LOSS_COLUMNS)[number]>;

/** The losses after an event. */
export function noteLosses(
  { loss, eval_loss, lowest_loss, lowest_eval_loss }: JobLosses,
  event: Extract<JobEvent, { type: 'training.log' }>,
): JobLosses {
  return {
    loss: event.loss ?? loss,
    eval_loss: event.evalLoss ?? eval_loss,
    lowest_loss: lowest(lowest_loss, event.loss),
    lowest_eval_loss: lowest(lowest_eval_loss, event.evalLoss),
  };
}

function lowest(known: number | null, value: number | null | undefined): number | null {
  if (known === null || value === null || value === undefined) return known ?? value ?? null;
  return Math.min(known, value);
}
