// DFAs as tables: intersection and minimization.
import { type Budget, tooComplex } from './budget.js';

export const DEAD = -1;

export const MOST_STATES = 4000;

/** What a state costs each time that states are compared. */
const REFINING = 10;

/** A DFA: for each state, the next state by character class. */
export interface Table {
  readonly next: readonly (readonly number[])[];
  readonly accepting: readonly boolean[];
  /** The start state for each requested context. */
  readonly starts: readonly number[];
}

/** Intersection: accepts what all of them accept. */
export function multiply(tables: readonly Table[], classCount: number, budget: Budget): Table {
  return tables.reduce((a, b) => {
    const known = new Map<number, number>();
    const pairs: [number, number][] = [];
    const stateOf = (left: number, right: number): number => {
      if (left === DEAD || right === DEAD) return DEAD;
      const key = left * b.next.length + right;
      const found = known.get(key) ?? pairs.length;
      if (found < pairs.length) return found;
      if (found >= MOST_STATES) throw tooComplex();
      known.set(key, found);
      pairs.push([left, right]);
      return found;
    };
    const [next, accepting]: [number[][], boolean[]] = [[], []];
    stateOf(0, 0);
    for (let i = 0; i < pairs.length; i++) {
      const [left, right] = pairs[i]!;
      budget(classCount);
      next.push(a.next[left]!.map((to, given) => stateOf(to, b.next[right]![given]!)));
      accepting.push(a.accepting[left]! && b.accepting[right]!);
    }
    return { next, accepting, starts: [0] };
  });
}

/** Minimizes: merges equivalent states, and replaces those that accept nothing by `DEAD`. */
export function minimize(table: Table, classCount: number, budget: Budget): Table {
  const { next, accepting, starts } = table;
  const toMatch = findDistances(next, accepting);
  const isLive = toMatch.map(distance => distance !== NEVER);
  const toOther = findDistances(
    next,
    accepting.map((is, state) => isLive[state]! && !is),
  );
  // Equivalent states are as far from a match, and from what is none. Without that, long repetitions took a round for each state.
  let groups = toMatch.map((distance, state) => distance * (next.length + 1) + toOther[state]! + 1);
  for (let count = 0; ; ) {
    const known = new Map<string, number>();
    const refined = next.map((row, state) => {
      const key = `${groups[state]}:${row.map(to => (to === DEAD || !isLive[to] ? DEAD : groups[to])).join()}`;
      const group = known.get(key) ?? known.size;
      known.set(key, group);
      return group;
    });
    groups = refined;
    if (known.size === count) break;
    count = known.size;
    budget(REFINING * next.length);
  }
  const members = new Map(groups.map((group, state) => [group, state]));
  const rows = Array.from(members.keys(), (_, group) => {
    const row = next[members.get(group)!]!;
    return Array.from({ length: classCount }, (_, given) => {
      const to = row[given]!;
      return to === DEAD || !isLive[to] ? DEAD : groups[to]!;
    });
  });
  return {
    starts: starts.map(state => (state === DEAD || !isLive[state] ? DEAD : groups[state]!)),
    next: rows,
    accepting: rows.map((_, group) => accepting[members.get(group)!]!),
  };
}

const NEVER = -1;

/** How many characters away the next goal is from each state; `NEVER` if there is none. */
function findDistances(next: Table['next'], isGoal: readonly boolean[]): number[] {
  const sources = next.map((): number[] => []);
  for (const [from, row] of next.entries())
    for (const to of new Set(row)) if (to !== DEAD) sources[to]!.push(from);
  const left: number[] = isGoal.map(is => (is ? 0 : NEVER));
  const open = left.flatMap((distance, state) => (distance === 0 ? [state] : []));
  for (const state of open)
    for (const source of sources[state]!)
      if (left[source] === NEVER) {
        left[source] = left[state]! + 1;
        open.push(source);
      }
  return left;
}

/** Whether every continuation is accepted from a state. */
export function isEverything(
  { next, accepting }: Table,
  state: number,
  isWritable: readonly boolean[],
): boolean {
  return accepting[state]! && next[state]!.every((to, given) => to === state || !isWritable[given]);
}
