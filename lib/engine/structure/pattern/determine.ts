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
    for (const { part, duties: before } of reached.all)
      for (const { to, if: condition, ahead } of parts[part]!.free) {
        if (condition && !holds(condition, around)) continue;
        const after = ahead === undefined ? before : duties.add(before, ahead, around);
        if (after !== null) reached.add({ part: to, duties: after });
      }
    budget(reached.all.length);
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

/** A pending lookahead: its index, and the state of its automaton. */
type Lookahead = readonly [ahead: number, state: number];

/** Pending lookaheads, besides the expression itself: interned sets, by index; 0 is the empty set. */
function createLookaheads({ aheads }: Nondeterministic, classes: Classes, budget: Budget) {
  const tables = aheads.map(ahead => minimize(determine(ahead, ANYWHERE, classes, budget)));
  const sets: (readonly Lookahead[])[] = [[]];
  const known = new Map([['', 0]]);

  /** The index of a set of pending lookaheads; null if one of them can no longer be met. */
  function indexOf(all: readonly Lookahead[]): number | null {
    if (all.some(([, state]) => state === DEAD)) return null;
    const left = all.filter(([ahead, state]) => !isEverything(tables[ahead]!, state, classes.isWritable));
    const keys = [...new Set(left.map(duty => duty.join(':')))].sort();
    const key = keys.join();
    const found = known.get(key) ?? sets.length;
    if (found === sets.length) {
      budget(1);
      known.set(key, found);
      sets.push(keys.map(text => text.split(':').map(Number) as [number, number]));
    }
    return found;
  }

  return {
    add(before: number, ahead: number, { isStart, isAfterWord }: Preceding): number | null {
      const start = ANYWHERE.findIndex(
        place => place.isStart === isStart && place.isAfterWord === isAfterWord,
      );
      return indexOf([...sets[before]!, [ahead, tables[ahead]!.starts[start]!]]);
    },
    step: (before: number, given: number): number | null =>
      before === 0
        ? 0
        : indexOf(
            sets[before]!.map(([ahead, state]): Lookahead => [ahead, tables[ahead]!.next[state]![given]!]),
          ),
    mayEnd: (left: number): boolean => sets[left]!.every(([ahead, state]) => tables[ahead]!.accepting[state]),
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
