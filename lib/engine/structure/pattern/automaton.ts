// Builds a DFA for the texts that match all given expressions, over classes of equivalent characters. It is built up front,
// so that each state knows whether a match can still be reached.
import { createBudget } from './budget.js';
import { CharacterSets } from './character-set.js';
import { type Classes, createClasses } from './classes.js';
import { determine, FIRST } from './determine.js';
import { minimize } from './minimize.js';
import { type Condition, createNondeterministic } from './nondeterministic.js';
import { DEAD, isEverything, multiply, type Table } from './table.js';

export interface Automaton {
  readonly start: number;
  /** The state after a character, or `DEAD`. */
  next(state: number, codePoint: number): number;
  /** The same for ASCII characters, at `128 * state + codePoint`, for those who read many. */
  readonly ascii: Int16Array;
  /** A character in this range that leads to a state for which `isGood` is true; null if there is none. */
  find(state: number, first: number, last: number, isGood: (state: number) => boolean): number | null;
  /** A character that leads to such a state, a plain one if possible. */
  example(state: number, isGood: (state: number) => boolean): number | null;
  targets(state: number): readonly number[];
  isAccepting(state: number): boolean;
  /** Whether every continuation matches. */
  isEverything(state: number): boolean;
  readonly size: number;
}

export function createAutomaton(conditions: readonly Condition[]): Automaton {
  const budget = createBudget();
  const machines = conditions.map(condition => createNondeterministic(condition, budget));
  const sets = machines.flatMap(machine => machine.sets);
  const hasWords = machines.some(machine => machine.hasBoundaries);
  const classes = createClasses([...sets, ...(hasWords ? [CharacterSets.word] : [])]);
  // States that are alike would be multiplied, too.
  const singles = machines.map(machine => minimize(determine(machine, [FIRST], classes, budget)));
  return toAutomaton(minimize(multiply(singles, classes.count, budget)), classes);
}

/** Letters and digits first. */
const PLAIN = [...Buffer.from('xaA0'), ...Array.from({ length: 94 }, (_, i) => 0x21 + i)];

function toAutomaton(table: Table, { firsts, classOf, examples, isWritable }: Classes): Automaton {
  const { next, accepting, starts } = table;
  const targets = next.map(row => [...new Set(row.filter(to => to !== DEAD))]);
  const asciiClasses = Uint16Array.from({ length: 128 }, (_, codePoint) => classAt(codePoint));
  const ascii = new Int16Array(128 * next.length);
  for (const [state, row] of next.entries())
    for (const [codePoint, given] of asciiClasses.entries()) ascii[128 * state + codePoint] = row[given]!;

  /** The index of the range that contains the character. */
  function rangeAt(codePoint: number): number {
    let low = 0;
    let high = firsts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (firsts[middle]! <= codePoint) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  function classAt(codePoint: number): number {
    return classOf[rangeAt(codePoint)]!;
  }

  return {
    start: starts[0]!,
    size: next.length,
    next: (state, codePoint) =>
      codePoint < 128 ? ascii[128 * state + codePoint]! : next[state]![classAt(codePoint)]!,
    ascii,
    find(state, first, last, isGood) {
      for (let range = rangeAt(first); range < firsts.length && firsts[range]! <= last; range++) {
        const to = next[state]![classOf[range]!]!;
        if (to !== DEAD && isGood(to)) return Math.max(first, firsts[range]!);
      }
      return null;
    },
    example(state, isGood) {
      const given = next[state]!.findIndex(to => to !== DEAD && isGood(to));
      if (given < 0) return null;
      return PLAIN.find(codePoint => asciiClasses[codePoint] === given) ?? examples[given]!;
    },
    targets: state => targets[state]!,
    isAccepting: state => accepting[state]!,
    isEverything: state => isEverything(table, state, isWritable),
  };
}
