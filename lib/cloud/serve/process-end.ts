// The ways in which the process of a cloud is told to end, and what is left to do when it fails.

export interface ProcessWatch {
  /** Resolves when the process was asked to end, or when an error went unhandled. */
  ended: Promise<'stopped' | 'crashed'>;
  stop(): void;
  /** Has the process end as after an unhandled error. */
  fail(error: unknown): void;
  /** Leaves the process as it was. */
  unwatch(): void;
}

/** Windows has but the last three, for Ctrl-C, a window that is closed, and Ctrl-Break. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGBREAK'] as const;

/** The first signal asks; the second has its usual effect. `onCrash` is told while the process still runs. */
export function watchProcess(onCrash: (error: unknown) => void): ProcessWatch {
  let resolve!: (reason: 'stopped' | 'crashed') => void;
  const ended = new Promise<'stopped' | 'crashed'>(done => {
    resolve = done;
  });
  const stop = () => {
    for (const signal of SIGNALS) process.off(signal, stop);
    resolve('stopped');
  };
  const crash = (error: unknown) => {
    onCrash(error);
    resolve('crashed');
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  process.on('uncaughtException', crash);
  return {
    ended,
    stop,
    fail: crash,
    unwatch() {
      for (const signal of SIGNALS) process.off(signal, stop);
      process.off('uncaughtException', crash);
    },
  };
}
