// Files in OpenAI's format: a project's names for data sets and other content, and the results of its jobs.
import * as z from 'zod/mini';
import { defineRoutes, json } from '../route.js';
import { parseRequest } from '../validate.js';
import { page, pageCursor, pageLimit, pageOrder } from './lists.js';

/** The purposes that a file can be uploaded with. */
export const UPLOAD_PURPOSES = ['fine-tune', 'batch', 'user_data', 'evals'] as const;

/** Those of stored files: a batch writes files, too. */
export const STORED_PURPOSES = [...UPLOAD_PURPOSES, 'batch_output'] as const;

const FILE_PURPOSES = [...STORED_PURPOSES, 'fine-tune-results'] as const;

export const fileObject = z.object({
  id: z.string(),
  object: z.literal('file'),
  bytes: z.int(),
  /** Unix seconds. */
  created_at: z.int(),
  filename: z.string(),
  purpose: z.enum(FILE_PURPOSES),
  /** Always this value, since unusable data is refused on upload. */
  status: z.literal('processed'),
  /** Unix seconds. Missing if the file is kept until it is deleted. */
  expires_at: z.optional(z.int()),
});

export type FileObject = z.output<typeof fileObject>;

const deletedFile = z.object({ id: z.string(), object: z.literal('file'), deleted: z.literal(true) });

const MOST_FILES = 10_000;

export const filesQuery = z.object({
  purpose: z.optional(z.string()),
  limit: pageLimit(MOST_FILES),
  order: pageOrder,
  after: pageCursor,
});

const DAY_SECONDS = 24 * 60 * 60;
/** Files for batches, and those that batches write, expire after this time unless the request says otherwise. */
export const BATCH_FILE_SECONDS = 30 * DAY_SECONDS;

/** When a file is deleted, from its creation on. */
export const expiresAfter = z.object({
  anchor: z.literal('created_at'),
  seconds: z.int().check(z.gte(60 * 60), z.lte(30 * DAY_SECONDS)),
});

export const uploadPurpose = z.enum(UPLOAD_PURPOSES);

/** The form's fields next to `file`. */
const fileFields = z.object({ purpose: uploadPurpose, expires_after: z.optional(expiresAfter) });

export type FileFields = z.output<typeof fileFields>;

const EXPIRY_FIELD = /^expires_after\[(\w+)\]$/;

/**
 * Throws an `ApiError` for an unknown purpose, and once the form is complete, for any invalid or missing field. Null until
 * then.
 */
export function readFileFields(
  given: Readonly<Record<string, string>>,
  isComplete: boolean,
): FileFields | null {
  const { purpose } = given;
  if (purpose !== undefined) parseRequest(z.object({ purpose: uploadPurpose }), { purpose });
  if (!isComplete) return null;
  const expiry = Object.entries(given).flatMap(([name, value]) => {
    const field = EXPIRY_FIELD.exec(name)?.[1];
    return field === undefined ? [] : [[field, field === 'seconds' ? Number(value) : value]];
  });
  return parseRequest(fileFields, {
    purpose,
    ...(expiry.length > 0 && { expires_after: Object.fromEntries(expiry) }),
  });
}

export const fileRoutes = defineRoutes({
  uploadFile: {
    method: 'POST',
    path: '/openai/v1/files',
    summary:
      'Uploads rows to train on, the requests of a batch, or any other data. Identical bytes are stored once.',
    body: { file: 'file', fields: fileFields },
    response: json(fileObject),
  },
  listFiles: {
    method: 'GET',
    path: '/openai/v1/files',
    summary: "Lists the project's files, the newest first.",
    query: filesQuery,
    response: json(page(fileObject)),
  },
  getFile: {
    method: 'GET',
    path: '/openai/v1/files/:id',
    summary: 'Returns a file, which may be the result file of a job.',
    response: json(fileObject),
  },
  getFileContent: {
    method: 'GET',
    path: '/openai/v1/files/:id/content',
    summary: 'Downloads a file.',
    response: { kind: 'bytes', mediaType: 'application/octet-stream' },
  },
  deleteFile: {
    method: 'DELETE',
    path: '/openai/v1/files/:id',
    summary: 'Deletes a file that no unfinished job or batch was created with.',
    response: json(deletedFile),
  },
});
