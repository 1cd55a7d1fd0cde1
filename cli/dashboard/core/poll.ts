// Runs something immediately and then every few seconds until stopped; never two runs at once.
import type { Clock, Timer } from '../../../lib/clock/index.js';

export interface Poll {
  start(): void;
  stop(): void;
}

const POLL_MS = 5000;

export function createPoll(clock: Clock, run: () => Promise<unknown>, everyMs: number = POLL_MS): Poll {
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
