// OpenAI's format for embeddings.
import * as z from 'zod/mini';
import { prompts } from './prompts.js';
import { dropNulls, requireObject } from './published-format.js';
import { positiveInteger, step } from './text.js';
import { parseRequest } from './validate.js';

/** The limit in the published format. */
const MOST_INPUTS = 2048;

/** Unknown fields are accepted and ignored. */
export const embeddingRequest = z.looseObject({
  model: z.optional(z.unknown()),
  input: prompts(MOST_INPUTS),
  encoding_format: z.optional(z.enum(['float', 'base64'])),
  /** Only the first ones, normalized again. */
  dimensions: z.optional(positiveInteger),
});

export type EmbeddingRequest = z.output<typeof embeddingRequest>;

export const embeddingList = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({
      object: z.literal('embedding'),
      index: step,
      /** Base64 has 32-bit floats, the lowest byte first. */
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
