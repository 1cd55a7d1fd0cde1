// How full the queue in front of a backend is, and how fast it gets shorter. Sees only when requests begin and end, so it works
// for every backend. Tells refused callers when to return: each a little later than the one before, so that they do not come
// back all at once. Pure.
import type { Clock } from '../../clock/index.js';

export interface QueueState {
  /** How many requests may run and wait. */
  places: number;
  free: number;
  /** Milliseconds until all that run or wait now are done. */
  resetMs: number;
}

export interface Queue {
  readonly activeCount: number;
  /** Null if the backend does not say how many requests it takes. */
  readonly state: QueueState | null;
  /** Takes a place, and returns a function that frees it. `isServed`: it ran, so that its end tells how fast the queue moves. */
  enter(): (isServed: boolean) => void;
  /** In how many milliseconds a caller who is refused now should return. */
  refuse(caller: string): number;
}

/** Fewer requests do not show how fast the backend is, since it computes this many side by side. */
const ENOUGH = 8;
/** How many requests must end before the first refused caller returns: answers differ in length, so the next place may be late. */
const SPARE = 20;
/** How long a request takes a backend of unknown speed, divided by those side by side. */
const GUESS_MS = 250;
/** How much an older request counts: the last 20 or so decide. */
const DECAY = 0.95;
/** OpenAI's client for Python ignores longer ones. */
const LONGEST_MS = 60_000;

export function createQueue(places: number | undefined, clock: Pick<Clock, 'elapsed'>): Queue {
  let active = 0;
  /** The last moment that is part of `busyMs`; null while there are too few requests. */
  let measuredAt: number | null = null;
  /** Of late, this many requests were served in this time. */
  let served = 0;
  let busyMs = 0;
  /** Until when places are promised to refused callers. */
  const promised = new Map<string, number>();

  /** Milliseconds between two ends. */
  function interval(): number {
    const pending = measuredAt === null ? 0 : clock.elapsed() - measuredAt;
    // Those that run side by side end together, so the first ends say little, and less still after a cold start.
    const mean = (busyMs + pending) / Math.max(served, ENOUGH);
    return served === 0 ? Math.max(GUESS_MS, mean) : mean;
  }

  function change(by: 1 | -1): void {
    active += by;
    if (active < ENOUGH) measuredAt = null;
    else measuredAt ??= clock.elapsed();
  }

  function noteServed(): void {
    if (measuredAt === null) return;
    const now = clock.elapsed();
    busyMs = DECAY * busyMs + now - measuredAt;
    served = DECAY * served + 1;
    measuredAt = now;
  }

  return {
    get activeCount() {
      return active;
    },
    get state() {
      if (places === undefined) return null;
      return { places, free: Math.max(0, places - active), resetMs: active * interval() };
    },
    enter() {
      change(1);
      return isServed => {
        if (isServed) noteServed();
        change(-1);
      };
    },
    refuse(caller) {
      const now = clock.elapsed();
      for (const [other, until] of promised) if (until <= now) promised.delete(other);
      const earliest = now + SPARE * interval();
      // Callers take turns, so each gets its share of the places.
      const sharing = promised.size + (promised.has(caller) ? 0 : 1);
      const until = Math.max(earliest, promised.get(caller) ?? 0) + sharing * interval();
      promised.set(caller, Math.min(until, now + LONGEST_MS));
      return promised.get(caller)! - now;
    },
  };
}
