// Waits that are no expectations, also of programs that run without Vitest: for something that comes by itself, and for
// something to be found.
import { fileURLToPath } from 'node:url';
import { findCallPlace } from './call-place.js';
import { createWorkMeter } from './child-processes.js';
import { type Wait, type WaitClock, type Waiting, wait } from './wait.js';

/** Of Vitest, if it runs. */
export const vitest = {
  /** When its test ends, on the clock's `elapsed`. */
  testEndsAt: (): number | undefined => undefined,
  /** Whether it compiles modules that are wanted here: in a process that started this one. */
  isCompiling: () => false,
};

/** Real time, also for tests that fake JavaScript's timers. */
const { setTimeout, clearTimeout } = globalThis;
export const waitClock: WaitClock = {
  elapsed: performance.now.bind(performance),
  after(ms, act) {
    const timer = setTimeout(act, Math.max(ms, 0));
    return { stop: () => clearTimeout(timer) };
  },
};

const OWN_FILES = ['in-time.ts', 'until.ts', 'until-gone.ts', 'until-file.ts'].map(name =>
  fileURLToPath(new URL(name, import.meta.url)),
);

const workMeter = createWorkMeter();

/** Waits from here on. A failure is printed at once: what is done after a test may hang for the same reason, and hide it. */
export async function waitAloud<T>(attempt: () => Promise<T>, how: Wait): Promise<T> {
  try {
    return await wait(attempt, how, waitClock);
  } catch (error) {
    console.error((error as Error).message);
    throw error;
  }
}

/** To be called where the wait is written. */
export function waitHere(waiting: Waiting): Wait {
  const called = new Error('called here');
  return {
    ...waiting,
    at: () => findCallPlace(called, OWN_FILES),
    testEndsAt: vitest.testEndsAt(),
    isAtWork: () => vitest.isCompiling() || workMeter.isAtWork(),
  };
}

/** Waits for something that comes by itself, as a promise. One that is rejected is at once. */
export async function inTime<T>(promise: Promise<T>, waiting: Omit<Waiting, 'on'> = {}): Promise<T> {
  const settled = promise.then(
    value => ({ value }),
    (error: unknown) => ({ error }),
  );
  const outcome = await waitAloud(() => settled, waitHere(waiting));
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}

type Found<T> = Exclude<T, null | undefined | false | ''>;

/** Looks until there is something, and returns it. */
export function untilFound<T>(find: () => T | Promise<T>, waiting: Waiting = {}): Promise<Found<T>> {
  const look = async () => {
    const found = await find();
    if (!found) throw new Error(`found ${String(found) || 'nothing'}`);
    return found as Found<T>;
  };
  return waitAloud(look, waitHere(waiting));
}
