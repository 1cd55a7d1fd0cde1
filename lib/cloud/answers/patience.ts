// Waits for a place where a backend has none: for what was accepted and would otherwise be lost.
import type { Clock } from '../../clock/index.js';
import { EngineError } from '../../engine/index.js';
import type { Backend } from '../seams/backend.js';

/** The pause before the engine is tried again, if it does not say. */
const RETRY_MS = 1000;

/** Asks again while too many others wait. */
export async function* askPatiently<P>(
  generate: () => AsyncIterable<P>,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<P> {
  for (;;) {
    let hasBegun = false;
    try {
      for await (const piece of generate()) {
        hasBegun = true;
        yield piece;
      }
      return;
    } catch (error) {
      if (hasBegun || !(error instanceof EngineError) || error.code !== 'engine_busy') throw error;
      await clock.sleep(error.retryMs ?? RETRY_MS, signal);
    }
  }
}

/** The same backend, for those who wait. */
export function withPatience(backend: Pick<Backend, 'ask'>, clock: Clock): Pick<Backend, 'ask'> {
  return {
    ask: (kind, task, signal) => askPatiently(() => backend.ask(kind, task, signal), clock, signal),
  };
}
