// Scores that a trainer's own evals give to the adapters of a job: reported by the program that follows it, recorded as
// events of the job, and perhaps what decides which adapter is the best.
import * as z from 'zod/mini';
import { boundList } from './bounded.js';
import { positiveInteger, printable, step, timestamp } from './text.js';

/** Of a job. */
export const MOST_SCORE_NAMES = 20;

const scoreName = printable(40);

/** The names of the evals that a job's trainer has. */
export const scoreNames = boundList(
  z.array(scoreName).check(z.minLength(1), z.maxLength(MOST_SCORE_NAMES)),
  MOST_SCORE_NAMES,
);

/** The best adapter is the one with the best of these scores, instead of the lowest evaluation loss. */
export const bestBy = z.strictObject({
  score: scoreName,
  /** Whether higher is better. Default: true. */
  higher: z.optional(z.boolean()),
});

export type BestBy = z.input<typeof bestBy>;

/** The scores of the adapter that was saved at a step. */
export const scoreReport = z.strictObject({
  step: positiveInteger,
  scores: z.record(scoreName, z.number()).check(
    z.refine(given => Object.keys(given).length > 0, { error: 'must have at least one score' }),
    z.refine(given => Object.keys(given).length <= MOST_SCORE_NAMES, {
      error: `must have at most ${MOST_SCORE_NAMES} scores`,
    }),
  ),
});

export type ScoreReport = z.input<typeof scoreReport>;

export const score = z.object({ step, name: z.string(), value: z.number() });

/** The best value of the score that decides which of a job's adapters is the best. */
export const bestOfScores = z.object({ name: z.string(), value: z.number(), higher: z.boolean() });

export type BestOfScores = z.output<typeof bestOfScores>;

type Score = z.output<typeof score>;

export const scoreRecorded = z.object({
  type: z.literal('score.recorded'),
  jobId: z.string(),
  timestamp,
  ...score.shape,
});

export type ScoreRecorded = z.output<typeof scoreRecorded>;

/** Identifies a score within its job: it is recorded once. */
export function scorePlace({ step: at, name }: Pick<Score, 'step' | 'name'>): string {
  return `${at}/${name}`;
}
