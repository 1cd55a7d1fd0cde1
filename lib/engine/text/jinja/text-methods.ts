// The methods of Python's `str`.
import { defineAll } from './functions.js';
import { countBefore, within } from './slices.js';
import {
  type Callable,
  iterate,
  lengthOf,
  requireInteger,
  requireText,
  Tuple,
  typeOf,
  type Value,
} from './values.js';

const SPACE = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const SPACES = new RegExp(`[${SPACE}]+`, 'g');
const AT_START = new RegExp(`^[${SPACE}]+`);
const ONLY_SPACES = new RegExp(`^[${SPACE}]+$`);
const LINE_END = '\\n\\r\\v\\f\\x1c-\\x1e\\x85\\u2028\\u2029';
const LINE_ENDS = new RegExp(`\\r\\n|[${LINE_END}]`, 'g');

/** Removes these characters from the ends of a text, or white space. */
export function strip(text: string, given: Value, atStart = true, atEnd = true): string {
  const isStripped =
    given === null
      ? (character: string) => ONLY_SPACES.test(character)
      : (character: string) => requireText(given, 'strip()').includes(character);
  const characters = given === null ? text : [...text];
  let [start, end] = [0, characters.length];
  while (atStart && start < end && isStripped(characters[start]!)) start++;
  while (atEnd && start < end && isStripped(characters[end - 1]!)) end--;
  if (typeof characters === 'string') return characters.slice(start, end);
  return characters.slice(start, end).join('');
}

export function replace(text: string, old: string, by: string, count = -1): string {
  const isChanged = (index: number) => count < 0 || index < count;
  if (old === '') {
    const characters = [...text];
    const last = isChanged(characters.length) ? by : '';
    return characters.map((character, index) => (isChanged(index) ? by : '') + character).join('') + last;
  }
  const [first, ...others] = text.split(old);
  return first + others.map((piece, index) => (isChanged(index) ? by : old) + piece).join('');
}

function splitAt(text: string, separator: Value, most: number): string[] {
  if (separator === null) return splitAtSpaces(text, most);
  const mark = requireText(separator, 'split()');
  if (mark === '') throw new Error('empty separator');
  const pieces = text.split(mark);
  if (most < 0 || pieces.length <= most + 1) return pieces;
  return [...pieces.slice(0, most), pieces.slice(most).join(mark)];
}

function splitAtSpaces(text: string, most: number): string[] {
  const pieces: string[] = [];
  let left = text.replace(AT_START, '');
  while (left !== '') {
    const at = left.search(SPACES);
    if (at < 0 || pieces.length === most) return [...pieces, left];
    pieces.push(left.slice(0, at));
    left = left.slice(at).replace(AT_START, '');
  }
  return pieces;
}

const backwards = (text: string) => [...text].reverse().join('');

function splitFromEnd(text: string, separator: Value, most: number): string[] {
  const mark = typeof separator === 'string' ? backwards(separator) : separator;
  return splitAt(backwards(text), mark, most).map(backwards).reverse();
}

export function splitLines(text: string, keepsEnds = false): string[] {
  const lines: string[] = [];
  let from = 0;
  for (const { 0: mark, index } of text.matchAll(LINE_ENDS)) {
    lines.push(text.slice(from, keepsEnds ? index + mark.length : index));
    from = index + mark.length;
  }
  return from < text.length ? [...lines, text.slice(from)] : lines;
}

function find(
  text: string,
  wanted: string,
  [start, stop]: readonly [Value, Value],
  fromEnd: boolean,
): number {
  const { part, offset } = within(text, start, stop);
  const at = fromEnd ? part.lastIndexOf(wanted) : part.indexOf(wanted);
  return at < 0 ? -1 : countBefore(text, offset + at);
}

function requireFound(at: number): number {
  if (at < 0) throw new Error('substring not found');
  return at;
}

function beginsOrEnds(
  method: 'startsWith' | 'endsWith',
  text: string,
  affix: Value,
  bounds: readonly [Value, Value],
) {
  const name = `${method.toLowerCase()}()`;
  const { part } = within(text, ...bounds);
  const affixes = affix instanceof Tuple ? affix.items : [affix];
  return affixes.some(item => part[method](requireText(item, name)));
}

/** The first letter in upper case. A ligature becomes one upper and one lower letter. */
const toTitle = (letter: string) => {
  const [first = '', ...others] = letter.toUpperCase();
  return first + others.join('').toLowerCase();
};

export function capitalize(text: string): string {
  const [first = ''] = text;
  return toTitle(first) + text.slice(first.length).toLowerCase();
}

const CASED_WORDS = /\p{Cased}+/gu;

function fill(text: string, width: number, by: string, side: 'left' | 'right'): string {
  const missing = Math.max(0, width - lengthOf(text)!);
  return side === 'left' ? by.repeat(missing) + text : text + by.repeat(missing);
}

export function center(text: string, width: number, by = ' '): string {
  const missing = Math.max(0, width - lengthOf(text)!);
  const left = Math.floor(missing / 2) + (missing & width & 1);
  return by.repeat(left) + text + by.repeat(missing - left);
}

function partition(text: string, mark: string, at: number, otherwise: readonly string[]): Tuple {
  if (mark === '') throw new Error('empty separator');
  return new Tuple(at < 0 ? otherwise : [text.slice(0, at), mark, text.slice(at + mark.length)]);
}

