// What a run is measured by while it trains: answers to sample conversations, which show what the model learns, and
// scores from the trainer's own evals.
import * as z from 'zod/mini';
import { conversation } from '../formats/chat-messages.js';
import { boundList, positiveInteger, printable, step, timestamp } from '../text.js';

const MOST_SAMPLES = 20;
/** Each answer is an event in the job's log. */
const MOST_SAMPLE_TOKENS = 1024;

const sampleInput = z.strictObject({
  messages: conversation,
  /** Default: 128. */
  maxTokens: z.optional(positiveInteger.check(z.lte(MOST_SAMPLE_TOKENS))),
});

/** A conversation to answer at each checkpoint. */
export type SampleInput = z.input<typeof sampleInput>;

export const sampleInputs = boundList(
  z.array(sampleInput).check(z.minLength(1), z.maxLength(MOST_SAMPLES)),
  MOST_SAMPLES,
);

/** The answer of a step's adapter, at temperature 0. Step 0 is the base model; the last step is the final adapter. */
export const sampleGenerated = z.object({
  type: z.literal('sample.generated'),
  jobId: z.string(),
  timestamp,
  step,
  /** The index of its conversation in the job's `samples`, from 0. */
  sample: step,
  /** Null if there is no answer because of an error. */
  answer: z.nullable(z.string()),
  /** `length`: the answer was cut at `maxTokens`. */
  finishReason: z.optional(z.enum(['stop', 'length'])),
  /** Why there is no answer. */
  error: z.optional(z.string()),
});

export type SampleGenerated = z.output<typeof sampleGenerated>;

/** Identifies an answer within its job. */
export function samplePlace({ step, sample }: Pick<SampleGenerated, 'step' | 'sample'>): string {
  return `${step}/${sample}`;
}

/** A job's sample answers. */
export const MOST_SCORE_NAMES = 20;

const scoreName = printable(40);

/** The names of the trainer's evals. */
export const scoreNames = boundList(
  z.array(scoreName).check(z.minLength(1), z.maxLength(MOST_SCORE_NAMES)),
  MOST_SCORE_NAMES,
);

/** The score that picks the best adapter, instead of the lowest evaluation loss or the highest held-out reward. */
export const bestBy = z.strictObject({
  score: scoreName,
  /** Whether higher is better. Default: true. */
  higher: z.optional(z.boolean()),
});

export type BestBy = z.input<typeof bestBy>;

/** The scores of a step's adapter, as reported by the program that follows the job. */
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

/** The best value of the score that picks a job's best adapter. */
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

/** Identifies a score within its job, so that it is recorded only once. */
export function scorePlace({ step: at, name }: Pick<Score, 'step' | 'name'>): string {
  return `${at}/${name}`;
}
