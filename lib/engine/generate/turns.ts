// Whose turn it is when not everyone can be computed at once. Callers take turns rather than requests, so that one who
// asks a lot does not keep the others waiting; within a caller, whoever came first is first. Pure.

export interface Asking {
  readonly caller: string;
}

export interface Working extends Asking {
  /** Tokens so far: what has to be computed again when it is set aside. */
  readonly length: number;
  /** Tokens that it was given since it was last admitted. */
  readonly given: number;
}

const SHORTEST_TURN = 64;
/** A turn is a quarter as long as the text: computing it again is then a small part of the work. */
const TURN_SHARE = 4;

/** How many tokens one is given before it makes room, and for how many steps it waits before room is made for it. */
export function turnOf(length: number): number {
  return Math.max(SHORTEST_TURN, length / TURN_SHARE);
}

/** Of the caller with the fewest at work, the one that has waited longest. They wait in this order. */
export function pickNext<A extends Asking>(waiting: readonly A[], atWork: readonly Asking[]): A | undefined {
  const load = countByCaller(atWork);
  const least = Math.min(...waiting.map(({ caller }) => load.get(caller) ?? 0));
  return waiting.find(({ caller }) => (load.get(caller) ?? 0) === least);
}

/** Who has had its turn and makes room while others wait: of the caller with the most at work, who was given most. */
export function pickToSetAside<W extends Working>(atWork: readonly W[]): W | undefined {
  const load = countByCaller(atWork);
  const done = atWork.filter(({ length, given }) => given >= turnOf(length));
  return done.sort((a, b) => load.get(b.caller)! - load.get(a.caller)! || b.given - a.given)[0];
}

/**
 * Who leaves a full queue for a newcomer: the last of the caller with the most in it, where that leaves each of the two
 * no worse off than the other. None is a newcomer that has to be refused itself.
 */
export function pickToRefuse<A extends Asking>(waiting: readonly A[], newcomer: string): A | undefined {
  const load = countByCaller(waiting);
  const [greediest, most] = [...load].sort(([, a], [, b]) => b - a)[0] ?? [newcomer, 0];
  if (most <= (load.get(newcomer) ?? 0) + 1) return undefined;
  return waiting.findLast(({ caller }) => caller === greediest);
}

function countByCaller(all: readonly Asking[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { caller } of all) counts.set(caller, (counts.get(caller) ?? 0) + 1);
  return counts;
}
