// Conversations that a job's adapters answer at each checkpoint, to see what the model learns.
import * as z from 'zod/mini';
import { boundList } from './bounded.js';
import { conversation } from './chat.js';
import { positiveInteger, step, timestamp } from './text.js';

const MOST_SAMPLES = 20;
/** An answer is an event of the job's log. */
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

/**
 * What the adapter of a step answered, at temperature 0. Step 0 is the base model; the last step is the final adapter.
 */
export const sampleGenerated = z.object({
  type: z.literal('sample.generated'),
  jobId: z.string(),
  timestamp,
  step,
  /** The place of its conversation in the job's `samples`, from 0. */
  sample: step,
  /** Null if it could not be answered. */
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
