// OpenAI's formats for plain text: completions and embeddings, and the tokenizer routes for evaluation tools.
import * as z from 'zod/mini';
import { ApiError } from '../errors.js';
import { glance, positiveInteger, step } from '../text.js';
import { parseRequest } from '../validate.js';
import {
  choiceCount,
  dropNulls,
  logitBias,
  penalty,
  refuseFeatures,
  requireObject,
  seed,
  stop,
  temperature,
  topK,
  topP,
  usage,
} from './published-format.js';
import { ADVICE, REFUSED, streamOptions } from './settings.js';

/** A text, or its tokens. */
export type PromptInput = string | readonly number[];

export function toPromptList(
  given: string | readonly number[] | readonly string[] | readonly (readonly number[])[],
): PromptInput[] {
  if (typeof given === 'string') return [given];
  return typeof given[0] === 'number' ? [given as readonly number[]] : [...(given as readonly PromptInput[])];
}

/** More would be of no use, and reading them would block all other callers. */
const MOST_TOKENS = 65_536;

const tokenIds = z.array(z.int().check(z.gte(0), z.lte(2 ** 31 - 1)));

/**
 * At most this many texts, each as a string or as tokens. Tokens are checked first, since a list of numbers is the most
 * expensive to check twice.
 */
function prompts(most: number) {
  const any = z.union([z.string(), tokenIds, z.array(z.string()), z.array(tokenIds)]);
  return glance(any, (given, refuse) => {
    const [first] = given;
    const isOne = typeof first === 'number';
    const tokens = isOne ? [given] : given.filter(Array.isArray);
    const count = tokens.reduce((sum, ids) => sum + ids.length, 0);
    const isMixed = isOne ? !given.every(Number.isInteger) : given.some(one => typeof one !== typeof first);
    if (given.length === 0) refuse(custom('must not be empty'));
    else if (!isOne && given.length > most) refuse(custom(`must have at most ${most} texts`));
    else if (count > MOST_TOKENS)
      refuse(custom(`must have at most ${MOST_TOKENS.toLocaleString('en')} tokens`));
    else if (isMixed || !tokens.every(ids => ids.every(Number.isInteger)))
      refuse(custom('must have only strings, only whole numbers, or only lists of whole numbers'));
  });
}

const custom = (message: string) => ({ code: 'custom', message, input: undefined }) as const;

const tokenList = glance(tokenIds, (given, refuse) => {
  if (given.length > MOST_TOKENS)
    refuse(custom(`must have at most ${MOST_TOKENS.toLocaleString('en')} tokens`));
  else if (!given.every(Number.isInteger)) refuse(custom('must have only whole numbers'));
});

/** The number of prompts times the answers to each. */
const MOST_CHOICES = 256;

/** Unknown fields are accepted and ignored. */
export const completionRequest = z.looseObject({
  model: z.optional(z.unknown()),
  prompt: prompts(MOST_CHOICES),
  echo: z.optional(z.boolean()),
  logprobs: z.optional(z.int().check(z.gte(0), z.lte(20))),
  /** 0 with `echo` only scores the prompt. */
  max_tokens: z.optional(step),
  n: z.optional(choiceCount),
  stop: z.optional(stop),
  seed: z.optional(seed),
  temperature: z.optional(temperature),
  top_p: z.optional(topP),
  top_k: z.optional(topK),
  frequency_penalty: z.optional(penalty),
  presence_penalty: z.optional(penalty),
  logit_bias: z.optional(logitBias),
  stream: z.optional(z.boolean()),
  stream_options: z.optional(streamOptions),
  ...ADVICE.completions,
});

export type CompletionRequest = z.output<typeof completionRequest>;

const logprobs = z.object({
  tokens: z.array(z.string()),
  /** The first token of a prompt has no log probability. */
  token_logprobs: z.array(z.nullable(z.number())),
  top_logprobs: z.array(z.nullable(z.record(z.string(), z.number()))),
  /** Each token's start, in characters. */
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

const STRUCTURED = new Set(['stream_options']);

/** The request, or an `ApiError` that names the invalid or unsupported parameter. */
export function parseCompletionRequest(body: unknown): CompletionRequest {
  const given = dropNulls(requireObject(body), STRUCTURED) as Record<string, unknown>;
  const { best_of, ...others } = given;
  refuseFeatures(best_of !== undefined && best_of === given.n ? others : given, REFUSED.completions);
  const request = parseRequest(completionRequest, given);
  const { prompt } = request;
  const count = typeof prompt === 'string' || typeof prompt[0] === 'number' ? 1 : prompt.length;
  if (count * (request.n ?? 1) > MOST_CHOICES)
    throw new ApiError('invalid_value', `\`n\`: at most ${MOST_CHOICES} answers at once, for all prompts.`, {
      param: 'n',
    });
  return request;
}

/** The limit in the published format. */
const MOST_INPUTS = 2048;

/** Unknown fields are accepted and ignored. */
export const embeddingRequest = z.looseObject({
  model: z.optional(z.unknown()),
  input: prompts(MOST_INPUTS),
  encoding_format: z.optional(z.enum(['float', 'base64'])),
  /** Keeps only the first dimensions, and normalizes again. */
  dimensions: z.optional(positiveInteger),
  ...ADVICE.embeddings,
});

export type EmbeddingRequest = z.output<typeof embeddingRequest>;

export const embeddingList = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({
      object: z.literal('embedding'),
      index: step,
      /** Base64 holds little-endian 32-bit floats. */
      embedding: z.union([z.array(z.number()), z.string()]),
    }),
  ),
  model: z.string(),
  usage: z.object({ prompt_tokens: step, total_tokens: step }),
});

export type EmbeddingList = z.output<typeof embeddingList>;

export function parseEmbeddingRequest(body: unknown): EmbeddingRequest {
  return parseRequest(embeddingRequest, dropNulls(requireObject(body), new Set()));
}

export const tokenizerInfo = z.object({
  bos_token: z.nullable(z.string()),
  eos_token: z.nullable(z.string()),
  pad_token: z.nullable(z.string()),
  /** A Jinja template. */
  chat_template: z.nullable(z.string()),
});

/** In UTF-16 units. More than fits in any context; the answer has a number per token. */
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
