// How well a job learned each row: its loss each time it was trained on.
import * as z from 'zod/mini';
import { orNull, pageCursor, positiveInteger, step, textLike } from '../text.js';
import { ROW_LOSS_SORTS } from '../vocabulary.js';

export const rowLossQuery = {
  /** Default: worst first, by last loss. */
  sort: z.optional(z.enum(ROW_LOSS_SORTS)),
  /** Only rows whose last loss is higher than their first. */
  rising: z.optional(z.enum(['true', 'false'])),
  /** Only rows of this step, by their loss in it. */
  step: z.optional(textLike(/^[1-9]\d{0,9}$/, 'a whole number from 1')),
  /** Up to 200; 50 if omitted. */
  limit: z.optional(textLike(/^(?:[1-9]\d?|1\d\d|200)$/, 'a whole number from 1 to 200')),
  /** The previous page's `nextCursor`. */
  cursor: pageCursor,
};

const finite = z.number();

const rowLoss = z.object({
  /** Its index in the data set, from 0. */
  row: step,
  /** Tokens learned from it. */
  labels: step,
  /** How many times it was trained on. */
  visits: positiveInteger,
  /** Its first loss, before the model had learned from it. */
  first: finite,
  /** Its last loss. */
  last: finite,
  mean: finite,
  /** Its loss in the requested step. */
  inStep: orNull(finite),
  /** Losses over time: all, or evenly spaced ones including the first and last. */
  losses: z.array(z.object({ step: positiveInteger, loss: finite })),
  /** The row's location, and an excerpt; null if the data set no longer exists. */
  text: orNull(
    z.object({ file: z.string(), number: positiveInteger, prompt: z.string(), answer: z.string() }),
  ),
});

export type RowLoss = z.output<typeof rowLoss>;

export const rowLosses = z.object({
  rows: z.array(rowLoss),
  /** How many rows match. */
  total: step,
  /** How many rows have a recorded loss. */
  recorded: step,
  /** One in this many rows is recorded: more than 1 for large data sets and long runs. */
  every: positiveInteger,
  nextCursor: orNull(z.string()),
  /** Why the job records none, in a sentence. */
  unrecorded: orNull(z.string()),
});

export type RowLosses = z.output<typeof rowLosses>;
