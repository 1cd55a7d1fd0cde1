// Runs something immediately and then every so often until stopped; never two runs at once.
import type { Clock, Timer } from './clock.js';

export interface Poll {
  start(): void;
  stop(): void;
}

export function createPoll(clock: Clock, run: () => Promise<unknown>, everyMs: number): Poll {
  let timer: Timer | undefined;
  let isBusy = false;

  async function once(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    try {
      await run();
    } finally {
      isBusy = false;
    }
  }

  return {
    start() {
      if (timer !== undefined) return;
      timer = clock.every(everyMs, () => void once());
      void once();
    },
    stop() {
      timer?.stop();
      timer = undefined;
    },
  };
}
