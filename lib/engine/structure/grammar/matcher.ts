// Matchers consume single bytes: literals, and string contents. They never reach a dead end: a byte is rejected if no match
// could follow it.

import type { TokenTrie } from '../token-trie.js';

export interface Matcher {
  /** Matchers with equal keys are equivalent. */
  readonly key: string;
  /** Whether the match may end here. */
  readonly isWhole: boolean;
  /** The matcher after the byte; null if the byte may not come next. */
  step(byte: number): Matcher | null;
  /** The shortest text that ends it, or a short one. */
  closing(): Uint8Array;
  /** Whether it is in a string of any length. */
  readonly isEndless?: boolean;
  /** How many more unescaped characters may follow, if only their number matters. */
  readonly capacity?: number;
  /**
   * Marks the tokens that may come next, faster than byte by byte. `leave` marks those from a node on for what follows the end
   * of this.
   */
  mark?(trie: TokenTrie, bits: Uint32Array, leave: (node: number) => void): void;
}

/** What a grammar consists of. */
export type Node =
  | { readonly kind: 'match'; readonly matcher: Matcher }
  | { readonly kind: 'sequence'; readonly items: readonly Node[] }
  | { readonly kind: 'choice'; readonly items: readonly Node[] }
  /** Created on first use. */
  | { readonly kind: 'later'; get(): Node };

const EMPTY = new Uint8Array(0);

export const NOTHING_MORE: Matcher = { key: '.', isWhole: true, step: () => null, closing: () => EMPTY };

export function literal(bytes: Uint8Array, at = 0): Matcher {
  if (at === bytes.length) return NOTHING_MORE;
  return {
    key: `l${Buffer.from(bytes.subarray(at)).toString('hex')}`,
    isWhole: false,
    step: byte => (byte === bytes[at] ? literal(bytes, at + 1) : null),
    closing: () => bytes.subarray(at),
  };
}

/** Nothing, a space, or a line break with indentation. */
export const WHITESPACE: Matcher = {
  key: 'w',
  isWhole: true,
  step(byte) {
    if (byte === SPACE) return NOTHING_MORE;
    return byte === NEWLINE ? indent(0) : null;
  },
  closing: () => EMPTY,
};

const [SPACE, NEWLINE, QUOTE, BACKSLASH] = [0x20, 0x0a, 0x22, 0x5c] as const;

const DEEPEST_INDENT = 32;

function indent(depth: number): Matcher {
  return {
    key: `i${depth}`,
    isWhole: true,
    step: byte => (byte === SPACE && depth < DEEPEST_INDENT ? indent(depth + 1) : null),
    closing: () => EMPTY,
  };
}

/** The longest string that can be demanded, in characters. */
export const MOST_DEMANDED = 10_000;

/** The end of such a string, which the closings of all strings share. */
const PADDED = Buffer.from(`${'x'.repeat(MOST_DEMANDED)}"`);

interface TextLimits {
  /** In characters. */
  min: number;
  max: number;
}

/** The contents of a string and its closing quote. Characters are written as they are, or escaped. */
export function stringRest({ min, max }: TextLimits, count = 0): Matcher {
  // Without a maximum, all counts from the minimum on are equivalent.
  const known = max === Number.POSITIVE_INFINITY ? Math.min(count, min) : count;
  const next = () => stringRest({ min, max }, known + 1);
  const key = `s${min}:${max}:${known}`;
  const isEndless = max === Number.POSITIVE_INFINITY;
  return {
    key,
    isWhole: false,
    capacity: max - known,
    isEndless,
    step(byte) {
      if (byte === QUOTE) return known >= min ? NOTHING_MORE : null;
      if (known >= max) return null;
      if (byte === BACKSLASH) return escaped({ key, isEndless, take: next, find: first => first });
      return character(byte, next);
    },
    closing: () => PADDED.subarray(MOST_DEMANDED - Math.max(0, min - known)),
  };
}

/** The rest of a string that must differ from these, up to its closing quote. No escapes, so each text has one spelling. */
export function otherString(names: readonly Buffer[], length = 0): Matcher {
  const left = names.filter(name => name.length >= length);
  if (left.length === 0) return ANY_REST;
  const isInCharacter = left.some(name => isContinuation(name[length] ?? 0));
  return {
    key: `o${length}:${left.map(name => name.toString('hex')).join()}`,
    isWhole: false,
    step(byte) {
      const same = left.filter(name => name[length] === byte);
      if (isInCharacter) return same.length > 0 ? otherString(same, length + 1) : null;
      if (byte === QUOTE) return left.some(name => name.length === length) ? null : NOTHING_MORE;
      if (byte === BACKSLASH) return null;
      if (same.length > 0) return otherString(same, length + 1);
      return character(byte, () => ANY_REST);
    },
    closing() {
      const first = [QUOTE, ...LETTERS, ...left.flatMap(name => name[length] ?? [])].find(
        byte => this.step(byte) !== null,
      );
      if (first === undefined) return EMPTY;
      return Buffer.concat([Uint8Array.of(first), this.step(first)!.closing()]);
    },
  };
}

const ANY_REST = stringRest({ min: 0, max: Number.POSITIVE_INFINITY });

