// Does something again and again while the process has other things to do, never twice at once.
export interface Repeating {
  /** Resolves when it is not being done any more, and will not be. */
  stop(): Promise<void>;
}

/** What is to be done says itself what goes wrong. */
export function repeat(work: () => Promise<void>, everyMs: number): Repeating {
  let current = Promise.resolve();
  let isBusy = false;
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    current = work().finally(() => {
      isBusy = false;
    });
  }, everyMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await current;
    },
  };
}