function join(separator: string, items: Value): string {
  return iterate(items)
    .map((item, index) => {
      if (typeof item === 'string') return item;
      throw new Error(`sequence item ${index}: expected str instance, ${typeOf(item)} found`);
    })
    .join(separator);
}

const text = (value: Value) => requireText(value, 'the method');
const width = (value: Value) => requireInteger(value, 'the method');

export const TEXT_METHODS: ReadonlyMap<string, Callable> = defineAll({
  'strip text chars': (self: string, chars: Value = null) => strip(self, chars),
  'lstrip text chars': (self: string, chars: Value = null) => strip(self, chars, true, false),
  'rstrip text chars': (self: string, chars: Value = null) => strip(self, chars, false, true),
  'lower text': (self: string) => self.toLowerCase(),
  'upper text': (self: string) => self.toUpperCase(),
  'capitalize text': (self: string) => capitalize(self),
  'title text': (self: string) => self.replace(CASED_WORDS, word => capitalize(word)),
  'swapcase text': (self: string) =>
    Array.from(self, letter =>
      /\p{Lu}/u.test(letter) ? letter.toLowerCase() : /\p{Ll}/u.test(letter) ? letter.toUpperCase() : letter,
    ).join(''),
  'startswith text prefix start end': (self: string, prefix: Value, start: Value = null, end: Value = null) =>
    beginsOrEnds('startsWith', self, prefix, [start, end]),
  'endswith text suffix start end': (self: string, suffix: Value, start: Value = null, end: Value = null) =>
    beginsOrEnds('endsWith', self, suffix, [start, end]),
  'removeprefix text prefix': (self: string, prefix: Value) =>
    self.startsWith(text(prefix)) ? self.slice(text(prefix).length) : self,
  'removesuffix text suffix': (self: string, suffix: Value) =>
    suffix !== '' && self.endsWith(text(suffix)) ? self.slice(0, -text(suffix).length) : self,
  'replace text old new count': (self: string, old: Value, by: Value, count: Value = -1) =>
    replace(self, text(old), text(by), width(count)),
  'split text sep maxsplit': (self: string, separator: Value = null, most: Value = -1) =>
    splitAt(self, separator, width(most)),
  'rsplit text sep maxsplit': (self: string, separator: Value = null, most: Value = -1) =>
    splitFromEnd(self, separator, width(most)),
  'splitlines text keepends': (self: string, keepsEnds: Value = false) =>
    splitLines(self, Boolean(keepsEnds)),
  'partition text sep': (self: string, mark: Value) =>
    partition(self, text(mark), self.indexOf(text(mark)), [self, '', '']),
  'rpartition text sep': (self: string, mark: Value) =>
    partition(self, text(mark), self.lastIndexOf(text(mark)), ['', '', self]),
  'join text iterable': (self: string, items: Value) => join(self, items),
  'find text sub start end': (self: string, sub: Value, start: Value = null, end: Value = null) =>
    find(self, text(sub), [start, end], false),
  'rfind text sub start end': (self: string, sub: Value, start: Value = null, end: Value = null) =>
    find(self, text(sub), [start, end], true),
  'index text sub start end': (self: string, sub: Value, start: Value = null, end: Value = null) =>
    requireFound(find(self, text(sub), [start, end], false)),
  'rindex text sub start end': (self: string, sub: Value, start: Value = null, end: Value = null) =>
    requireFound(find(self, text(sub), [start, end], true)),
  'count text sub start end': (self: string, sub: Value, start: Value = null, end: Value = null) => {
    const { part } = within(self, start, end);
    return sub === '' ? lengthOf(part)! + 1 : part.split(text(sub)).length - 1;
  },
  'center text width fillchar': (self: string, size: Value, by: Value = ' ') =>
    center(self, width(size), text(by)),
  'ljust text width fillchar': (self: string, size: Value, by: Value = ' ') =>
    fill(self, width(size), text(by), 'right'),
  'rjust text width fillchar': (self: string, size: Value, by: Value = ' ') =>
    fill(self, width(size), text(by), 'left'),
  'zfill text width': (self: string, size: Value) => {
    const [sign = ''] = /^[-+]/.exec(self) ?? [];
    return sign + fill(self.slice(sign.length), width(size) - sign.length, '0', 'left');
  },
  'isdigit text': (self: string) => /^[\p{Nd}²³¹⁰⁴-⁹₀-₉]+$/u.test(self),
  'isdecimal text': (self: string) => /^\p{Nd}+$/u.test(self),
  'isalpha text': (self: string) => /^\p{L}+$/u.test(self),
  'isalnum text': (self: string) => /^[\p{L}\p{N}]+$/u.test(self),
  'isascii text': (self: string) => /^\p{ASCII}*$/u.test(self),
  'isspace text': (self: string) => ONLY_SPACES.test(self),
  'islower text': (self: string) => isLower(self),
  'isupper text': (self: string) => isUpper(self),
});

export const isLower = (self: string): boolean =>
  /\p{Lowercase}/u.test(self) && !/[\p{Uppercase}\p{Lt}]/u.test(self);

export const isUpper = (self: string): boolean =>
  /\p{Uppercase}/u.test(self) && !/[\p{Lowercase}\p{Lt}]/u.test(self);
