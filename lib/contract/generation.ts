// What the published formats for generated text have in common.
import * as z from 'zod/mini';
import { boundList } from './bounded.js';
import { step } from './text.js';

export const temperature = z.number().check(z.gte(0), z.lte(2));
export const topP = z.number().check(z.gte(0), z.lte(1));
export const penalty = z.number().check(z.gte(-2), z.lte(2));
const stopText = z.string().check(z.maxLength(4096));
const stopTexts = z.array(stopText).check(z.minLength(1), z.maxLength(4));
export const stop = z.union([stopText, boundList(stopTexts, 4)]);
export const seed = z.int();

/** The limit in the published format. */
const MOST_BIASES = 300;

/** By the IDs of tokens. */
export const logitBias = z
  .record(z.string().check(z.regex(/^\d{1,9}$/)), z.number().check(z.gte(-100), z.lte(100)))
  .check(
    z.refine(biases => Object.keys(biases).length <= MOST_BIASES, {
      error: `must have at most ${MOST_BIASES} tokens`,
    }),
  );

export const streamOptions = z.object({ include_usage: z.optional(z.boolean()) });

export const usage = z.object({
  prompt_tokens: step,
  completion_tokens: step,
  total_tokens: step,
  prompt_tokens_details: z.optional(z.object({ cached_tokens: step })),
});
