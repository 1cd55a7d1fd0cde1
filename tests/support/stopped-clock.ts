// The real clock, but for the time of day: that stands still until a test changes it. What waits takes real time.
import { type Clock, realClock } from '../../lib/clock/index.js';

export interface StoppedClock extends Clock {
  /** The time of day, in milliseconds since 1970. */
  at: number;
}

export function createStoppedClock(): StoppedClock {
  const clock: StoppedClock = { ...realClock, at: Date.now(), now: () => clock.at };
  return clock;
}
