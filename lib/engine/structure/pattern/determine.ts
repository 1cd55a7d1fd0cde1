// Turns an NFA into a DFA table (subset construction). Each state is a set of positions in the expression.
import { type Budget, tooComplex } from './budget.js';
import { type CharacterSet, CharacterSets } from './character-set.js';
import type { Classes } from './classes.js';
import { minimize } from './minimize.js';
import type { Nondeterministic } from './nondeterministic.js';
import { DEAD, isEverything, MOST_STATES, type Table } from './table.js';

/** What precedes a position in the text. */
export interface Preceding {
  readonly isStart: boolean;
  readonly isAfterWord: boolean;
}

interface Surroundings extends Preceding {
  /** Whether the next character is part of a word; undefined at the end. */
  readonly isBeforeWord?: boolean | undefined;
}

export const FIRST: Preceding = { isStart: true, isAfterWord: false };

const ANYWHERE: readonly Preceding[] = [true, false].flatMap(isStart =>
  [true, false].map(isAfterWord => ({ isStart, isAfterWord })),
);

/** A position: an NFA part, and the pending lookaheads, as an index into `createLookaheads`. */
interface Position {
  readonly part: number;
  readonly duties: number;
}

/** Makes a table with one start for each of these surroundings of a text's start. */
export function determine(
  machine: Nondeterministic,
  surroundings: readonly Preceding[],
  classes: Classes,
  budget: Budget,
): Table {
  const { parts, hasBoundaries, isNegative } = machine;
  const { isWritable, examples } = classes;
  const isWord = examples.map(example => CharacterSets.has(CharacterSets.word, example));
  const duties = createLookaheads(machine, classes, budget);
  const takes = new Map<CharacterSet, readonly boolean[]>();
  const known = new Map<string, number>();
  const states: { kernel: readonly Position[]; before: Preceding }[] = [];

  function stateOf(kernel: readonly Position[], before: Preceding): number {
    if (kernel.length === 0) return DEAD;
    const places = kernel.map(({ part, duties }) => part + duties * parts.length).sort((a, b) => a - b);
    const key = `${before.isStart}${before.isAfterWord}${places.join()}`;
    const found = known.get(key) ?? states.length;
    if (found < states.length) return found;
    if (found >= MOST_STATES) throw tooComplex();
    known.set(key, found);
    states.push({ kernel, before });
    return found;
  }

  function close(kernel: readonly Position[], around: Surroundings): Position[] {
    const reached = createPositionSet(parts.length);
    for (const place of kernel) reached.add(place);
    for (const { part, duties: before } of reached.all) {
      budget(1);
      for (const { to, if: condition, ahead } of parts[part]!.free) {
        if (condition && !holds(condition, around)) continue;
        const after = ahead === undefined ? before : duties.add(before, ahead, around);
        if (after !== null) reached.add({ part: to, duties: after });
      }
    }
    return reached.all;
  }

  function takenBy(set: CharacterSet): readonly boolean[] {
    const found = takes.get(set) ?? examples.map(example => CharacterSets.has(set, example));
    takes.set(set, found);
    return found;
  }

  function follow(places: readonly Position[], given: number): number {
    const after = createPositionSet(parts.length);
    for (const { part, duties: before } of places) {
      const { taken } = parts[part]!;
      if (!taken || !takenBy(taken.set)[given]) continue;
      const left = duties.step(before, given);
      if (left !== null) after.add({ part: taken.to, duties: left });
    }
    budget(places.length);
    return stateOf(after.all, { isStart: false, isAfterWord: hasBoundaries && isWord[given]! });
  }

  const starts = surroundings.map(before =>
    stateOf([{ part: machine.start, duties: 0 }], {
      ...before,
      isAfterWord: hasBoundaries && before.isAfterWord,
    }),
  );
  const [next, accepting]: [number[][], boolean[]] = [[], []];
  for (let i = 0; i < states.length; i++) {
    const { kernel, before } = states[i]!;
    const [beforeWord, beforeOther] = [true, false].map(isBeforeWord =>
      close(kernel, { ...before, isBeforeWord }),
    );
    next.push(
      examples.map((_, given) =>
        isWritable[given] ? follow(isWord[given] ? beforeWord! : beforeOther!, given) : DEAD,
      ),
    );
    const isMatch = close(kernel, before).some(
      ({ part, duties: left }) => part === machine.end && duties.mayEnd(left),
    );
    accepting.push(isMatch !== isNegative);
  }
  const table = { next, accepting, starts };
  return isNegative ? withSink(table, isWritable) : table;
}

