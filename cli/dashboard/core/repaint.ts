// Requests redraws: changes in quick succession are drawn together, no more often than people can read, and less often where
// a redraw is expensive. Key presses are drawn immediately.
import { type Clock, realClock, type Timer } from '../../../lib/clock/index.js';

export interface Repaint {
  request(): void;
  /** Runs a pending request now. */
  flush(): void;
  subscribe(listener: () => void): () => void;
}

/** Updates that no key caused need no more than the eye can follow. */
const UPDATES_PER_SECOND = 6;
const UPDATE_MS = 1000 / UPDATES_PER_SECOND;
/** Of the time, as much may be spent on them; but they come no later than this. */
const MOST_SHARE = 0.015;
const LATEST_MS = 400;

export function createRepaint(clock: Clock = realClock): Repaint {
  const listeners = new Set<() => void>();
  let timer: Timer | undefined;
  let next = Number.NEGATIVE_INFINITY;

  function tell(): void {
    timer?.stop();
    timer = undefined;
    const began = clock.elapsed();
    for (const listener of listeners) listener();
    const took = clock.elapsed() - began;
    next = began + Math.max(UPDATE_MS, Math.min(took / MOST_SHARE, LATEST_MS));
  }

  return {
    request() {
      timer ??= clock.after(Math.max(0, next - clock.elapsed()), tell);
    },
    flush() {
      if (timer !== undefined) tell();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
