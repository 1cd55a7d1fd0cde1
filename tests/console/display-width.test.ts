import { describe, expect, it } from 'vitest';
import {
  breakToWidth,
  cutToWidth,
  displayWidth,
  dropWidth,
  padToWidth,
  takeWidth,
  wrapToWidth,
} from '../../lib/console/index.js';

describe('the width of a text', () => {
  it.each([
    ['', 0],
    ['loss 0.5', 8],
    ['●─│', 3],
    ['翻訳', 4],
    ['Ａ', 2],
    ['한국', 4],
    ['\u1112\u1161\u11ab', 2],
    ['🚀', 2],
    ['❤️', 2],
    ['👍🏽', 2],
    ['👩‍👩‍👧‍👦', 2],
    ['🇩🇪', 2],
    ['e\u0301', 1],
    ['ที่', 1],
    ['नि', 2],
    ['தொ', 2],
    ['ｶﾞ', 2],
    ['葛\u{e0100}', 2],
  ])('%s takes %i columns', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});

describe('a text that is made to fit', () => {
  it('is cut with an ellipsis, and never in the middle of a letter', () => {
    expect(cutToWidth('triage', 6)).toBe('triage');
    expect(cutToWidth('triage', 4)).toBe('tri…');
    expect(cutToWidth('翻訳翻訳', 4)).toBe('翻…');
    expect(cutToWidth('triage', 0)).toBe('');
    expect(takeWidth('a翻訳', 2)).toBe('a');
  });

  it('can be read on from a column, where of a letter that is cut in two spaces are left', () => {
    expect(dropWidth('triage', 4)).toBe('ge');
    expect(dropWidth('a翻訳', 3)).toBe('訳');
    expect(dropWidth('a翻訳', 2)).toBe(' 訳');
    expect(dropWidth('翻', 4)).toBe('');
  });

  it('is padded by columns', () => {
    expect(padToWidth('翻', 4)).toBe('翻  ');
    expect(padToWidth('triage', 3)).toBe('triage');
  });
});

describe('a text in rows', () => {
  it('breaks between words', () => {
    expect(wrapToWidth('the job goes on', 8)).toEqual(['the job', 'goes on']);
    expect(wrapToWidth('short', 8)).toEqual(['short']);
    expect(wrapToWidth('', 8)).toEqual(['']);
  });

  it('breaks a word that has no room, after what stands before it', () => {
    expect(wrapToWidth('id abcdefghij', 5)).toEqual(['id', 'abcde', 'fghij']);
    expect(wrapToWidth('abcdefghijkl', 5)).toEqual(['abcde', 'fghij', 'kl']);
    expect(wrapToWidth('翻訳翻', 3)).toEqual(['翻', '訳', '翻']);
  });

  it('keeps what stands at the beginning of a line where it is', () => {
    expect(wrapToWidth('    at main', 8)).toEqual(['    at', 'main']);
  });

  it('ends even where a letter is wider than the room', () => {
    expect(wrapToWidth('翻訳', 1)).toEqual(['翻', '訳', '']);
  });

  it('loses nothing but blanks at the ends, and is never wider than it may be', () => {
    const text =
      'Epoch 1/3  {"step":10,"loss":0.123456789}  翻訳 of 10,000 rows, 🚀 and a_very_long_word_without_a_break';
    for (let width = 2; width < 60; width++) {
      const rows = wrapToWidth(text, width);
      expect(Math.max(...rows.map(displayWidth))).toBeLessThanOrEqual(width);
      expect(rows.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
    }
  });
});

describe('a text in filled rows', () => {
  it('breaks at the last column, whatever stands there', () => {
    expect(breakToWidth("  -d '{ }'", 4)).toEqual(['  -d', " '{ ", "}'"]);
    expect(breakToWidth('翻訳翻', 3)).toEqual(['翻', '訳', '翻']);
    expect(breakToWidth('', 3)).toEqual(['']);
  });
});
