// Texts and rows of styled text by the columns that they take.
import { describe, expect, it } from 'vitest';
import {
  breakToWidth,
  cutMiddle,
  cutToWidth,
  displayWidth,
  dropWidth,
  fitSpans,
  fitText,
  messageRows,
  padToWidth,
  paragraphRows,
  type Span,
  spansWidth,
  takeEnd,
  takeWidth,
  wrapSpans,
  wrapToWidth,
  wrapWords,
} from '../../lib/console/index.js';

it.each([
  [0, ['']],
  [1, ['e\u0301', 'ที่']],
  [2, ['Ａ', '\u1112\u1161\u11ab', '🚀', '❤️', '👍🏽', '👩‍👩‍👧‍👦', '🇩🇪', 'नि', 'தொ', 'ｶﾞ', '葛\u{e0100}']],
  [3, ['●─│']],
  [4, ['翻訳', '한국']],
  [8, ['loss 0.5']],
])('%i columns are the width of %j', (width, texts) =>
  expect(texts.filter(text => displayWidth(text) !== width)).toEqual([]),
);

it('a text that is made to fit is cut, dropped or padded by columns, never within a letter', () => {
  expect([6, 4, 0].map(width => cutToWidth('triage', width))).toEqual(['triage', 'tri…', '']);
  expect([cutMiddle('acme/model-Q8_0', 9), cutMiddle('acme', 9), cutMiddle('acme', 2)]).toEqual([
    'acme…Q8_0',
    'acme',
    'a…',
  ]);
  expect(cutMiddle('翻訳翻訳翻訳', 6)).toBe('翻…訳');
  expect([cutToWidth('翻訳翻訳', 4), takeWidth('a翻訳', 2)]).toEqual(['翻…', 'a']);
  expect([3, 2].map(width => dropWidth('a翻訳', width))).toEqual(['訳', ' 訳']);
  expect([3, 2, 0].map(width => takeEnd('翻訳a', width))).toEqual(['訳a', 'a', '']);
  expect([dropWidth('triage', 4), dropWidth('翻', 4)]).toEqual(['ge', '']);
  expect([padToWidth('翻', 4), padToWidth('triage', 3)]).toEqual(['翻  ', 'triage']);
});

describe('a text in rows', () => {
  it.each([
    ['breaks between words', 'the job goes on', 8, ['the job', 'goes on']],
    ['is one row where it is short', 'short', 8, ['short']],
    ['is one row of nothing', '', 8, ['']],
    [
      'breaks a word that has no room, after what stands before it',
      'id abcdefghij',
      5,
      ['id', 'abcde', 'fghij'],
    ],
    ['breaks a long word as often as needed', 'abcdefghijkl', 5, ['abcde', 'fghij', 'kl']],
    ['breaks between wide letters', '翻訳翻', 3, ['翻', '訳', '翻']],
    ['keeps what stands at the beginning of a line', '    at main', 8, ['    at', 'main']],
    ['ends even where a letter is wider than the room', '翻訳', 1, ['翻', '訳', '']],
  ])('%s', (_, text, width, rows) => expect(wrapToWidth(text, width)).toEqual(rows));

  it('loses nothing but blanks at the ends, and is never wider than it may be', () => {
    const text =
      'Epoch 1/3  {"step":10,"loss":0.123456789}  翻訳 of 10,000 rows, 🚀 and a_very_long_word_unbroken';
    for (let width = 2; width < 60; width++) {
      const rows = wrapToWidth(text, width);
      expect(Math.max(...rows.map(displayWidth))).toBeLessThanOrEqual(width);
      expect(rows.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
    }
  });

  it('that are filled breaks at the last column, whatever stands there', () => {
    expect(breakToWidth("  -d '{ }'", 4)).toEqual(['  -d', " '{ ", "}'"]);
    expect([breakToWidth('翻訳翻', 3), breakToWidth('', 3)]).toEqual([['翻', '訳', '翻'], ['']]);
  });
});

/** Bold text between asterisks. */
const marked = (rows: readonly (readonly Span[])[]) =>
  rows.map(row => row.map(({ text, style }) => (style?.bold ? `*${text}*` : text)).join(''));

describe('text in several styles', () => {
  const bold = { text: 'three\nfour', style: { bold: true } };
  const parts: Span[] = [{ text: 'one two ' }, bold, { text: ' a-word-too-long' }];

  it('is wrapped between words or at the last column, and keeps its styles across lines', () => {
    expect(marked(wrapWords(parts, 10))).toEqual(['one two', '*three*', '*four*', 'a-word-too', '-long']);
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

it('a paragraph or message that is cut ends with an ellipsis, without what steers a terminal', () => {
  expect(paragraphRows('one two\nthree\u001b[2J', 5)).toEqual(['one', 'two', 'three']);
  expect(paragraphRows('one two three', 5, 2)).toEqual(['one', 'two…']);
  const message = messageRows('Start it with `svc cloud start` now\u0007.', 20);
  expect(marked(message)).toEqual(['Start it with *svc*', '*cloud start* now.']);
  expect(marked(messageRows('one `two` three', 5, {}, 2))).toEqual(['one', '*two*…']);
});
