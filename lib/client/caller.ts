// One HTTP call of a route: address, headers, body, and what came back, in the shapes of the contract.

import {
  type Answer,
  ApiError,
  type ClientErrorCode,
  type ErrorCode,
  fillPath,
  parseAnswer,
  type Route,
  type Schema,
  type Shape,
} from '../contract/index.js';
import { responseError, unexpectedResponse } from './response-error.js';

/** What fetch takes as a body. */
export type RequestBody = NonNullable<RequestInit['body']>;

export interface CallInput {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | undefined>>;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal | undefined;
}

export interface CallerOptions {
  baseUrl: string;
  /** Sent with every call. */
  headers: Readonly<Record<string, string>>;
  fetch: typeof fetch;
  /** How to say that nobody answers at `baseUrl`. */
  unreachable: { code: ErrorCode | ClientErrorCode; who: string; hint: string };
}

type JsonRoute<S extends Schema> = Route & { answer: Extract<Answer, { kind: 'json' }> & { schema: S } };

export interface Caller {
  /** The response, checked to be a success; an `ApiError` otherwise. */
  send(route: Route, input?: CallInput): Promise<Response>;
  /** The answer of a JSON route, in its shape. */
  json<const S extends Schema>(route: JsonRoute<S>, input?: CallInput): Promise<Shape<S>>;
}

export function createCaller(options: CallerOptions): Caller {
  const known = new Map<string, { etag: string; value: unknown }>();

  async function send(route: Route, input: CallInput = {}): Promise<Response> {
    const response = await exchange(route, input);
    if (response.status === 304 || response.ok) return response;
    throw await responseError(response, route);
  }

  async function exchange(route: Route, input: CallInput): Promise<Response> {
    try {
      return await options.fetch(addressOf(options.baseUrl, route, input), toRequestInit(route, input));
    } catch (cause) {
      input.signal?.throwIfAborted();
      throw unreachableError(options, cause);
    }
  }

  function toRequestInit(route: Route, { body, headers, signal }: CallInput): RequestInit {
    const isJson = route.body !== undefined && route.body !== 'bytes';
    return {
      method: route.method,
      headers: {
        ...options.headers,
        ...(isJson && { 'content-type': 'application/json' }),
        ...(route.body === 'bytes' && { 'content-type': 'application/octet-stream' }),
        ...headers,
      },
      // A token must not follow a redirect to where it was not issued.
      redirect: 'manual',
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as RequestBody) }),
      ...(body instanceof ReadableStream && { duplex: 'half' }),
      ...(signal && { signal }),
    };
  }

  /** An answer that did not change is the very object of the last time, so that nothing is drawn again for it. */
  async function json<const S extends Schema>(route: JsonRoute<S>, input: CallInput = {}) {
    const address = addressOf(options.baseUrl, route, input);
    const last = route.method === 'GET' ? known.get(address) : undefined;
    const response = await send(route, {
      ...input,
      headers: { ...input.headers, ...(last && { 'if-none-match': last.etag }) },
    });
    if (response.status === 304 && last) return last.value as Shape<S>;
    const what = `${route.method} ${route.path}`;
    const value = parseAnswer(route.answer.schema, await readJson(response, route, input.signal), what);
    const etag = response.headers.get('etag');
    if (etag && route.method === 'GET') known.set(address, { etag, value });
    return value;
  }

  return { send, json };
}

function addressOf(baseUrl: string, route: Route, { params, query = {} }: CallInput): string {
  const url = new URL(baseUrl.replace(/\/+$/, '') + fillPath(route.path, params));
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}

async function readJson(response: Response, route: Route, signal?: AbortSignal): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    signal?.throwIfAborted();
    throw unexpectedResponse(response, route, 'something that is not JSON', cause);
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

function unreachableError({ baseUrl, unreachable }: CallerOptions, cause: unknown): ApiError {
  const { code, message } = innermost(cause);
  const reason = REASONS[code ?? ''] ?? message ?? 'the connection failed';
  return new ApiError(
    unreachable.code,
    `Cannot reach ${unreachable.who} at ${baseUrl}: ${reason}. ${unreachable.hint}`,
    { cause },
  );
}

/** Node's fetch hides the reason in `cause`, and in `errors` when it tried several addresses. */
function innermost(error: unknown): { code?: string; message?: string } {
  let inner = error as { code?: string; message?: string; cause?: unknown; errors?: unknown[] };
  while (inner.cause ?? inner.errors?.[0]) inner = (inner.cause ?? inner.errors?.[0]) as typeof inner;
  return inner;
}