function holds(what: string, { isStart, isAfterWord, isBeforeWord }: Surroundings): boolean {
  if (what === 'start') return isStart;
  if (what === 'end') return isBeforeWord === undefined;
  return (isAfterWord !== (isBeforeWord ?? false)) === (what === 'boundary');
}

/** A set of positions that can grow while it is iterated. */
function createPositionSet(partCount: number) {
  const known = new Set<number>();
  const all: Position[] = [];
  return {
    all,
    add(place: Position): void {
      const key = place.part + place.duties * partCount;
      if (known.has(key)) return;
      known.add(key);
      all.push(place);
    },
  };
}

/** The tables of all lookaheads in one. */
function joinTables(tables: readonly Table[]): { whole: Table; starts: readonly (readonly number[])[] } {
  const whole = { next: [] as number[][], accepting: [] as boolean[], starts: [] };
  const starts = tables.map(table => {
    const first = whole.next.length;
    const move = (state: number) => (state === DEAD ? DEAD : first + state);
    for (const row of table.next) whole.next.push(row.map(move));
    for (const is of table.accepting) whole.accepting.push(is);
    return table.starts.map(move);
  });
  return { whole, starts };
}

/**
 * Pending lookaheads, besides the expression itself: interned sets of states, by index; 0 is the empty set. A result is
 * null if one of them can no longer be met.
 */
function createLookaheads({ aheads }: Nondeterministic, classes: Classes, budget: Budget) {
  const { whole, starts } = joinTables(
    aheads.map(ahead => minimize(determine(ahead, ANYWHERE, classes, budget))),
  );
  const isMet = whole.next.map((_, state) => isEverything(whole, state, classes.isWritable));
  const sets: (readonly number[])[] = [[]];
  const known = new Map([['', 0]]);
  const results = new Map<number, number | null>();
  const kinds = classes.examples.length + aheads.length * ANYWHERE.length;

  function indexOf(all: readonly number[]): number | null {
    budget(all.length);
    if (all.includes(DEAD)) return null;
    const left = [...new Set(all.filter(state => !isMet[state]))].sort((a, b) => a - b);
    const key = left.join();
    const found = known.get(key) ?? sets.length;
    if (found < sets.length) return found;
    known.set(key, found);
    sets.push(left);
    return found;
  }

  /** Computes each result once. */
  function once(before: number, kind: number, compute: () => readonly number[]): number | null {
    const key = before * kinds + kind;
    const found = results.get(key);
    if (found !== undefined) return found;
    const result = indexOf(compute());
    results.set(key, result);
    return result;
  }

  return {
    add(before: number, ahead: number, { isStart, isAfterWord }: Preceding): number | null {
      const place = ANYWHERE.findIndex(
        place => place.isStart === isStart && place.isAfterWord === isAfterWord,
      );
      const kind = classes.examples.length + ahead * ANYWHERE.length + place;
      return once(before, kind, () => [...sets[before]!, starts[ahead]![place]!]);
    },
    step: (before: number, given: number): number | null =>
      before === 0 ? 0 : once(before, given, () => sets[before]!.map(state => whole.next[state]![given]!)),
    mayEnd: (left: number): boolean => sets[left]!.every(state => whole.accepting[state]),
  };
}

/** Once nothing can match, a negative lookahead is satisfied. */
function withSink({ next, accepting, starts }: Table, isWritable: readonly boolean[]): Table {
  const sink = next.length;
  const rows = [...next, isWritable.map(() => sink)];
  return {
    next: rows.map(row => row.map((to, given) => (isWritable[given] ? (to === DEAD ? sink : to) : DEAD))),
    accepting: [...accepting, true],
    starts,
  };
}
