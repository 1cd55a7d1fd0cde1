// OpenAI's format for completions of plain texts.
import * as z from 'zod/mini';
import { ApiError } from './errors.js';
import { logitBias, penalty, seed, stop, streamOptions, temperature, topP, usage } from './generation.js';
import { prompts } from './prompts.js';
import { dropNulls, type Features, refuseFeatures, requireObject } from './published-format.js';
import { step } from './text.js';
import { parseRequest } from './validate.js';

/** Prompts times answers. */
const MOST_CHOICES = 256;

/** Unknown fields are accepted and ignored. */
export const completionRequest = z.looseObject({
  model: z.optional(z.unknown()),
  prompt: prompts(MOST_CHOICES),
  echo: z.optional(z.boolean()),
  logprobs: z.optional(z.int().check(z.gte(0), z.lte(20))),
  /** 0 with `echo` only looks at the prompt. */
  max_tokens: z.optional(step),
  n: z.optional(z.int().check(z.gte(1), z.lte(4))),
  stop: z.optional(stop),
  seed: z.optional(seed),
  temperature: z.optional(temperature),
  top_p: z.optional(topP),
  frequency_penalty: z.optional(penalty),
  presence_penalty: z.optional(penalty),
  logit_bias: z.optional(logitBias),
  stream: z.optional(z.boolean()),
  stream_options: z.optional(streamOptions),
});

export type CompletionRequest = z.output<typeof completionRequest>;

const logprobs = z.object({
  tokens: z.array(z.string()),
  /** Nothing says how likely the first token of a prompt is. */
  token_logprobs: z.array(z.nullable(z.number())),
  top_logprobs: z.array(z.nullable(z.record(z.string(), z.number()))),
  /** Where each token starts, in characters. */
  text_offset: z.array(step),
});

/** Chunks of a stream have the same shape. */
export const completion = z.object({
  id: z.string(),
  object: z.literal('text_completion'),
  created: z.int(),
  model: z.string(),
  choices: z.array(
    z.object({
      index: step,
      text: z.string(),
      logprobs: z.nullable(logprobs),
      finish_reason: z.nullable(z.enum(['stop', 'length'])),
    }),
  ),
  usage: z.optional(z.nullable(usage)),
  system_fingerprint: z.optional(z.string()),
});

export type Completion = z.output<typeof completion>;

const FEATURES: Features = {
  suffix: value => value === '',
  best_of: value => value === 1,
};

const STRUCTURED = new Set(['stream_options']);

/** The request, or an `ApiError` that names the invalid or unsupported parameter. */
export function parseCompletionRequest(body: unknown): CompletionRequest {
  const given = dropNulls(requireObject(body), STRUCTURED) as Record<string, unknown>;
  const { n, best_of } = given;
  refuseFeatures(given, FEATURES, n !== undefined && n === best_of ? new Set(['best_of']) : new Set());
  const request = parseRequest(completionRequest, given);
  const { prompt } = request;
  const count = typeof prompt === 'string' || typeof prompt[0] === 'number' ? 1 : prompt.length;
  if (count * (request.n ?? 1) > MOST_CHOICES)
    throw new ApiError('invalid_value', `\`n\`: at most ${MOST_CHOICES} answers at once, for all prompts.`, {
      param: 'n',
    });
  return request;
}
