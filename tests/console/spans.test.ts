import { describe, expect, it } from 'vitest';
import {
  fitSpans,
  fitText,
  messageRows,
  paragraphRows,
  type Span,
  spansWidth,
  wrapSpans,
  wrapWords,
} from '../../lib/console/index.js';

/** Bold text between asterisks. */
const marked = (rows: readonly (readonly Span[])[]) =>
  rows.map(row => row.map(({ text, style }) => (style?.bold ? `*${text}*` : text)).join(''));

describe('text in several styles', () => {
  const parts: Span[] = [
    { text: 'one two ' },
    { text: 'three\nfour', style: { bold: true } },
    { text: ' a-word-too-long' },
  ];

  it('is wrapped between words, and keeps its styles across lines', () => {
    expect(marked(wrapWords(parts, 10))).toEqual(['one two', '*three*', '*four*', 'a-word-too', '-long']);
  });

  it('is wrapped at the last column, never through a wide letter', () => {
    expect(marked(wrapSpans(parts, 10))).toEqual(['one two *th*', '*ree*', '*four* a-wor', 'd-too-long']);
    expect(marked(wrapSpans([{ text: 'a翻訳\tb' }], 4))).toEqual(['a翻', '訳  ', '  b']);
    expect(marked(wrapSpans([{ text: '翻a' }], 1))).toEqual(['']);
  });

  it('fills the room that it has, cut by columns', () => {
    const row: Span[] = [{ text: 'running', style: { tone: 'running' } }, { text: ' 翻訳 triage' }];
    for (let width = 0; width < 40; width++) expect(spansWidth(fitSpans(row, width))).toBe(width);
    expect(marked([fitSpans(row, 10)])).toEqual(['running … ']);
    expect(fitSpans(row, 7)[0]).toEqual({ text: 'runnin', style: { tone: 'running' } });
    expect([fitText('翻訳する', 6), fitText('a\nb', 5, 'right')]).toEqual(['翻訳… ', '  a b']);
  });
});

it('a paragraph or message that is cut ends with an ellipsis, and what steers a terminal is left out', () => {
  expect(paragraphRows('one two\nthree\u001b[2J', 5)).toEqual(['one', 'two', 'three']);
  expect(paragraphRows('one two three', 5, 2)).toEqual(['one', 'two…']);
  expect(marked(messageRows('Start it with `svc cloud start` now\u0007.', 20))).toEqual([
    'Start it with *svc*',
    '*cloud start* now.',
  ]);
  expect(marked(messageRows('one `two` three', 5, {}, 2))).toEqual(['one', '*two*…']);
});
