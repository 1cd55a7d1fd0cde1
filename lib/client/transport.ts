// One HTTP call: URL, headers, body and response. Knows no schemas; callers can parse the response with one.
import { type Clock, realClock } from '../clock/index.js';
import {
  ApiError,
  applyJobChanges,
  CHANGES_STATUS,
  CHANGES_WANTED,
  type ClientErrorCode,
  type ErrorCode,
  errorType,
  fillPath,
  isLoopbackHost,
  type JobListChanges,
  type JobSummary,
  type RouteAddress,
  readEnvelope,
} from '../contract/index.js';
import { limitSilence, SilenceError, type TimeLimits } from './time-limits.js';

export type RequestBody = NonNullable<RequestInit['body']>;

export interface CallInput {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent unchanged. */
  bytes?: RequestBody;
  headers?: Readonly<Record<string, string>>;
  /** For a request that creates something. Default: a new one. */
  idempotencyKey?: string | undefined;
  /** A non-2xx status that is also a valid response. */
  accepts?: number;
  signal?: AbortSignal | undefined;
  /** Updates a known response from a response that contains only the changes. */
  changes?: ChangesReader | undefined;
  /** The time limit for the first byte of the response; null to leave it to the `fetch` in use. */
  answerMs?: number | null;
}

export interface ChangesReader {
  headers: Readonly<Record<string, string>>;
  status: number;
  /** Null if the changes do not apply to the known response. */
  apply(known: unknown, changes: unknown): unknown;
}

interface TransportOptions {
  baseUrl: string;
  /** Sent with every call. */
  headers: Readonly<Record<string, string>>;
  fetch: typeof fetch;
  /** The parts of the error for an unreachable `baseUrl`. */
  unreachable: { code: ErrorCode | ClientErrorCode; who: string; hint: string };
  limits: Pick<TimeLimits, 'answerMs' | 'idleMs'>;
  clock?: Clock | undefined;
}

export interface Transport {
  readonly clock: Clock;
  /** The response if successful; throws an `ApiError` otherwise. */
  send(route: RouteAddress, input?: CallInput): Promise<Response>;
  /** The JSON response, parsed by `read`. */
  json<T>(route: RouteAddress, input: CallInput, read: (value: unknown) => T): Promise<T>;
}

export function createTransport(options: TransportOptions): Transport {
  assertSendable(options.headers);
  const { limits, clock = realClock } = options;
  const known = new Map<string, { etag: string; value: unknown }>();

  async function send(route: RouteAddress, input: CallInput = {}): Promise<Response> {
    const response = await exchange(route, input);
    if (response.status === 304 || response.ok || response.status === input.accepts) return response;
    throw await responseError(limitSilence(response, limits.idleMs, clock), route);
  }

  async function exchange(route: RouteAddress, input: CallInput): Promise<Response> {
    const { answerMs = limits.answerMs } = input;
    const late = new AbortController();
    const timer = answerMs === null ? null : clock.after(answerMs, () => late.abort());
    const signal = input.signal ? AbortSignal.any([input.signal, late.signal]) : late.signal;
    try {
      return await options.fetch(
        addressOf(options.baseUrl, route, input),
        toRequestInit(route, { ...input, signal }, options.headers),
      );
    } catch (cause) {
      input.signal?.throwIfAborted();
      if (late.signal.aborted) throw unreachableError(options, `no answer for ${answerMs! / 1000} s`, cause);
      // A custom fetch may have explained the failure already.
      throw cause instanceof ApiError ? cause : unreachableError(options, reasonOf(cause), cause);
    } finally {
      timer?.stop();
    }
  }

  /** An unchanged response (304) returns the same object as last time, so that nothing is redrawn. */
  async function json<T>(route: RouteAddress, input: CallInput, read: (value: unknown) => T): Promise<T> {
    const address = addressOf(options.baseUrl, route, input);
    const last = route.method === 'GET' ? known.get(address) : undefined;
    const response = await send(route, {
      ...input,
      headers: {
        ...input.headers,
        ...(last && { 'if-none-match': last.etag, ...input.changes?.headers }),
      },
    });
    if (response.status === 304 && last) return last.value as T;
    const document = limitSilence(response, limits.idleMs, clock);
    const body = await readJson(document, route, input.signal);
    const changes = last && response.status === input.changes?.status ? input.changes : null;
    const value = changes ? changes.apply(last!.value, body) : read(body);
    if (changes && value === null) {
      known.delete(address);
      return json(route, input, read);
    }
    const etag = response.headers.get('etag');
    if (etag && route.method === 'GET') known.set(address, { etag, value });
    return value as T;
  }

  return { clock, send, json };
}

/** Checked here because fetch would quote the value in its error. */
function assertSendable(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\x20-\x7e]*$/.test(value)) throw new TypeError(`The ${name} header contains invalid characters.`);
  }
}

