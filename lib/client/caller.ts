// One HTTP call: address, headers, body, and what came back. It knows of no schema; who calls may read the answer
// through one.
import {
  ApiError,
  type ClientErrorCode,
  type Endpoint,
  type ErrorCode,
  fillPath,
} from '../contract/index.js';
import { responseError, unexpectedResponse } from './response-error.js';
import { limitSilence, SilenceError } from './silence.js';
import type { TimeLimits } from './time-limits.js';

/** What fetch takes as a body. */
export type RequestBody = NonNullable<RequestInit['body']>;

export interface CallInput {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | undefined>>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is. */
  bytes?: RequestBody;
  headers?: Readonly<Record<string, string>>;
  /** A status that is an answer too, and not an error. */
  accepts?: number;
  signal?: AbortSignal | undefined;
  /** For the first byte of the answer; null where only what carries the call knows how far it is. */
  answerMs?: number | null;
}

export interface CallerOptions {
  baseUrl: string;
  /** Sent with every call. */
  headers: Readonly<Record<string, string>>;
  fetch: typeof fetch;
  /** How to say that nobody answers at `baseUrl`. */
  unreachable: { code: ErrorCode | ClientErrorCode; who: string; hint: string };
  limits: Pick<TimeLimits, 'answerMs' | 'idleMs'>;
}

export interface Caller {
  /** The response, checked to be a success; an `ApiError` otherwise. */
  send(endpoint: Endpoint, input?: CallInput): Promise<Response>;
  /** The JSON that is answered, as `read` takes it. */
  json<T>(endpoint: Endpoint, input: CallInput, read: (value: unknown) => T): Promise<T>;
}

export function createCaller(options: CallerOptions): Caller {
  assertSendable(options.headers);
  const known = new Map<string, { etag: string; value: unknown }>();

  async function send(endpoint: Endpoint, input: CallInput = {}): Promise<Response> {
    const response = await exchange(endpoint, input);
    if (response.status === 304 || response.ok || response.status === input.accepts) return response;
    throw await responseError(limitSilence(response, options.limits.idleMs), endpoint);
  }

  async function exchange(endpoint: Endpoint, input: CallInput): Promise<Response> {
    const { answerMs = options.limits.answerMs } = input;
    const late = new AbortController();
    const timer = answerMs === null ? undefined : setTimeout(() => late.abort(), answerMs);
    const signal = input.signal ? AbortSignal.any([input.signal, late.signal]) : late.signal;
    try {
      return await options.fetch(
        addressOf(options.baseUrl, endpoint, input),
        toRequestInit(endpoint, { ...input, signal }, options.headers),
      );
    } catch (cause) {
      input.signal?.throwIfAborted();
      if (late.signal.aborted)
        throw unreachableError(options, `no answer came for ${answerMs! / 1000} s`, cause);
      // Who gave us their own fetch may have said already what is wrong.
      throw cause instanceof ApiError ? cause : unreachableError(options, reasonOf(cause), cause);
    } finally {
      clearTimeout(timer);
    }
  }

  /** An answer that did not change is the very object of the last time, so that nothing is drawn again for it. */
  async function json<T>(endpoint: Endpoint, input: CallInput, read: (value: unknown) => T): Promise<T> {
    const address = addressOf(options.baseUrl, endpoint, input);
    const last = endpoint.method === 'GET' ? known.get(address) : undefined;
    const response = await send(endpoint, {
      ...input,
      headers: { ...input.headers, ...(last && { 'if-none-match': last.etag }) },
    });
    if (response.status === 304 && last) return last.value as T;
    const document = limitSilence(response, options.limits.idleMs);
    const value = read(await readJson(document, endpoint, input.signal));
    const etag = response.headers.get('etag');
    if (etag && endpoint.method === 'GET') known.set(address, { etag, value });
    return value;
  }

  return { send, json };
}

/** Said here, without the value: fetch would quote it. */
function assertSendable(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\x20-\x7e]*$/.test(value))
      throw new TypeError(`The ${name} cannot be sent: it has characters that no token has.`);
  }
}

function toRequestInit(
  { method }: Endpoint,
  { json, bytes, headers, signal }: CallInput,
  ownHeaders: Readonly<Record<string, string>>,
): RequestInit {
  return {
    method,
    headers: {
      ...ownHeaders,
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...(bytes !== undefined && { 'content-type': 'application/octet-stream' }),
      ...headers,
    },
    // A token must not follow a redirect to where it was not issued.
    redirect: 'manual',
    ...(json !== undefined && { body: JSON.stringify(json) }),
    ...(bytes !== undefined && { body: bytes }),
    ...(bytes instanceof ReadableStream && { duplex: 'half' }),
    ...(signal && { signal }),
  };
}

function addressOf(baseUrl: string, endpoint: Endpoint, { params, query = {} }: CallInput): string {
  const url = new URL(baseUrl.replace(/\/+$/, '') + fillPath(endpoint.path, params));
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}

async function readJson(response: Response, endpoint: Endpoint, signal?: AbortSignal): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    signal?.throwIfAborted();
    const what = cause instanceof SilenceError ? 'a part of an answer' : 'something that is not JSON';
    throw unexpectedResponse(response, endpoint, what, cause);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  ETIMEDOUT: 'it did not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'it did not answer in time',
};

function unreachableError({ baseUrl, unreachable }: CallerOptions, reason: string, cause: unknown): ApiError {
  const { code, who, hint } = unreachable;
  return new ApiError(code, `Cannot reach ${who} at ${baseUrl}: ${reason}. ${hint}`, { cause });
}

function reasonOf(cause: unknown): string {
  const { code, message } = innermost(cause);
  return REASONS[code ?? ''] ?? message ?? 'the connection failed';
}

/** Node's fetch hides the reason in `cause`, and in `errors` when it tried several addresses. */
export function innermost(error: unknown): { code?: string; message?: string } {
  let inner = error as { code?: string; message?: string; cause?: unknown; errors?: unknown[] };
  while (inner.cause ?? inner.errors?.[0]) inner = (inner.cause ?? inner.errors?.[0]) as typeof inner;
  return inner;
}
