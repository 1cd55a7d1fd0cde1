// Clocks, for all code in svc that waits. Injected, so that tests let hours pass in a moment. Only this folder may use
// JavaScript's timers (`tests/house/no-timers.grit`). Runs in the browser, too.

export interface Clock {
  /** The time of day, in milliseconds since 1970. It jumps when the machine's clock is set. */
  now(): number;
  /** Milliseconds since an arbitrary moment, for durations: it never jumps. */
  elapsed(): number;
  /** Waits, or throws the signal's reason as soon as it is aborted. The process stays alive meanwhile. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back once, later. Does not keep the process alive. */
  after(ms: number, act: () => void): Timer;
  /** Calls back repeatedly. Does not keep the process alive. */
  every(ms: number, act: () => void): Timer;
  /** A signal that is aborted with a `TimeoutError`. Does not keep the process alive. */
  deadline(ms: number): AbortSignal;
}

export interface Timer {
  /** Stops all further calls. */
  stop(): void;
}

/** Timers act at once if their delay is longer: 24.8 days. */
const LONGEST_MS = 2 ** 31 - 1;
const toDelay = (ms: number) => Math.min(ms, LONGEST_MS);

export const realClock: Clock = {
  now: Date.now,
  elapsed: () => performance.now(),
  sleep: sleepBy((ms, act) => {
    const timer = setTimeout(act, toDelay(ms));
    return { stop: () => clearTimeout(timer) };
  }),
  after(ms, act) {
    const timer = setTimeout(act, toDelay(ms));
    letProcessEnd(timer);
    return { stop: () => clearTimeout(timer) };
  },
  every(ms, act) {
    const timer = setInterval(act, toDelay(ms));
    letProcessEnd(timer);
    return { stop: () => clearInterval(timer) };
  },
  deadline: ms => AbortSignal.timeout(toDelay(ms)),
};

/** Builds `sleep` from a timer that calls back once. @internal */
export function sleepBy(after: Clock['after']): Clock['sleep'] {
  return async (ms, signal) => {
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const abort = () => {
        timer.stop();
        reject(signal!.reason);
      };
      const timer = after(ms, () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      });
      signal?.addEventListener('abort', abort, { once: true });
    });
  };
}

/** Timers are plain numbers in browsers, where there is no process to keep alive. */
function letProcessEnd(timer: number | { unref?(): unknown }): void {
  if (typeof timer === 'object') timer.unref?.();
}

export interface Repeating {
  /** Resolves once the work is not running and will not run again. */
  stop(): Promise<void>;
}

/** Repeats work at an interval without overlapping or keeping the process alive. It must handle its own errors. */
export function repeat(
  work: () => Promise<unknown>,
  everyMs: number,
  clock: Clock = realClock,
  { isAtOnce = false }: { isAtOnce?: boolean } = {},
): Repeating {
  let current: Promise<unknown> = Promise.resolve();
  let isBusy = false;
  const run = () => {
    if (isBusy) return;
    isBusy = true;
    current = work().finally(() => {
      isBusy = false;
    });
  };
  const timer = clock.every(everyMs, run);
  if (isAtOnce) run();
  return {
    async stop() {
      timer.stop();
      await current;
    },
  };
}

export interface Poll {
  start(): void;
  stop(): void;
}

/** Runs a task immediately and then at an interval until stopped, never twice at the same time. */
export function createPoll(clock: Clock, run: () => Promise<unknown>, everyMs: number): Poll {
  let repeating: Repeating | undefined;
  return {
    start() {
      repeating ??= repeat(run, everyMs, clock, { isAtOnce: true });
    },
    stop() {
      void repeating?.stop();
      repeating = undefined;
    },
  };
}

/** Adds a time limit to a promise: resolves to its result, or after `ms` to what `late` returns or throws. */
export function within<T, Late>(
  promise: Promise<T>,
  ms: number,
  late: () => Late,
  clock: Clock,
): Promise<T | Late> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(ms, () => resolve(new Promise<Late>(settle => settle(late()))));
    promise.finally(timer.stop).then(resolve, reject);
  });
}
