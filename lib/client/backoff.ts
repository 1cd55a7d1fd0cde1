// How long to wait before the next try: doubling, with jitter, so that many clients do not come back at once.

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
  /** What the server asks for as the first wait. */
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
      first = ms;
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
