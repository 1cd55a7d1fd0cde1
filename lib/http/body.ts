// Request bodies: of the right type, and never larger than was agreed, whatever Content-Length says.
import { ApiError, emptyBody, parseRequest } from '../contract/index.js';
import { createJsonGauge } from './json-gauge.js';
import { SERVER_LIMITS } from './server-limits.js';

const JSON_BODY_LIMIT = 4 * 1024 ** 2;
const UPLOAD_LIMIT = 2 * 1024 ** 3;
const DISCARD_LIMIT = 64 * 1024 ** 2;

export interface BodyOptions {
  /** How long a caller may pause while its body is read. */
  idleMs?: number | undefined;
  /** The most bytes of an upload; 2 GiB unless given. */
  uploadLimit?: number | undefined;
}

/** The parsed JSON body, at most 4 MiB of it. */
export async function readJson(request: Request, options?: BodyOptions): Promise<unknown> {
  requireMediaType(request, 'application/json');
  return parseJson(await readJsonBytes(request, options));
}

/** For what takes no body: one that says something would be passed over in silence, so it is refused. */
export async function refuseBody(request: Request, options?: BodyOptions): Promise<void> {
  const bytes = await readJsonBytes(request, options);
  if (new TextDecoder().decode(bytes).trim() !== '') parseRequest(emptyBody, parseJson(bytes));
}

/** Not more than can be parsed at once without keeping others waiting. */
async function readJsonBytes(request: Request, options?: BodyOptions): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const gauge = createJsonGauge();
  for await (const chunk of limitBody(request, JSON_BODY_LIMIT, options)) {
    gauge.push(chunk);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch (cause) {
    throw new ApiError('invalid_json', 'The body must be valid JSON in UTF-8.', { cause });
  }
}

/** The raw body of an upload, as a stream that fails once it is larger than the limit. */
export function requireOctets(request: Request, options: BodyOptions = {}): ReadableStream<Uint8Array> {
  requireMediaType(request, 'application/octet-stream');
  return limitBody(request, options.uploadLimit ?? UPLOAD_LIMIT, options);
}

/**
 * The body's bytes, up to `limit`; beyond it, before or while reading, an `ApiError` of status 413. One of status 408
 * when the caller stops sending.
 */
function limitBody(
  request: Request,
  limit: number,
  { idleMs = SERVER_LIMITS.bodyIdleMs }: BodyOptions = {},
): ReadableStream<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw tooLarge(limit);
  const reader = (request.body ?? noBytes()).getReader();
  let total = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await readInTime(reader, idleMs);
        if (done) return controller.close();
        total += value.byteLength;
        if (total <= limit) return controller.enqueue(value);
        void discard(reader);
        controller.error(tooLarge(limit));
      },
      // A sender that takes its time must not keep whoever refused the body from saying so.
      cancel: () => void discard(reader),
    },
    { highWaterMark: 0 },
  );
}

/** The time that we leave bytes lying does not count, so that no one is cut off because we are slow. */
async function readInTime(reader: ReadableStreamDefaultReader<Uint8Array>, idleMs: number) {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(stoppedSending(idleMs)), idleMs);
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Reads on and throws away what a caller still sends: cutting the connection would take the refusal with it. Who sends
 * far more than that is cut off.
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
    // The caller went away first.
  }
}

function requireMediaType(request: Request, wanted: string): void {
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

/** The rest of that body may still come, so the connection cannot carry another request. */
function stoppedSending(idleMs: number): ApiError {
  return new ApiError('request_timeout', `No body data arrived for ${idleMs / 1000} s.`, {
    headers: { connection: 'close' },
  });
}
