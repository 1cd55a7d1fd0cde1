// Whether to retry, and how long to wait first. Waits double, with jitter so that many clients do not return at once.
import { ApiError } from '../contract/index.js';
import { doubled } from '../system/doubled.js';

interface BackoffOptions {
  firstMs: number;
  longestMs: number;
  random?: () => number;
}

interface Backoff {
  /** The wait before the next attempt. */
  next(): number;
  /** After a success, the next wait is short again. */
  reset(): void;
  /** Sets the first wait the server asks for; never shorter than our own. */
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
  // The status comes from the cloud, but the provider that could not renew the token may soon be back.
  if (error.code === 'issuer_unreachable') return false;
  return error.status >= 400 && error.status < 500 && !TRANSIENT_STATUSES.has(error.status);
}
