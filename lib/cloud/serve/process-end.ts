// The ways in which the cloud's process can be told to end, and what is left to do when it crashes.

interface ProcessWatch {
  /** Resolves when the process was asked to end or an error was not handled. */
  ended: Promise<'stopped' | 'crashed'>;
  stop(): void;
  /** Ends the process as after an unhandled error. */
  fail(error: unknown): void;
  /** Removes all listeners. */
  unwatch(): void;
}

/** Windows has only the last three, for Ctrl+C, a closed window and Ctrl+Break. */
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGBREAK'] as const;

/** The first signal asks; the second has its usual effect. `onCrash` is called while the process still runs. */
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
