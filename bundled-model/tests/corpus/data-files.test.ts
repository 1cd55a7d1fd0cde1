import { describe, expect, it } from 'vitest';
import { byKind, toKind } from '../../corpus/families/texts/kinds.js';
import { toTheme } from '../../corpus/families/texts/theme.js';
import { billing } from '../../corpus/families/texts/themes/money.js';
import { readTexts } from '../../corpus/texts.js';

describe('a data file', () => {
  it('holds texts, lists and groups', () => {
    const data = { hello: { asks: ['Hi!'], answers: [['Hello!', '']] }, unknown: 'Who?' };
    expect(readTexts(data)).toEqual(data);
  });

  it.each([
    [{ asks: ['Hi!', 3] }, '1 must be a text, a list or a group, not 3.'],
    [{ hello: { asks: null } }, 'asks must be a text, a list or a group, not null.'],
    [[true], '0 must be a text, a list or a group, not true.'],
  ])('%j is refused', (data, message) => {
    expect(() => readTexts(data)).toThrow(message);
  });

  it('names only kinds of values that exist', () => {
    expect(toKind('name')).toBe('name');
    expect(byKind({ city: ['town'] })).toEqual({ city: ['town'] });
    expect(() => byKind({ town: ['city'] })).toThrow('There is no kind of value named "town".');
  });

  it('names only voices of themes that exist', () => {
    expect(() => toTheme({ ...billing, voice: 'second' })).toThrow('There is no voice named "second".');
  });
});
