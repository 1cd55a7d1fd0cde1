// Decides whose turn it is when not all requests fit at once. Callers take turns, not requests, so that a busy caller
// does not block the others; the requests of one caller run in order. Requests of low priority give way to all others. Pure.
import { EngineError } from '../engine-error.js';

/** How many requests run at once, and how many more may wait, unless a model's host says otherwise. */
export const MAX_BATCH = 8;
export const QUEUE_LIMIT = 32;

export interface HasCaller {
  readonly caller: string;
  /** Runs while no other request needs its place, and leaves it as soon as one does. */
  readonly isLowPriority?: boolean | undefined;
}

interface ActiveSequence extends HasCaller {
  /** Tokens so far: all of them are recomputed after a preemption. */
  readonly length: number;
  /** Tokens generated since it was last admitted. */
  readonly turnTokens: number;
}

const SHORTEST_TURN = 64;
/** A turn is at least a quarter of the sequence, so that recomputing it stays a small part of the work. */
const TURN_DIVISOR = 4;

/** How many tokens a sequence generates before it can be preempted, and how many steps it waits after that. */
export function turnLength(length: number): number {
  return Math.max(SHORTEST_TURN, length / TURN_DIVISOR);
}

/** Picks the first request of the caller with the fewest active ones. `waiting` is in order of arrival. */
export function pickNext<A extends HasCaller>(
  waiting: readonly A[],
  active: readonly HasCaller[],
): A | undefined {
  const isLow = waiting.every(isLowPriority);
  const candidates = waiting.filter(request => isLowPriority(request) === isLow);
  const load = countByCaller(active.filter(request => isLowPriority(request) === isLow));
  const least = Math.min(...candidates.map(({ caller }) => load.get(caller) ?? 0));
  return candidates.find(({ caller }) => (load.get(caller) ?? 0) === least);
}

/**
 * Picks the sequence that makes room for the ones that wait: one of low priority at once, the shortest. Otherwise, of those
 * that have had their turn, the longest turn of the caller with the most active sequences. Those of low priority only ever
 * replace each other.
 */
export function pickToPreempt<W extends ActiveSequence>(
  active: readonly W[],
  waiting: readonly HasCaller[],
): W | undefined {
  const isLow = waiting.every(isLowPriority);
  const low = active.filter(isLowPriority);
  if (!isLow && low.length > 0) return low.toSorted((a, b) => a.length - b.length)[0];
  const load = countByCaller(active);
  const done = (isLow ? low : active).filter(({ length, turnTokens }) => turnTokens >= turnLength(length));
  return done.sort((a, b) => load.get(b.caller)! - load.get(a.caller)! || b.turnTokens - a.turnTokens)[0];
}

/**
 * Picks the request that leaves a full queue for a new one of the same priority: the last one of the caller with the most.
 * Returns undefined if a caller would then have fewer than the new one's; the new one is rejected instead. @internal
 */
export function pickToReject<A extends HasCaller>(waiting: readonly A[], newcomer: HasCaller): A | undefined {
  const candidates = waiting.filter(request => isLowPriority(request) === isLowPriority(newcomer));
  const load = countByCaller(candidates);
  const [greediest, most] = [...load].sort(([, a], [, b]) => b - a)[0] ?? [newcomer.caller, 0];
  if (most <= (load.get(newcomer.caller) ?? 0) + 1) return undefined;
  return candidates.findLast(({ caller }) => caller === greediest);
}

function isLowPriority(request: HasCaller): boolean {
  return request.isLowPriority ?? false;
}

function countByCaller(all: readonly HasCaller[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { caller } of all) counts.set(caller, (counts.get(caller) ?? 0) + 1);
  return counts;
}

// Limits how many requests wait. A place can be reserved before there is anything to compute, while the prompt is still
// being written.
/** A request that has not started, so it can still be rejected. */
interface Rejectable extends HasCaller {
  /** Ends the request with this error. */
  fail(error: unknown): void;
}

export interface WaitingRoom {
  /** Reserves a place and returns a function that frees it. Throws `engine_busy` if none is left for this caller. */
  reserve(request: Rejectable): () => void;
}

interface WaitingRoomOptions {
  /** The requests that take places, some of which may be rejected to make room. */
  queue?: {
    readonly running: readonly HasCaller[];
    readonly waiting: readonly HasCaller[];
    readonly notStarted: readonly Rejectable[];
  };
  /** The subject of the error when the queue is full. */
  name?: string;
}

/** Requests of low priority take no places from others, because they give way to them. */
export function createWaitingRoom(
  places: number,
  { queue = { running: [], waiting: [], notStarted: [] }, name = 'The engine' }: WaitingRoomOptions = {},
): WaitingRoom {
  const reserved = new Set<Rejectable>();

  return {
    reserve(request) {
      const isCounted = (other: HasCaller) => isLowPriority(request) || !isLowPriority(other);
      const running = queue.running.filter(isCounted).length;
      const all = [...queue.waiting, ...reserved].filter(isCounted).length;
      if (running + all >= places) {
        const rejected = pickToReject([...queue.notStarted, ...reserved], request);
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