const LETTERS = Buffer.from('xyzabcdefghijklmnopqrstuvw');

const isContinuation = (byte: number) => byte >= 0x80 && byte < 0xc0;

/** The characters that may come next. At least one may. */
export interface Characters {
  readonly key: string;
  readonly isEndless: boolean;
  take(codePoint: number): Matcher | null;
  /** One in this range. */
  find(first: number, last: number): number | null;
}

/** Of Unicode. */
export const LAST_CHARACTER = 0x10ffff;

const ESCAPES: ReadonlyMap<number, number> = new Map(
  [...'nrtbf"\\/'].map((letter, i) => [letter.charCodeAt(0), '\n\r\t\b\f"\\/'.charCodeAt(i)]),
);

/** What follows a backslash. */
export function escaped(characters: Characters): Matcher {
  const { key, isEndless, take, find } = characters;
  return {
    key: `e${key}`,
    isWhole: false,
    isEndless,
    step(byte) {
      if (byte === LETTER_U) return escapedByNumber(characters, '');
      const meant = ESCAPES.get(byte);
      return meant === undefined ? null : take(meant);
    },
    closing() {
      const found = [...ESCAPES].find(([, meant]) => take(meant));
      if (found) return Buffer.concat([Uint8Array.of(found[0]), take(found[1])!.closing()]);
      const any = find(0, LAST_CHARACTER)!;
      return Buffer.concat([Buffer.from(`u${numberOf(any)}`), take(any)!.closing()]);
    },
  };
}

const LETTER_U = 0x75;

/** What starts an escape by number, after its `u`: four digits, and another such escape if they are half of a character. */
const BY_NUMBER = /^(?:[\da-fA-F]{0,4}|[dD][89abAB][\da-fA-F]{2}\\(?:u[\da-fA-F]{0,4})?)$/;

const isWholeNumber = (written: string) =>
  written.length === 10 || (written.length === 4 && !/^d[89ab]/i.test(written));

function escapedByNumber(characters: Characters, written: string): Matcher | null {
  const found = findByNumber(characters, written);
  if (found === null) return null;
  const { key, isEndless, take } = characters;
  return {
    key: `h${written}:${key}`,
    isWhole: false,
    isEndless,
    step(byte) {
      const next = written + String.fromCharCode(byte);
      if (!BY_NUMBER.test(next)) return null;
      if (!isWholeNumber(next)) return escapedByNumber(characters, next);
      return take((JSON.parse(`"\\u${next}"`) as string).codePointAt(0)!);
    },
    closing: () =>
      Buffer.concat([Buffer.from(numberOf(found).slice(written.length)), take(found)!.closing()]),
  };
}

function numberOf(codePoint: number): string {
  const text = String.fromCodePoint(codePoint);
  const units = Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
  return units.map(unit => unit.toString(16).padStart(4, '0')).join('\\u');
}

/** A character whose number starts like this. */
function findByNumber({ find }: Characters, written: string): number | null {
  const [digits, lowDigits] = written.split(/\\u?/);
  const [first, last] = unitsOf(digits);
  const [lowFirst, lowLast] = unitsOf(lowDigits, 0xdc00, 0xdfff);
  const [highFirst, highLast] = unitsOf(digits, 0xd800, 0xdbff);
  const within = (from: number, to: number) => (from <= to ? find(from, to) : null);
  const pair = (high: number, low: number) => 0x10000 + (high - 0xd800) * 0x400 + (low - 0xdc00);
  const found = within(first, Math.min(last, 0xd7ff)) ?? within(Math.max(first, 0xe000), last);
  if (found !== null || highFirst > highLast || lowFirst > lowLast) return found;
  return within(pair(highFirst, lowFirst), pair(highLast, lowLast));
}

/** The lowest and the highest number of four digits that starts with these and lies between two others. */
function unitsOf(digits = '', lowest = 0, highest = 0xffff): readonly [number, number] {
  const [first, last] = ['0', 'f'].map(digit => parseInt(digits.padEnd(4, digit), 16));
  return [Math.max(first!, lowest), Math.min(last!, highest)];
}

/** A leading byte in UTF-8. Control characters must be escaped. */
function character(byte: number, next: () => Matcher): Matcher | null {
  if (byte < 0x80) return byte < 0x20 ? null : next();
  if (byte < 0xc2 || byte > 0xf4) return null;
  if (byte < 0xe0) return continuation(next, 1);
  if (byte < 0xf0) return continuation(next, 2, byte === 0xe0 ? 0xa0 : 0x80, byte === 0xed ? 0x9f : 0xbf);
  return continuation(next, 3, byte === 0xf0 ? 0x90 : 0x80, byte === 0xf4 ? 0x8f : 0xbf);
}

function continuation(next: () => Matcher, count: number, lowest = 0x80, highest = 0xbf): Matcher {
  const after = next();
  return {
    key: `u${count}:${lowest}:${highest}:${after.key}`,
    isWhole: false,
    isEndless: after.isEndless ?? false,
    step(byte) {
      if (byte < lowest || byte > highest) return null;
      return count === 1 ? after : continuation(next, count - 1);
    },
    closing: () => Buffer.concat([Uint8Array.of(lowest), Buffer.alloc(count - 1, 0x80), after.closing()]),
  };
}
