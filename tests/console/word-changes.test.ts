import { describe, expect, it } from 'vitest';
import { wordChanges } from '../../lib/console/word-changes.js';

describe('what changed between two texts', () => {
  it.each([
    ['the parcel is late', 'the parcel is lost', ['the parcel is ', '*lost']],
    ['', 'all new', ['*all new']],
    ['same', 'same', ['same']],
    ['a b c', 'b c d', ['b c', '* d']],
    ['{"desk":"coin"}', '{"desk":"box","heat":2}', ['{"desk":"', '*box', '"', '*,"heat":2', '}']],
    ['gone', '', []],
  ])('from %j to %j', (before, after, runs) => {
    const changes = wordChanges(before, after);
    expect(changes.map(({ text, isNew }) => (isNew ? `*${text}` : text))).toEqual(runs);
    expect(changes.map(({ text }) => text).join('')).toBe(after);
  });

  it('is everything where the texts are too long to compare', () => {
    const long = 'word '.repeat(2000);
    expect(wordChanges(long, `${long}end`)).toEqual([{ text: `${long}end`, isNew: true }]);
  });
});
