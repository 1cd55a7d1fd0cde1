// Runs a project's tests for weights once: `svc test`, and what has to pass before an adapter is shipped.
import { openVitest, type VitestOptions } from './project-vitest.js';

interface RunOptions extends Omit<VitestOptions, 'watch'> {
  signal?: AbortSignal | undefined;
}

/** False if a test failed. Throws the signal's reason if it was interrupted. */
export async function runWeightTests({ signal, ...options }: RunOptions): Promise<boolean> {
  const tests = await openVitest(options);
  const stop = () => void tests.close();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    signal?.throwIfAborted();
    const isPassed = await tests.run();
    signal?.throwIfAborted();
    return isPassed;
  } finally {
    signal?.removeEventListener('abort', stop);
    await tests.close();
  }
}
