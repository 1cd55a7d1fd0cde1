// Whether to send a request again, and how long to wait first. Waits double, with jitter so that many clients do not return
// at once.
import { ApiError, IDEMPOTENCY_KEY_HEADER, type RouteAddress } from '../contract/index.js';
import { doubled } from '../system/doubled.js';
import { type CallInput, innermost, isUntrusted, type Transport } from './transport.js';

interface BackoffOptions {
  firstMs: number;
  longestMs: number;
  random?: () => number;
}

interface Backoff {
  /** The wait before the next attempt. */
  next(): number;
  /** Resets the wait after a success. */
  reset(): void;
  /** Sets the first wait to what the server asks for, but never shorter than our own. */
  setFirst(ms: number): void;
}

export function createBackoff({ firstMs, longestMs, random = Math.random }: BackoffOptions): Backoff {
  let failures = 0;
  let first = firstMs;
  return {
    next() {
      const full = doubled(failures++, { firstMs: first, longestMs });
      return Math.round(full * (0.5 + random() / 2));
    },
    reset: () => {
      failures = 0;
    },
    setFirst: ms => {
      first = Math.min(Math.max(ms, firstMs), longestMs);
    },
  };
}

/** 4xx statuses worth retrying. All others, including 401, 403, 404 and 410, are final. */
const TRANSIENT_STATUSES = new Set([408, 425, 429]);

/** True for an error that retrying cannot fix. */
export function isFinalError(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  // The cloud sends this status while the provider cannot renew the token, which may be temporary.
  if (error.code === 'issuer_unreachable') return false;
  return error.status >= 400 && error.status < 500 && !TRANSIENT_STATUSES.has(error.status);
}

const TRIES = 4;

/**
 * The JSON response, parsed by `read`. A request that creates something has an idempotency key: if the
 * connection is lost before the outcome is known, the request is sent again and nothing is created twice.
 */
export async function askOnce<T>(
  transport: Pick<Transport, 'json' | 'clock'>,
  route: RouteAddress,
  input: CallInput,
  read: (value: unknown) => T,
): Promise<T> {
  if (!route.idempotencyKey) return transport.json(route, input, read);
  const key = input.idempotencyKey ?? crypto.randomUUID();
  const headers = { [IDEMPOTENCY_KEY_HEADER]: key, ...input.headers };
  const backoff = createBackoff({ firstMs: 250, longestMs: 2000 });
  let wasSent = false;
  for (let tries = 1; ; tries++) {
    try {
      return await transport.json(route, { ...input, headers }, read);
    } catch (error) {
      wasSent ||= isLost(error);
      if (tries === TRIES || !(wasSent && isUnanswered(error))) throw error;
    }
    await transport.clock.sleep(backoff.next(), input.signal);
  }
}

/** Errors before a connection was made, so the request cannot have arrived. */
const NEVER_SENT: ReadonlySet<string | undefined> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Whether the connection was lost before the full response arrived. Our own timeouts do not count. */
function isLost(error: unknown): boolean {
  if (!isUnanswered(error)) return false;
  const cause = error.cause as Error;
  return cause.name !== 'AbortError' && !NEVER_SENT.has(innermost(cause).code) && !isUntrusted(cause);
}

function isUnanswered(error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || !(error.cause instanceof Error)) return false;
  // When a body breaks off, Node's fetch throws the first of these and ours the second.
  if (error.code === 'unexpected_response')
    return error.cause instanceof TypeError || innermost(error.cause).code === 'ECONNRESET';
  return error.code === 'cloud_unreachable' || error.code === 'studio_unreachable';
}
