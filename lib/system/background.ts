// Work in the background: one at a time, done once for all who ask, waited for only while someone wants it, and the garbage
// it leaves.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Runs work that must not overlap, in the order of the calls. */
export function createMutex() {
  let last: Promise<unknown> = Promise.resolve();
  return <Result>(work: () => Promise<Result>): Promise<Result> => {
    const run = last.then(work, work);
    last = run.catch(() => {});
    return run;
  };
}

/** Does the work when first asked and keeps its result. After a failure, the next call tries again. */
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

/** Now: a process that has become quiet does not do so by itself, and Node has no other way to ask for it. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}
