// Repeats work at an interval without overlapping or keeping the process alive.
export interface Repeating {
  /** Resolves when the work is not running and will not run again. */
  stop(): Promise<void>;
}

/** `work` must handle its own errors. */
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
