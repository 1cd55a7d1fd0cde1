// Letters by a pattern are those of a segmenter, and as wide as a terminal's.
import stringWidth from 'string-width';
import { expect, it } from 'vitest';
import {
  breakToWidth,
  displayWidth,
  graphemesOf,
  isPlain,
  lastWord,
  takeEnd,
  takeWidth,
  wrapToWidth,
} from '../../lib/console/index.js';
import { createRandom } from '../support/random.js';

const intl = new Intl.Segmenter('en');
const inIntl = (text: string) => Array.from(intl.segment(text), ({ segment, index }) => ({ segment, index }));
const inOurs = (text: string) => Array.from(graphemesOf(text), ({ segment, index }) => ({ segment, index }));

const units = Array.from({ length: 0x1_00_00 }, (_, code) => String.fromCharCode(code));
const plain = units.filter(isPlain);
const styled = [...plain, ...units.slice(0, 32)];

it('each plain letter takes one column, each wide one two, and there are those of which a dashboard is made', () => {
  expect(plain.filter(letter => stringWidth(letter, { countAnsiEscapeCodes: true }) !== 1)).toEqual([]);
  const some = units.filter((letter, code) => code % 41 === 0 && /\p{L}/u.test(letter));
  const wide = some.filter(letter => takeWidth(letter, 1) === '');
  expect(wide.filter(letter => stringWidth(letter) !== 2)).toEqual([]);
  expect(isPlain('loss 0.5 · Überblick, ●─│ ⠙ ▶ ✓ …')).toBe(true);
  expect(['\n', '\u001b[1m', 'e\u0301', '翻', '🚀', '❤️', '\u00ad'].filter(isPlain)).toEqual([]);
});

it('texts of plain letters and control characters have the letters that a segmenter finds', () => {
  const { next } = createRandom(1);
  const pick = () => styled[Math.floor(next() * styled.length)]!;
  for (const letter of styled) expect(inOurs(`a${letter}b`)).toEqual(inIntl(`a${letter}b`));
  for (let count = 0; count < 500; count++) {
    const text = Array.from({ length: 40 }, pick).join('');
    expect(inOurs(text)).toEqual(inIntl(text));
  }
});

it.each(['', 'a\r\nb', '\u001b[1mloss\u001b[22m', 'e\u0301t', '👩‍👩‍👧‍👦x', 'ที่'])(
  'in %j, the letter at any code unit is that of a segmenter',
  text => {
    expect(inOurs(text)).toEqual(inIntl(text));
    const [ours, theirs] = [graphemesOf(text), intl.segment(text)];
    for (let index = -1; index <= text.length; index++)
      expect(ours.containing(index)?.segment).toBe(theirs.containing(index)?.segment);
    expect(ours.containing()?.index).toBe(theirs.containing()?.index);
  },
);

it('a long text has the letters that a segmenter finds, and their width', () => {
  const { next } = createRandom(2);
  const signs = [
    'a',
    ' ',
    '翻',
    '🇩🇪',
    '👩‍👩‍👧‍👦',
    'e\u0301',
    'नि',
    '\u1112\u1161',
    `x${'\u0301'.repeat(1500)}`,
  ];
  const text = Array.from({ length: 900 }, () => signs[Math.floor(next() ** 3 * signs.length)]!).join('');
  expect(inOurs(text)).toEqual(inIntl(text));
  expect(displayWidth(text)).toBe(stringWidth(text, { countAnsiEscapeCodes: true }));
  const letters = inIntl(text).map(({ segment }) => segment);
  for (const count of [1, 300, letters.length]) {
    const end = letters.slice(-count).join('');
    expect(takeEnd(text, displayWidth(end))).toBe(end);
  }
});

it.each(['👍🏽', '🇩🇪', '翻'])(
  'a long text of %s is read in pieces between letters, wherever they end',
  letter => {
    for (const before of ['', 'a', 'ab', 'abc']) {
      const text = before + letter.repeat(400);
      expect(inOurs(text)).toEqual(inIntl(text));
      expect(displayWidth(text)).toBe(before.length + 800);
    }
  },
);

it('a long text is read in pieces', () => {
  const text = '翻'.repeat(50_000);
  expect(displayWidth(text)).toBe(100_000);
  expect(lastWord(text)).toBe(text);
  expect(breakToWidth(text, 80)).toHaveLength(1250);
  expect(wrapToWidth(text, 80)).toHaveLength(1250);
});
