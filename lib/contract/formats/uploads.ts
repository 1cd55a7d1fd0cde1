// Uploads in OpenAI's format: a file that arrives in parts, side by side and in any order.
import * as z from 'zod/mini';
import { defineRoutes, json } from '../route.js';
import { boundList, textLike } from '../text.js';
import { parseRequest } from '../validate.js';
import { expiresAfter, fileObject, uploadPurpose } from './openai-files.js';
import { dropNulls, requireObject } from './published-format.js';

const MOST_BYTES = 2 * 1024 ** 3;
/** Of a file. */
export const MOST_UPLOAD_PARTS = 10_000;

const uploadRequest = z.looseObject({
  bytes: z.int().check(z.gte(1), z.lte(MOST_BYTES)),
  filename: z.string().check(z.minLength(1)),
  /** Says nothing that svc needs. */
  mime_type: z.string(),
  purpose: uploadPurpose,
  expires_after: z.optional(expiresAfter),
});

const partIds = z.array(z.string()).check(z.minLength(1), z.maxLength(MOST_UPLOAD_PARTS));

const completion = z.looseObject({
  part_ids: boundList(partIds, MOST_UPLOAD_PARTS),
  md5: z.optional(textLike(/^[0-9a-f]{32}$/i, 'an MD5 digest of 32 hexadecimal digits')),
});

const STRUCTURED = new Set<string>();
const withoutNulls = (body: unknown) => dropNulls(requireObject(body), STRUCTURED);

export const parseUploadRequest = (body: unknown) => parseRequest(uploadRequest, withoutNulls(body));
export const parseUploadCompletion = (body: unknown) => parseRequest(completion, withoutNulls(body));

export type UploadRequest = z.output<typeof uploadRequest>;

const upload = z.object({
  id: z.string(),
  object: z.literal('upload'),
  bytes: z.int(),
  /** Unix seconds. */
  created_at: z.int(),
  expires_at: z.int(),
  filename: z.string(),
  purpose: uploadPurpose,
  status: z.enum(['pending', 'completed', 'cancelled', 'expired']),
  /** Null until it is completed, and once the file was deleted. */
  file: z.nullable(fileObject),
});

export type Upload = z.output<typeof upload>;

const uploadPart = z.object({
  id: z.string(),
  object: z.literal('upload.part'),
  created_at: z.int(),
  upload_id: z.string(),
});

export const uploadRoutes = defineRoutes({
  createUpload: {
    method: 'POST',
    path: '/openai/v1/uploads',
    summary: 'Begins a file that arrives in parts, within an hour.',
    body: uploadRequest,
    response: json(upload),
  },
  addUploadPart: {
    method: 'POST',
    path: '/openai/v1/uploads/:id/parts',
    summary: 'Adds a part of up to 64 MiB. Parts may arrive side by side and in any order.',
    body: { file: 'data', fields: z.object({}) },
    response: json(uploadPart),
  },
  completeUpload: {
    method: 'POST',
    path: '/openai/v1/uploads/:id/complete',
    summary: 'Makes a file of the parts, in the order given.',
    body: completion,
    response: json(upload),
  },
  cancelUpload: {
    method: 'POST',
    path: '/openai/v1/uploads/:id/cancel',
    summary: 'Deletes the parts of an upload that was not completed.',
    response: json(upload),
  },
});
