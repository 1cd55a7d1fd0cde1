// A virtual clock on which nobody has to wait: time passes by itself, as far as someone sleeps. For what tries again after a
// while. Limits of time hold as ever: the sleeps may add up to them.
import type { Clock } from '../../lib/clock/index.js';
import { createVirtualClock } from './virtual-clock.js';

interface HastyClock extends Clock {
  /** How long each sleep was meant to be. */
  readonly slept: readonly number[];
}

export function createHastyClock(): HastyClock {
  const clock = createVirtualClock();
  const slept: number[] = [];
  return {
    ...clock,
    slept,
    sleep(ms, signal) {
      const sleeping = clock.sleep(ms, signal);
      slept.push(ms);
      void clock.pass(ms);
      return sleeping;
    },
  };
}
