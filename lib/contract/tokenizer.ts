// The tokenizer of a cloud's models, as evaluation tools ask for it.
import * as z from 'zod/mini';
import { tokenList } from './prompts.js';
import { step } from './text.js';

export const tokenizerInfo = z.object({
  bos_token: z.nullable(z.string()),
  eos_token: z.nullable(z.string()),
  pad_token: z.nullable(z.string()),
  /** Jinja. */
  chat_template: z.nullable(z.string()),
});

/** In UTF-16 units. More than any context holds, and the answer has a number for each token. */
const LONGEST_TEXT = 500_000;

/** Unknown fields are accepted and ignored. */
export const tokenizeRequest = z.looseObject({
  prompt: z.string().check(z.maxLength(LONGEST_TEXT)),
  /** Defaults to true. */
  add_special_tokens: z.optional(z.boolean()),
});

export const tokens = z.object({ tokens: z.array(step), count: step });

/** Unknown fields are accepted and ignored. */
export const detokenizeRequest = z.looseObject({
  tokens: tokenList,
});

export const detokenized = z.object({ prompt: z.string() });
