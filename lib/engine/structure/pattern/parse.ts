// Parses a regular expression in ECMAScript or Python syntax. Where the two disagree about `\d`, `\w`, `\s` and `.`, only
// characters that both include match; in what must not match, those that either includes.

import { PatternError } from './budget.js';
import { type CharacterSet, CharacterSets as Sets } from './character-set.js';

export type Expression =
  | { readonly kind: 'character'; readonly set: CharacterSet }
  | { readonly kind: 'sequence'; readonly items: readonly Expression[] }
  | { readonly kind: 'choice'; readonly items: readonly Expression[] }
  | { readonly kind: 'repeat'; readonly item: Expression; readonly min: number; readonly max: number }
  | { readonly kind: 'assert'; readonly what: 'start' | 'end' | 'boundary' | 'no boundary' }
  | { readonly kind: 'ahead'; readonly isNegative: boolean; readonly item: Expression };

const assert = (what: (Expression & { kind: 'assert' })['what']): Expression => ({ kind: 'assert', what });
const character = (set: CharacterSet): Expression => ({ kind: 'character', set });

/** Limits on the length of the expression and on the counts in `{n,m}`. */
const [LONGEST, MOST_REPEATS] = [2000, 1000];

/** Flags of a group, such as `(?i:…)`. */
interface Flags {
  ignoresCase: boolean;
  dotIsAll: boolean;
}

/** `isExcluded`: what matches is excluded. */
export function parseExpression(source: string, isExcluded = false): Expression {
  const characters = Array.from(source);
  if (characters.length > LONGEST) throw new PatternError(`it has more than ${LONGEST} characters`);
  const parser = createParser(characters, source, isExcluded);
  return parser.parse();
}

