// Repeats work at an interval without overlapping or keeping the process alive.
import { realClock } from '../clock/index.js';

export interface Repeating {
  /** Resolves when the work is not running and will not run again. */
  stop(): Promise<void>;
}

/** `work` must handle its own errors. */
export function repeat(work: () => Promise<void>, everyMs: number, clock = realClock): Repeating {
  let current = Promise.resolve();
  let isBusy = false;
  const timer = clock.every(everyMs, () => {
    if (isBusy) return;
    isBusy = true;
    current = work().finally(() => {
      isBusy = false;
    });
  });
  return {
    async stop() {
      timer.stop();
      await current;
    },
  };
}
