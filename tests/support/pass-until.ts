// Virtual time beside sockets, files and threads, which take real turns.
import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { PATIENCE_MS } from './patience.js';
import type { VirtualClock } from './virtual-clock.js';

/**
 * From one moment at which something is due to the next, until the promise is settled. `step`: so many milliseconds while
 * nothing is due, for what only looks at the time.
 */
export async function passUntil<T>(clock: VirtualClock, promise: Promise<T>, step = 0): Promise<T> {
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  promise.then(settle, settle);
  for (const began = performance.now(); !isSettled; await setImmediate()) {
    if (clock.nextMs !== null || step > 0) await clock.pass(clock.nextMs ?? step);
    if (performance.now() - began > PATIENCE_MS)
      throw new Error(`It did not happen; the next thing is due in ${clock.nextMs} ms.`);
  }
  return promise;
}
