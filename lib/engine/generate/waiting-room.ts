// Limits how many requests wait. A place can be reserved before there is anything to compute, while the prompt is still
// being written.
import { EngineError } from '../engine-error.js';
import { type HasCaller, pickToReject } from './turns.js';

/** A request that has not started, so it can still be rejected. */
interface Rejectable extends HasCaller {
  /** Ends the request with this error. */
  fail(error: unknown): void;
}

export interface WaitingRoom {
  /** Reserves a place and returns a function that frees it. Throws `engine_busy` if none is left for this caller. */
  reserve(request: Rejectable): () => void;
}

/**
 * `places` includes running requests; `notStarted` returns queued requests that may be rejected to free a place. Without
 * both, only reserved places count. `name` says what is busy then.
 */
export function createWaitingRoom(
  places: number,
  count: () => { running: number; waiting: number } = () => ({ running: 0, waiting: 0 }),
  notStarted: () => readonly Rejectable[] = () => [],
  name = 'The engine',
): WaitingRoom {
  const reserved = new Set<Rejectable>();

  return {
    reserve(request) {
      const { running, waiting } = count();
      const all = waiting + reserved.size;
      if (running + all >= places) {
        const rejected = pickToReject([...notStarted(), ...reserved], request.caller);
        if (!rejected) throw busy(name, running, all);
        reserved.delete(rejected);
        rejected.fail(busy(name, running, all));
      }
      reserved.add(request);
      return () => void reserved.delete(request);
    },
  };
}

function busy(name: string, running: number, waiting: number): EngineError {
  return new EngineError(
    'engine_busy',
    `${name} is busy: ${running} requests running, ${waiting} waiting. Try again in a moment.`,
  );
}
