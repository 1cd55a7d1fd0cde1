// How well a job learned each of its rows: the loss of a row whenever it was trained on.
import * as z from 'zod/mini';
import { orNull, positiveInteger, step } from '../text.js';
import { ROW_LOSS_SORTS } from '../vocabulary.js';

export const rowLossQuery = {
  /** Worst first, by the last loss if omitted. */
  sort: z.optional(z.enum(ROW_LOSS_SORTS)),
  /** Only rows whose last loss is higher than their first. */
  rising: z.optional(z.enum(['true', 'false'])),
  /** Only the rows of this step, by their loss in it. */
  step: z.optional(z.string().check(z.regex(/^[1-9]\d{0,9}$/))),
  /** Up to 200; 50 if omitted. */
  limit: z.optional(z.string().check(z.regex(/^(?:[1-9]\d?|1\d\d|200)$/))),
  /** `nextCursor` of the page before. */
  cursor: z.optional(z.string().check(z.regex(/^\d{1,9}$/))),
};

const finite = z.number();

const rowLoss = z.object({
  /** Its place in the data set, from 0. */
  row: step,
  /** Tokens learned from it. */
  labels: step,
  /** How often it was trained on. */
  visits: positiveInteger,
  /** When it was trained on for the first time, so after the steps before that. */
  first: finite,
  /** When it was last trained on. */
  last: finite,
  mean: finite,
  /** In the step that was asked for. */
  inStep: orNull(finite),
  /** Over time: all, or evenly spaced ones with the first and the last. */
  losses: z.array(z.object({ step: positiveInteger, loss: finite })),
  /** Where the row is, and an excerpt; null if the data set is no longer there. */
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
  /** One row in so many is recorded: more than 1 for large data sets and long runs. */
  every: positiveInteger,
  nextCursor: orNull(z.string()),
});

export type RowLosses = z.output<typeof rowLosses>;
