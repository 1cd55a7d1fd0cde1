// The real clock for tests in which real processes and sockets take part: what waits takes a fraction of its time.
import { type Clock, realClock } from '../../lib/clock/index.js';

export function createHurriedClock(times: number): Clock {
  return {
    now: realClock.now,
    elapsed: () => realClock.elapsed() * times,
    sleep: (ms, signal) => realClock.sleep(ms / times, signal),
    after: (ms, act) => realClock.after(ms / times, act),
    every: (ms, act) => realClock.every(ms / times, act),
    deadline: ms => realClock.deadline(Math.ceil(ms / times)),
  };
}
