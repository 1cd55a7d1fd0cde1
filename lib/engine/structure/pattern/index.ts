// Compiles regular expressions to automata that know whether a match can still be reached.
import { type Automaton, createAutomaton } from './automaton.js';
import type { Condition } from './nondeterministic.js';
import { parseExpression } from './parse.js';
import { DEAD } from './table.js';

export type { Automaton } from './automaton.js';
export { PatternError } from './budget.js';
export { isBeyondPatterns, longestOf, patternOfFormat } from './formats.js';
export { DEAD } from './table.js';

/** Expressions that a text must or must not match. Unanchored ones match anywhere in the text. */
export type Patterns = readonly { readonly source: string; readonly isNegative?: boolean }[];

/** The cache is cleared beyond this size. */
const MOST_KNOWN = 100;
const known = new Map<string, Automaton>();

/** Whether a text satisfies all of them. */
export function fits(patterns: Patterns, text: string): boolean {
  if (patterns.length === 0) return true;
  const automaton = automatonOf(patterns);
  let state = automaton.start;
  if (state === DEAD) return false;
  for (const character of text) {
    state = automaton.next(state, character.codePointAt(0)!);
    if (state === DEAD) return false;
  }
  return automaton.isAccepting(state);
}

/** An expression that matches exactly these texts. */
export function toPattern(texts: readonly string[]): string {
  return `^(?:${texts.map(text => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|')})$`;
}

/** Throws a `PatternError` for unsupported expressions. */
export function automatonOf(patterns: Patterns): Automaton {
  const key = JSON.stringify(patterns);
  const found = known.get(key) ?? createAutomaton(patterns.map(toCondition));
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, found);
  return found;
}

function toCondition({ source, isNegative = false }: Patterns[number]): Condition {
  return { expression: parseExpression(source, isNegative), isNegative };
}
