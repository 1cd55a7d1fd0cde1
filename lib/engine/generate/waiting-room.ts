// Who waits to be computed, and how many may. A place can be held before there is anything to compute, while the prompt
// is being written.
import { EngineError } from '../engine-error.js';
import { type Asking, pickToRefuse } from './turns.js';

/** A request that was not begun: it may still be refused. */
export interface Refusable extends Asking {
  /** Ends it with what its caller is told. */
  fail(error: unknown): void;
}

export interface WaitingRoom {
  /** Takes a place, and gives back what frees it. Throws `engine_busy` when none is left for this caller. */
  enter(guest: Refusable): () => void;
  /** How many have a place. */
  readonly size: number;
}

/** `places` counts those at work, too; `notBegun` are those of them that may have to make room. */
export function createWaitingRoom(
  places: number,
  count: () => { running: number; waiting: number },
  notBegun: () => readonly Refusable[],
): WaitingRoom {
  const guests = new Set<Refusable>();

  return {
    get size() {
      return guests.size;
    },
    enter(guest) {
      const { running, waiting } = count();
      const all = waiting + guests.size;
      if (running + all >= places) {
        const refused = pickToRefuse([...notBegun(), ...guests], guest.caller);
        if (!refused) throw busy(running, all);
        guests.delete(refused);
        refused.fail(busy(running, all));
      }
      guests.add(guest);
      return () => void guests.delete(guest);
    },
  };
}

function busy(running: number, waiting: number): EngineError {
  return new EngineError(
    'engine_busy',
    `The engine is busy, with ${running} in work and ${waiting} waiting. Try again in a moment.`,
  );
}