function createParser(characters: readonly string[], source: string, areExcluded: boolean) {
  let at = 0;
  /** Whether what matches here is excluded: then it is what either language matches. */
  let isExcluded = areExcluded;
  let flags: Flags = { ignoresCase: false, dotIsAll: false };

  const fault = (what: string) => new PatternError(`${JSON.stringify(source)}: ${what}`);
  const unsupported = (what: string) => fault(`${what} cannot be enforced`);
  const peek = () => characters[at];
  const rest = (length: number) => characters.slice(at, at + length).join('');

  function take(expected: string): boolean {
    if (rest(expected.length) !== expected) return false;
    at += expected.length;
    return true;
  }

  function choice(): Expression {
    const items = [sequence()];
    while (take('|')) items.push(sequence());
    return items.length === 1 ? items[0]! : { kind: 'choice', items };
  }

  function sequence(): Expression {
    const items: Expression[] = [];
    while (at < characters.length && peek() !== '|' && peek() !== ')') items.push(quantified());
    return items.length === 1 ? items[0]! : { kind: 'sequence', items };
  }

  function quantified(): Expression {
    const item = atom();
    const limits = quantifier();
    if (!limits) return item;
    if (item.kind === 'assert' || item.kind === 'ahead') throw fault('nothing to repeat');
    if (take('+')) throw unsupported('a possessive quantifier');
    // Lazy quantifiers match the same texts.
    take('?');
    if (quantifier()) throw fault('nothing to repeat');
    return { kind: 'repeat', item, ...limits };
  }

  function quantifier(): { min: number; max: number } | null {
    if (take('*')) return { min: 0, max: Number.POSITIVE_INFINITY };
    if (take('+')) return { min: 1, max: Number.POSITIVE_INFINITY };
    if (take('?')) return { min: 0, max: 1 };
    const found = /^\{(\d*)(,?)(\d*)\}/.exec(rest(16));
    if (!found || found[0] === '{}' || found[0] === '{,}') return null;
    at += found[0].length;
    const [, from, comma, to] = found;
    const min = Number(from || 0);
    const max = comma ? (to ? Number(to) : Number.POSITIVE_INFINITY) : min;
    if (min > max) throw fault('numbers out of order in {}');
    if (min > MOST_REPEATS || (max !== Number.POSITIVE_INFINITY && max > MOST_REPEATS))
      throw unsupported(`more than ${MOST_REPEATS} repetitions`);
    return { min, max };
  }

  function atom(): Expression {
    const next = characters[at++]!;
    if (next === '^') return assert('start');
    if (next === '$') return assert('end');
    if (next === '.') return character(flags.dotIsAll ? Sets.all : Sets.dot[isExcluded ? 'wide' : 'narrow']);
    if (next === '[') return character(characterClass());
    if (next === '(') return group();
    if (next === '\\') return escaped();
    if ('*+?'.includes(next)) throw fault('nothing to repeat');
    return literal(next.codePointAt(0)!);
  }

  const literal = (codePoint: number) => character(cased(Sets.of(codePoint)));
  const cased = (set: CharacterSet) => (flags.ignoresCase ? Sets.withCases(set) : set);

  function group(): Expression {
    if (take('?=')) return { kind: 'ahead', isNegative: false, item: inGroup() };
    if (take('?!')) return { kind: 'ahead', isNegative: true, item: inExcluded() };
    if (take('?<=') || take('?<!')) throw unsupported('looking behind');
    if (take('?>')) throw unsupported('an atomic group');
    if (take('?:')) return inGroup();
    const named = /^\?P?<[^>]*>/.exec(rest(200));
    if (named) {
      at += Array.from(named[0]).length;
      return inGroup();
    }
    if (take('?P=')) throw unsupported('a backreference');
    const flagged = /^\?([a-z]*)(?:-([a-z]+))?([:)])/.exec(rest(16));
    if (flagged) return flaggedGroup(flagged);
    if (peek() === '?') throw unsupported('this kind of group');
    return inGroup();
  }

  /** `(?i:…)`, or `(?i)` for the rest of the expression. */
  function flaggedGroup([whole, on, off = '', end]: RegExpExecArray): Expression {
    at += whole!.length;
    const before = flags;
    const odd = [...on!, ...off].find(flag => !'isau'.includes(flag));
    if (odd) throw unsupported(`the flag ${odd}`);
    const isOn = (flag: string, now: boolean) => (now || on!.includes(flag)) && !off.includes(flag);
    flags = { ignoresCase: isOn('i', flags.ignoresCase), dotIsAll: isOn('s', flags.dotIsAll) };
    if (end === ')') return { kind: 'sequence', items: [] };
    const item = inGroup();
    flags = before;
    return item;
  }

  function inGroup(): Expression {
    const before = flags;
    const item = choice();
    flags = before;
    if (!take(')')) throw fault('a group does not end');
    return item;
  }

  function inExcluded(): Expression {
    isExcluded = !isExcluded;
    const item = inGroup();
    isExcluded = !isExcluded;
    return item;
  }

  function escaped(): Expression {
    const next = peek();
    if (next === 'b' || next === 'B') {
      at++;
      return assert(next === 'b' ? 'boundary' : 'no boundary');
    }
    if (take('A')) return assert('start');
    if (take('Z') || take('z')) return assert('end');
    if (/[1-9]|k/.test(next ?? '')) throw unsupported('a backreference');
    return character(escapedSet());
  }

  /** Parses what follows a backslash: a class or a character. */
  function escapedSet(isInNegated = false): CharacterSet {
    const kind = peek() ?? '';
    const known = Sets.classes[kind.toLowerCase()];
    if (known) {
      at++;
      const isNegated = kind !== kind.toLowerCase();
      const isWide = [isNegated, isInNegated, isExcluded].filter(Boolean).length % 2 === 1;
      const set = isWide ? known.wide : known.narrow;
      return isNegated ? Sets.complement(set) : set;
    }
    if (kind === 'p' || kind === 'P') return property();
    return cased(Sets.of(escapedCharacter()));
  }

  function property(): CharacterSet {
    const found = /^[pP]\{[\w=]+\}/.exec(rest(40));
    const set = found && Sets.ofProperty(found[0].slice(2, -1));
    if (!found || !set) throw unsupported('this \\p');
    at += found[0].length;
    return found[0][0] === 'P' ? Sets.complement(set) : set;
  }

  function escapedCharacter(): number {
    const hex =
      /^(?:x([\da-fA-F]{2})|u([dD][89abAB][\da-fA-F]{2})\\u([dD][c-fC-F][\da-fA-F]{2})|u([\da-fA-F]{4})|u\{([\da-fA-F]{1,6})\}|U([\da-fA-F]{8}))/;
    const found = hex.exec(rest(12));
    if (found) {
      at += found[0].length;
      const [, byte, high, low, unit, braced, long] = found;
      if (high) return String.fromCharCode(parseInt(high, 16), parseInt(low!, 16)).codePointAt(0)!;
      const codePoint = parseInt((byte ?? unit ?? braced ?? long)!, 16);
      if (codePoint > 0x10ffff) throw fault('a character that Unicode does not have');
      return codePoint;
    }
    const next = characters[at++];
    if (next === undefined) throw fault('nothing after a backslash');
    if (next === 'c' && /[a-zA-Z]/.test(peek() ?? '')) return characters[at++]!.charCodeAt(0) % 32;
    const control = CONTROLS[next];
    if (control !== undefined) return control;
    if (/[a-zA-Z0-9]/.test(next)) throw unsupported(`\\${next}`);
    return next.codePointAt(0)!;
  }

  /** Parses a set, after its opening bracket. */
  function characterClass(): CharacterSet {
    const isNegated = take('^');
    const sets: CharacterSet[] = [];
    while (!take(']')) {
      if (at >= characters.length) throw fault('a class of characters does not end');
      const from = classItem(isNegated);
      const isRange = peek() === '-' && characters[at + 1] !== ']' && characters[at + 1] !== undefined;
      if (!isRange) {
        sets.push(from);
        continue;
      }
      at++;
      const to = classItem(isNegated);
      const [first, last] = [Sets.only(from), Sets.only(to)];
      if (first === null || last === null || first > last) throw fault('a range out of order');
      sets.push(cased([[first, last]]));
    }
    const set = Sets.union(sets);
    return isNegated ? Sets.complement(set) : set;
  }

  function classItem(isNegated: boolean): CharacterSet {
    const next = characters[at++]!;
    if (next === '\\') {
      if (take('b')) return Sets.of(8);
      return escapedSet(isNegated);
    }
    return cased(Sets.of(next.codePointAt(0)!));
  }

  return {
    parse(): Expression {
      const expression = choice();
      if (at < characters.length) throw fault('a ) without its (');
      return expression;
    },
  };
}

const CONTROLS: Readonly<Record<string, number>> = { 0: 0, a: 7, t: 9, n: 10, v: 11, f: 12, r: 13, e: 27 };
