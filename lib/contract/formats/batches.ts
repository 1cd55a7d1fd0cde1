// Batches in OpenAI's format: the requests of a file, answered while no other request needs the model.
import * as z from 'zod/mini';
import { defineRoutes, json } from '../route.js';
import { step } from '../text.js';
import { parseRequest } from '../validate.js';
import { page, pageCursor, pageLimit } from './lists.js';
import { expiresAfter } from './openai-files.js';
import { dropNulls, metadata, requireObject } from './published-format.js';

/** What the requests of a batch can be for, each with its operation. */
export const BATCH_ENDPOINTS = {
  '/v1/chat/completions': 'completeChat',
  '/v1/completions': 'createCompletion',
  '/v1/embeddings': 'createEmbeddings',
  '/v1/responses': 'createResponse',
} as const;

export type BatchEndpoint = keyof typeof BATCH_ENDPOINTS;

export const BATCH_STATUSES = [
  'validating',
  'failed',
  'in_progress',
  'finalizing',
  'completed',
  'expired',
  'cancelling',
  'cancelled',
] as const;

export type BatchStatus = (typeof BATCH_STATUSES)[number];

const ENDED: ReadonlySet<BatchStatus> = new Set(['failed', 'completed', 'expired', 'cancelled']);

export const UNFINISHED_BATCHES = BATCH_STATUSES.filter(status => !ENDED.has(status));

const batchRequest = z.looseObject({
  input_file_id: z.string().check(z.minLength(1)),
  endpoint: z.enum(Object.keys(BATCH_ENDPOINTS) as BatchEndpoint[]),
  completion_window: z.literal('24h'),
  metadata: z.optional(metadata),
  output_expires_after: z.optional(expiresAfter),
});

export type BatchRequest = z.output<typeof batchRequest>;

const STRUCTURED = new Set<string>();

/** The request, or an `ApiError` that names the invalid parameter. */
export function parseBatchRequest(body: unknown): BatchRequest {
  return parseRequest(batchRequest, dropNulls(requireObject(body), STRUCTURED));
}

/** A line of the input. Its other fields are ignored, as in the API. */
const batchLine = z.looseObject({
  custom_id: z.string().check(z.minLength(1), z.maxLength(512)),
  method: z.literal('POST'),
  url: z.string(),
  body: z.record(z.string(), z.unknown()),
});

export type BatchLine = z.output<typeof batchLine>;

export function parseBatchLine(line: unknown): BatchLine {
  return parseRequest(batchLine, line);
}

const batchError = z.object({
  code: z.string(),
  message: z.string(),
  param: z.nullable(z.string()),
  /** Counts from 1. */
  line: z.nullable(z.int()),
});

export type BatchError = z.output<typeof batchError>;

const batchUsage = z.object({
  input_tokens: step,
  input_tokens_details: z.object({ cached_tokens: step }),
  output_tokens: step,
  output_tokens_details: z.object({ reasoning_tokens: step }),
  total_tokens: step,
});

export type BatchUsage = z.output<typeof batchUsage>;

const seconds = z.exactOptional(z.int());

const batch = z.object({
  id: z.string(),
  object: z.literal('batch'),
  endpoint: z.string(),
  /** Missing if the requests name several, and before they were read. */
  model: z.exactOptional(z.string()),
  errors: z.exactOptional(z.object({ object: z.literal('list'), data: z.array(batchError) })),
  input_file_id: z.string(),
  completion_window: z.literal('24h'),
  status: z.enum(BATCH_STATUSES),
  output_file_id: z.exactOptional(z.string()),
  error_file_id: z.exactOptional(z.string()),
  /** Unix seconds, as all of these times. */
  created_at: z.int(),
  expires_at: z.int(),
  in_progress_at: seconds,
  finalizing_at: seconds,
  completed_at: seconds,
  failed_at: seconds,
  expired_at: seconds,
  cancelling_at: seconds,
  cancelled_at: seconds,
  request_counts: z.object({ total: step, completed: step, failed: step }),
  /** Once it has ended. */
  usage: z.exactOptional(batchUsage),
  metadata: z.nullable(z.record(z.string(), z.string())),
});

export type Batch = z.output<typeof batch>;

export const batchesQuery = z.object({ limit: pageLimit(100), after: pageCursor });

export const batchRoutes = defineRoutes({
  createBatch: {
    method: 'POST',
    path: '/openai/v1/batches',
    idempotencyKey: true,
    summary: 'Answers the requests of an uploaded file while no other request needs the model.',
    body: batchRequest,
    response: json(batch),
  },
  listBatches: {
    method: 'GET',
    path: '/openai/v1/batches',
    summary: "Lists the project's batches, the newest first.",
    query: batchesQuery,
    response: json(page(batch)),
  },
  getBatch: {
    method: 'GET',
    path: '/openai/v1/batches/:id',
    summary: 'Returns a batch.',
    response: json(batch),
  },
  cancelBatch: {
    method: 'POST',
    path: '/openai/v1/batches/:id/cancel',
    summary: 'Ends a batch early. What has been answered is in its files.',
    response: json(batch),
  },
});
