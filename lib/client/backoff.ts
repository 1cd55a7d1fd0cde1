// Whether to try again, and how long to wait before: doubling, with jitter, so that many clients do not come back at
// once.
import { ApiError } from '../contract/index.js';

export interface BackoffOptions {
  firstMs: number;
  longestMs: number;
  random?: () => number;
}

export interface Backoff {
  /** The wait before the next try. */
  next(): number;
  /** Something went well: the next wait is short again. */
  reset(): void;
  /** What the server asks for as the first wait; never shorter than our own. */
  setFirst(ms: number): void;
}

export function createBackoff({ firstMs, longestMs, random = Math.random }: BackoffOptions): Backoff {
  let failures = 0;
  let first = firstMs;
  return {
    next() {
      const full = Math.min(longestMs, first * 2 ** Math.min(failures++, 30));
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

/** Waits, or throws the signal's reason as soon as it is aborted. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** Statuses that a later try can change; any other 4xx, 401, 403, 404 and 410 among them, is final. */
const TRANSIENT_STATUSES = new Set([408, 425, 429]);

/** True for an error that trying again cannot mend. */
export function isFinalError(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  // The status is the cloud's; the provider that could not renew the token may be back in a moment.
  if (error.code === 'issuer_unreachable') return false;
  return error.status >= 400 && error.status < 500 && !TRANSIENT_STATUSES.has(error.status);
}
