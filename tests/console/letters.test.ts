// Letters by a pattern are those of a segmenter, and as wide as a terminal's.
import stringWidth from 'string-width';
import { expect, it } from 'vitest';
import { graphemesOf, isPlain } from '../../lib/console/index.js';
import { createRandom } from '../support/random.js';

const intl = new Intl.Segmenter('en');
const inIntl = (text: string) => Array.from(intl.segment(text), ({ segment, index }) => ({ segment, index }));
const inOurs = (text: string) => Array.from(graphemesOf(text), ({ segment, index }) => ({ segment, index }));

const units = Array.from({ length: 0x1_00_00 }, (_, code) => String.fromCharCode(code));
const plain = units.filter(isPlain);
const styled = [...plain, ...units.slice(0, 32)];

it('each plain letter takes one column, and there are those of which a dashboard is made', () => {
  expect(plain.filter(letter => stringWidth(letter, { countAnsiEscapeCodes: true }) !== 1)).toEqual([]);
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
