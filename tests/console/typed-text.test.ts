import { expect, it } from 'vitest';
import {
  asciiGlyphs,
  displayWidth,
  splitAtCursor,
  toAscii,
  toTyped,
  unicodeGlyphs,
} from '../../lib/console/index.js';

it.each([
  ['abc', 0, { before: 'abc', last: 'c', atCursor: '', after: '', rest: '' }],
  ['abc', 2, { before: 'a', last: 'a', atCursor: 'b', after: 'bc', rest: 'c' }],
  ['a👍🏽b', 5, { before: 'a', last: 'a', atCursor: '👍🏽', after: '👍🏽b', rest: 'b' }],
  ['a👍🏽b', 1, { before: 'a👍🏽', last: '👍🏽', atCursor: 'b', after: 'b', rest: '' }],
  ['ab', 9, { before: '', last: '', atCursor: 'a', after: 'ab', rest: 'b' }],
])('splits %s at a cursor %d before its end, between whole characters', (text, behind, parts) => {
  expect(splitAtCursor(text, behind)).toEqual(parts);
});

it('types nothing that no key types', () => {
  expect(toTyped('a\ud83d\u001b[2Jb\nc')).toBe('ab c');
});

it.each([
  ['plain', 'plain'],
  ['cafe\u0301… · 翻', 'cafe. - ??'],
  ['– ’', "- '"],
])('%s keeps its width in ASCII', (text, ascii) => {
  expect(toAscii(text)).toBe(ascii);
  expect(displayWidth(ascii)).toBe(displayWidth(text));
});

it('has every glyph in ASCII', () => {
  expect(JSON.stringify(asciiGlyphs)).toMatch(/^[ -~]+$/);
  expect(Object.keys(asciiGlyphs)).toEqual(Object.keys(unicodeGlyphs));
});
