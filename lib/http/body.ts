// Reads request bodies: checks their type, and enforces size limits whatever Content-Length says. JSON may be compressed.
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { type Clock, realClock, within } from '../clock/index.js';
import { ApiError, emptyBody, parseRequest } from '../contract/index.js';
import { createJsonGauge } from './json-gauge.js';
import { SERVER_LIMITS } from './server-limits.js';

const JSON_BODY_LIMIT = 4 * 1024 ** 2;
/** In bytes; the limit also applies to resumable uploads. */
export const UPLOAD_LIMIT = 2 * 1024 ** 3;
const DISCARD_LIMIT = 64 * 1024 ** 2;

export interface BodyOptions {
  /** The largest upload in bytes. Default: 2 GiB. */
  uploadLimit?: number | undefined;
  /** Tracks how long a caller pauses while its body is read. */
  clock?: Clock | undefined;
}

/** The parsed JSON body, at most 4 MiB before and after decompression. */
export async function readJson(request: Request, options?: BodyOptions): Promise<unknown> {
  requireMediaType(request, 'application/json');
  return parseJson(await readJsonBytes(request, options));
}

/** The same for a body that may be left out, which is then `{}`. Over a socket, that is a body without bytes. */
export async function readOptionalJson(request: Request, options?: BodyOptions): Promise<unknown> {
  const bytes = await readJsonBytes(request, options);
  if (bytes.byteLength === 0) return {};
  requireMediaType(request, 'application/json');
  return parseJson(bytes);
}

/** For routes without a body: rejects a meaningful one, which would otherwise be silently ignored. */
export async function refuseBody(request: Request, options?: BodyOptions): Promise<void> {
  const bytes = await readJsonBytes(request, options);
  if (new TextDecoder().decode(bytes).trim() !== '') parseRequest(emptyBody, parseJson(bytes));
}

/** Limits the body to what can be parsed without blocking other callers. */
async function readJsonBytes(request: Request, options?: BodyOptions): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const gauge = createJsonGauge();
  for await (const chunk of decode(request, limitBody(request, JSON_BODY_LIMIT, options))) {
    gauge.push(chunk);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const DECODERS: ReadonlyMap<string, () => Transform> = new Map<string, () => Transform>([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

/** The body's bytes without their content coding. What a small body decompresses to is limited, too. */
async function* decode(
  { headers }: Request,
  coded: ReadableStream<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const coding = headers.get('content-encoding')?.trim().toLowerCase() || 'identity';
  if (coding === 'identity') return yield* coded;
  const decoder = DECODERS.get(coding)?.();
  if (!decoder) throw unknownCoding(coding);
  // Errors reach the decoder, too, which is read here.
  pipeline(coded, decoder).catch(() => {});
  let total = 0;
  try {
    for await (const chunk of decoder as AsyncIterable<Uint8Array>) {
      total += chunk.byteLength;
      if (total > JSON_BODY_LIMIT) throw tooLarge(JSON_BODY_LIMIT);
      yield chunk;
    }
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    throw new ApiError('invalid_value', `The body is not valid \`${coding}\`.`, { cause });
  }
}

function unknownCoding(coding: string): ApiError {
  const known = [...DECODERS.keys()].join(', ');
  return new ApiError(
    'unsupported_media_type',
    `Content-Encoding is \`${coding.slice(0, 40)}\`, but a body may be compressed with ${known} only.`,
    { headers: { 'accept-encoding': known } },
  );
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch (cause) {
    throw new ApiError('invalid_json', 'The body must be valid JSON in UTF-8.', { cause });
  }
}

/** The raw body of an upload, as a stream that fails beyond the limit. */
export function requireOctets(request: Request, options: BodyOptions = {}): ReadableStream<Uint8Array> {
  requireMediaType(request, 'application/octet-stream');
  return limitUpload(request, options);
}

/** The same for a body of any type. */
export function limitUpload(request: Request, options: BodyOptions = {}): ReadableStream<Uint8Array> {
  return limitBody(request, options.uploadLimit ?? UPLOAD_LIMIT, options);
}

/**
 * The body's bytes, up to `limit`. Beyond it, before or while reading, throws an `ApiError` with status 413; with
 * status 408 if the caller stops sending.
 */
function limitBody(
  request: Request,
  limit: number,
  { clock = realClock }: BodyOptions = {},
): ReadableStream<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit);
  // Node drops an untouched body after the response. A body that was touched holds up the next request on the connection
  // until it is read or discarded.
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  let total = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        reader ??= (request.body ?? noBytes()).getReader();
        const { done, value } = await readInTime(reader, clock);
        if (done) return controller.close();
        total += value.byteLength;
        if (total <= limit) return controller.enqueue(value);
        void discard(reader);
        controller.error(tooLarge(limit));
      },
      // A slow sender must not delay the refusal.
      cancel: () => void (reader && discard(reader)),
    },
    { highWaterMark: 0 },
  );
}

/** Time that we leave bytes unread does not count, so that callers are not cut off because we are slow. */
function readInTime(reader: ReadableStreamDefaultReader<Uint8Array>, clock: Clock) {
  const late = () => {
    throw stoppedSending();
  };
  return within(reader.read(), SERVER_LIMITS.bodyIdleMs, late, clock);
}

/**
 * Reads and discards the rest of a caller's body, because cutting the connection would lose the refusal. Callers who send
 * far too much are cut off.
 */
async function discard(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    for (let left = DISCARD_LIMIT; left > 0; ) {
      const { done, value } = await reader.read();
      if (done) return;
      left -= value.byteLength;
    }
    await reader.cancel();
  } catch {
    // The caller left first.
  }
}

export function requireMediaType(request: Request, wanted: string): void {
  const given = request.headers.get('content-type');
  if (given?.split(';')[0]?.trim().toLowerCase() === wanted) return;
  const what = given ? `\`${given}\`` : 'nothing';
  throw new ApiError(
    'unsupported_media_type',
    `The body must be sent as \`${wanted}\`, but Content-Type is ${what}.`,
  );
}

function noBytes(): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: controller => controller.close() });
}

function tooLarge(limit: number): ApiError {
  const size = limit >= 1024 ** 3 ? `${limit / 1024 ** 3} GiB` : `${limit / 1024 ** 2} MiB`;
  return new ApiError('body_too_large', `The body is larger than ${size}.`);
}

/** The rest of the body may still arrive, so the connection cannot carry another request. */
function stoppedSending(): ApiError {
  const seconds = SERVER_LIMITS.bodyIdleMs / 1000;
  return new ApiError('request_timeout', `No body data arrived for ${seconds} s.`, {
    headers: { connection: 'close' },
  });
}
