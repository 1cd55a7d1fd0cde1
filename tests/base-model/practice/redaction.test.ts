import { describe, expect, it } from 'vitest';
import { practiceRows, scoreContent } from '../../../lib/base-model/practice/index.js';

const rows = (['train', 'held-out'] as const).flatMap(side => practiceRows('redaction', side, 200, 1));
const tags = ['<who>', '<mail>', '<ring>', '<spot>'];
const isOrder = (value: string) => rows.some(({ answer }) => answer.includes(value));

describe('redaction', () => {
  it('puts a tag for each person, address, number and street, one to three in a text', () => {
    for (const { answer } of rows) {
      const found = tags.filter(tag => answer.includes(tag));
      expect(found.length).toBeGreaterThanOrEqual(1);
      expect(found.length).toBeLessThanOrEqual(3);
    }
    for (const tag of tags)
      expect(rows.filter(({ answer }) => answer.includes(tag)).length, tag).toBeGreaterThan(80);
  });

  it('keeps the rest to the letter: with the values back in place it is the text again', () => {
    for (const { asked, answer, values } of rows) {
      const hidden = values.filter(value => !isOrder(value));
      expect(hidden.reduce((text, value) => text.replace(value, '#'), asked)).toBe(
        tags.reduce((text, tag) => text.replace(tag, '#'), answer),
      );
    }
  });

  it('keeps order numbers, which some texts have', () => {
    const kept = rows.filter(({ values }) => values.some(isOrder));
    expect(kept.length).toBeGreaterThan(40);
  });
});

describe('the content of a redacted text', () => {
  const asked = 'Call Mara Holt at 555-0188. The hen sleeps.';
  const expected = 'Call <who> at <ring>. The hen sleeps.';
  const score = (answered: string) => scoreContent('redaction', asked, expected, answered);

  it('counts with any tags', () => {
    expect(score('call [NAME] at XXX, the hen sleeps')).toBe(1);
  });

  it('counts half when half of the values are still there', () => {
    expect(score('Call <who> at 555-0188. The hen sleeps.')).toBe(0.5);
    expect(score('Call <who> Holt at <ring>. The hen sleeps.')).toBe(0.5);
  });

  it('counts less when other words are gone', () => {
    expect(score('Call <who> at <ring>.')).toBeCloseTo(2 / 5);
    expect(scoreContent('redaction', 'To be or to be Mara.', 'To be or to be <who>.', 'to be or')).toBe(
      3 / 5,
    );
  });

  it('does not take a word that stays for one that is hidden', () => {
    const text = 'Ask <who> about the rose.';
    expect(scoreContent('redaction', 'Ask Rose Holt about the rose.', text, text)).toBe(1);
  });
});
