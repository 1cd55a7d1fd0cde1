// Runs something immediately and then every few seconds until stopped; never two runs at once.

export interface Poll {
  start(): void;
  stop(): void;
}

const POLL_MS = 5000;

export function createPoll(run: () => Promise<unknown>, everyMs: number = POLL_MS): Poll {
  let timer: ReturnType<typeof setInterval> | undefined;
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
      timer = setInterval(() => void once(), everyMs);
      void once();
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
    },
  };
}
