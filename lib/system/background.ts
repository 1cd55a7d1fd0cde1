// Background work: tasks one at a time or a few side by side, shared results, waits that can be aborted, and garbage collection.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Runs tasks one at a time, in the order of the calls. */
export function createMutex() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const run = last.then(work, work);
    last = run.catch(() => {});
    return run;
  };
}

/**
 * Does the work for each item, a few at a time, in order. After a failure no further items are taken; those under way end first,
 * and then the first error is thrown.
 */
export async function eachAtOnce<Item>(
  items: Iterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const waiting = items[Symbol.iterator]();
  const failures: unknown[] = [];
  async function workOn(): Promise<void> {
    for (;;) {
      const next = failures.length > 0 ? { done: true as const } : waiting.next();
      if (next.done) return;
      await work(next.value).catch(error => failures.push(error));
    }
  }
  await Promise.all(Array.from({ length: atOnce }, workOn));
  if (failures.length > 0) throw failures[0];
}

/** Does the work on the first call and keeps the result. After a failure, the next call tries again. */
export function keepResult<T>(work: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | null = null;
  return () => {
    kept ??= work().catch(error => {
      kept = null;
      throw error;
    });
    return kept;
  };
}

/** The promise's result. Throws the signal's reason as soon as it is aborted. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  signal.throwIfAborted();
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
  });
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Collects immediately: an idle process does not, and Node has no other API for it. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