function toRequestInit(
  { method }: RouteAddress,
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
    // A token must not follow a redirect to another server.
    redirect: 'manual',
    ...(json !== undefined && { body: JSON.stringify(json) }),
    ...(bytes !== undefined && { body: bytes }),
    ...(bytes instanceof ReadableStream && { duplex: 'half' }),
    ...(signal && { signal }),
  };
}

function addressOf(baseUrl: string, route: RouteAddress, { params, query = {} }: CallInput): string {
  const url = new URL(baseUrl.replace(/\/+$/, '') + fillPath(route.path, params));
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, String(value));
  return url.href;
}

async function readJson(response: Response, route: RouteAddress, signal?: AbortSignal): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    signal?.throwIfAborted();
    const what = cause instanceof SilenceError ? 'an incomplete response' : 'something other than JSON';
    throw unexpectedResponse(response, route, what, cause);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection was lost',
  ENOTFOUND: 'unknown host name',
  EAI_AGAIN: 'the host name lookup failed',
  ETIMEDOUT: 'timed out',
  UND_ERR_CONNECT_TIMEOUT: 'timed out',
};

const UNKNOWN_AUTHORITY = 'its certificate is from an authority that this machine does not know';
/** Descriptions of certificate errors, by Node's error code. */
const UNTRUSTED: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
};

/** Whether a request was not sent because the server's certificate is not trusted. */
export function isUntrusted(error: unknown): boolean {
  return Object.hasOwn(UNTRUSTED, innermost(error).code ?? '');
}

const TRUST_HINT =
  'Use a certificate for this name that is valid, and if this machine does not know its authority, set ' +
  "NODE_EXTRA_CA_CERTS to a file with the authority's certificate, or the self-signed one, in PEM format.";

function unreachableError(
  { baseUrl, unreachable }: TransportOptions,
  reason: string,
  cause: unknown,
): ApiError {
  const { code, who } = unreachable;
  const hint = isUntrusted(cause) ? TRUST_HINT : unreachable.hint;
  return new ApiError(code, `Cannot reach ${who} at ${baseUrl}: ${reason}. ${hint}`, { cause });
}

/** Why a call got no answer, in a few words. */
export function reasonOf(cause: unknown): string {
  const { code, message } = innermost(cause);
  if (code !== undefined && Object.hasOwn(UNTRUSTED, code)) return `${UNTRUSTED[code]} (${code})`;
  return REASONS[code ?? ''] ?? message ?? 'the connection failed';
}

/** Node's fetch puts the reason in `cause`, and in `errors` if it tried several addresses. */
export function innermost(error: unknown): { code?: string; message?: string } {
  let inner = error as { code?: string; message?: string; cause?: unknown; errors?: unknown[] };
  while (inner.cause ?? inner.errors?.[0]) inner = (inner.cause ?? inner.errors?.[0]) as typeof inner;
  return inner;
}

/** Headers passed on with the error. */
const ERROR_HEADERS = ['allow', 'retry-after', 'x-should-retry'];

/** The error for an unsuccessful response: its envelope, or the best description without one. */
async function responseError(response: Response, route: RouteAddress): Promise<ApiError> {
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400)) {
    await response.body?.cancel();
    const to = response.headers.get('location');
    return unexpectedResponse(
      response,
      route,
      `a redirect${to ? ` to ${to}` : ''}, which svc does not follow`,
    );
  }
  const { status } = response;
  const requestId = response.headers.get('x-request-id');
  const headers = pickHeaders(response.headers);
  const envelope = readEnvelope(await response.json().catch(() => null), status);
  if (!envelope) {
    const message = `${route.method} ${route.path} failed with status ${status} and no error message.`;
    return new ApiError({ status, type: errorType(status), code: 'unexpected_response' }, message, {
      headers,
      requestId,
    });
  }
  const { message, type, code, param } = envelope;
  return new ApiError({ status, type, code }, message, { param, headers, requestId });
}

function unexpectedResponse(
  response: Response,
  route: RouteAddress,
  what: string,
  cause?: unknown,
): ApiError {
  const message = `${route.method} ${route.path} returned ${what}.`;
  return new ApiError('unexpected_response', message, {
    requestId: response.headers.get('x-request-id'),
    cause,
  });
}

function pickHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    ERROR_HEADERS.flatMap(name => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}

/** The URL if a token may be sent there: over https, or to this machine. Throws an error that says what to do otherwise. */
export function assertSecureUrl(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url?.username || url?.password)
    throw new TypeError('A cloud URL must not contain a user name or password.');
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url.hostname)))
    return address;
  throw new TypeError(
    `"${address}" is not a valid cloud URL: it must start with https://, or http:// on this machine.`,
  );
}

/** `read` validates the response, unless that was done before. */
export function createJobListReader(read: (value: unknown) => JobListChanges): ChangesReader {
  return {
    headers: CHANGES_WANTED,
    status: CHANGES_STATUS,
    apply(known, changes) {
      const list = known as { jobs: readonly JobSummary[] };
      const jobs = applyJobChanges(list.jobs, read(changes));
      if (jobs === null) return null;
      return jobs === list.jobs ? list : { jobs };
    },
  };
}
