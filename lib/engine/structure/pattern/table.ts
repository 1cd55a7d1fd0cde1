// DFAs as tables, and their intersection.
import { type Budget, tooComplex } from './budget.js';

export const DEAD = -1;

export const MOST_STATES = 4000;

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
    const starts = [stateOf(a.starts[0]!, b.starts[0]!)];
    for (let i = 0; i < pairs.length; i++) {
      const [left, right] = pairs[i]!;
      budget(classCount);
      next.push(a.next[left]!.map((to, given) => stateOf(to, b.next[right]![given]!)));
      accepting.push(a.accepting[left]! && b.accepting[right]!);
    }
    return { next, accepting, starts };
  });
}

/** Whether every continuation is accepted from a state. */
export function isEverything(
  { next, accepting }: Table,
  state: number,
  isWritable: readonly boolean[],
): boolean {
  return accepting[state]! && next[state]!.every((to, given) => to === state || !isWritable[given]);
}
