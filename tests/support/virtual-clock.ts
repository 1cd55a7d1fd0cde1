// A clock that stands still until a test lets time pass. What is due then happens in order, each at its own millisecond.
import { type Clock, sleepBy, type Timer } from '../../lib/clock/index.js';

export interface VirtualClock extends Clock {
  /** How many timers and sleepers wait. */
  readonly waiting: number;
  /** In how many milliseconds the next of them is due; null without any. */
  readonly nextMs: number | null;
  /** Lets time pass. Between two moments, all that can go on without time (promises, files, sockets) gets a turn. */
  pass(ms: number): Promise<void>;
}

interface Due {
  at: number;
  act(): void;
}

export function createVirtualClock(start = Date.UTC(2026, 0, 1)): VirtualClock {
  let now = start;
  const due = new Set<Due>();

  function add(ms: number, act: () => void): Due {
    const entry = { at: now + Math.max(0, ms), act };
    due.add(entry);
    return entry;
  }

  function after(ms: number, act: () => void): Timer {
    const entry = add(ms, () => {
      due.delete(entry);
      act();
    });
    return { stop: () => void due.delete(entry) };
  }

  const findNext = () => {
    let next: Due | undefined;
    for (const entry of due) if (!next || entry.at < next.at) next = entry;
    return next;
  };

  return {
    now: () => now,
    elapsed: () => now - start,
    sleep: sleepBy(after),
    after,
    every(ms, act) {
      const entry = add(ms, () => {
        // As new in the order, behind what is due at the same moment.
        due.delete(entry);
        entry.at += ms;
        due.add(entry);
        act();
      });
      return { stop: () => void due.delete(entry) };
    },
    deadline(ms) {
      const controller = new AbortController();
      after(ms, () => controller.abort(new DOMException('The operation timed out.', 'TimeoutError')));
      return controller.signal;
    },
    get waiting() {
      return due.size;
    },
    get nextMs() {
      const next = findNext();
      return next ? next.at - now : null;
    },
    async pass(ms) {
      const end = now + ms;
      await takeTurns();
      for (let next = findNext(); next && next.at <= end; next = findNext()) {
        now = Math.max(now, next.at);
        next.act();
        await takeTurns();
      }
      // Someone else may have let more time pass meanwhile.
      if (now >= end) return;
      now = end;
      // Some only look at the time.
      await takeTurns();
    },
  };
}

async function takeTurns(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise(resolve => setImmediate(resolve));
}
