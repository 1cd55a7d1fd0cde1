// Files in OpenAI's format: a project's names for data sets, and the results of its jobs.
import * as z from 'zod/mini';
import { ApiError } from '../errors.js';
import { defineRoutes, json } from '../route.js';
import { unsupported } from './published-format.js';

const FILE_PURPOSES = ['fine-tune', 'fine-tune-results'] as const;

const fileObject = z.object({
  id: z.string(),
  object: z.literal('file'),
  bytes: z.int(),
  /** Unix seconds. */
  created_at: z.int(),
  filename: z.string(),
  purpose: z.enum(FILE_PURPOSES),
  /** Always this value, since unusable data is refused on upload. */
  status: z.literal('processed'),
});

export type FileObject = z.output<typeof fileObject>;

const deletedFile = z.object({ id: z.string(), object: z.literal('file'), deleted: z.literal(true) });

/** A page of a list. The next one starts after the last ID. */
export function page<const S extends z.ZodMiniType>(item: S) {
  return z.object({
    object: z.literal('list'),
    data: z.array(item),
    first_id: z.nullable(z.string()),
    last_id: z.nullable(z.string()),
    has_more: z.boolean(),
  });
}

export function pageLimit(most: number) {
  return z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(most)));
}

/** The ID that the page starts after. */
export const pageCursor = z.optional(z.string().check(z.minLength(1)));

const MOST_FILES = 10_000;

export const filesQuery = z.object({
  purpose: z.optional(z.string()),
  limit: pageLimit(MOST_FILES),
  order: z.optional(z.enum(['asc', 'desc'])),
  after: pageCursor,
});

/** The form's fields next to `file`. */
const fileFields = z.object({ purpose: z.literal('fine-tune') });

/** Throws an `ApiError` for unsupported fields, and once the form is complete, for missing ones. */
export function checkFileFields(fields: Readonly<Record<string, string>>, isComplete: boolean): void {
  if (Object.keys(fields).some(name => /^expires_after(?:\[|$)/.test(name)))
    throw unsupported('expires_after', 'files are kept until you delete them');
  const { purpose } = fields;
  if (purpose === 'fine-tune' || (purpose === undefined && !isComplete)) return;
  const message =
    purpose === undefined
      ? '`purpose` is required.'
      : `\`purpose\`: \`${purpose.slice(0, 100)}\` is not supported here; \`fine-tune\` is.`;
  throw new ApiError('invalid_value', message, { param: 'purpose' });
}

export const fileRoutes = defineRoutes({
  uploadFile: {
    method: 'POST',
    path: '/openai/v1/files',
    summary: 'Uploads rows to train on. Identical bytes are stored once.',
    body: { file: 'file', fields: fileFields },
    answer: json(fileObject),
  },
  listFiles: {
    method: 'GET',
    path: '/openai/v1/files',
    summary: "Lists the project's uploaded files, the newest first.",
    query: filesQuery,
    answer: json(page(fileObject)),
  },
  getFile: {
    method: 'GET',
    path: '/openai/v1/files/:id',
    summary: 'Returns a file, which may be the result file of a job.',
    answer: json(fileObject),
  },
  getFileContent: {
    method: 'GET',
    path: '/openai/v1/files/:id/content',
    summary: 'Downloads a file.',
    answer: { kind: 'bytes', mediaType: 'application/octet-stream' },
  },
  deleteFile: {
    method: 'DELETE',
    path: '/openai/v1/files/:id',
    summary: 'Deletes a file that no queued or running job was created with.',
    answer: json(deletedFile),
  },
});
