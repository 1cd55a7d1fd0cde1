import { describe, expect, it } from 'vitest';
import { practiceRows, scoreContent } from '../../practice/index.js';
import { TAGS } from '../../practice/redaction/tags.js';

const rows = (['train', 'held-out'] as const).flatMap(side => practiceRows('redaction', side, 200, 1));
const tags = Object.values(TAGS);

describe('redaction', () => {
  it('tags each person, address, number, street and user name: one or two in most texts', () => {
    const counts = rows.map(({ answer, values }) => {
      const found = tags.filter(tag => answer.includes(tag));
      expect(found.length, answer).toBe(values.length);
      return found.length;
    });
    expect(Math.max(...counts)).toBe(2);
    const plain = counts.filter(count => count === 0).length;
    expect(plain).toBeGreaterThan(0);
    expect(plain).toBeLessThan(60);
    for (const tag of tags)
      expect(rows.filter(({ answer }) => answer.includes(tag)).length, tag).toBeGreaterThan(60);
  });

  it('keeps the rest unchanged: with the values put back, it is the original text', () => {
    for (const { asked, answer, values } of rows)
      expect(values.reduce((text, value) => text.replace(value, '#').replace('@#', '#'), asked)).toBe(
        tags.reduce((text, tag) => text.replace(tag, '#'), answer),
      );
  });

  it('does not reveal the kind of a value by the words around it: most frames take every kind', () => {
    const many = practiceRows('redaction', 'train', 3000, 1);
    const tagsOf = new Map<string, Set<string>>();
    for (const { templates, answer } of many) {
      const seen = tagsOf.get(templates[0]!) ?? new Set();
      for (const tag of tags) if (answer.includes(tag)) seen.add(tag);
      tagsOf.set(templates[0]!, seen);
    }
    const open = many.filter(({ templates }) => tagsOf.get(templates[0]!)!.size === tags.length);
    expect(open.length).toBeGreaterThan(many.length / 2);
  });
});

describe('the content of a redacted text', () => {
  const asked = 'Call Mara Holt at 555-0188. The hen sleeps.';
  const expected = 'Call <who> at <ring>. The hen sleeps.';
  const score = (answered: string) => scoreContent('redaction', asked, expected, answered);

  it('is scored the same with any tags', () => {
    expect(score('call [NAME] at XXX, the hen sleeps')).toBe(1);
  });

  it('scores half when half of the values are still there', () => {
    expect(score('Call <who> at 555-0188. The hen sleeps.')).toBe(0.5);
    expect(score('Call <who> Holt at <ring>. The hen sleeps.')).toBe(0.5);
  });

  it('scores less when other words are missing', () => {
    expect(score('Call <who> at <ring>.')).toBeCloseTo(2 / 5);
    expect(scoreContent('redaction', 'To be or to be Mara.', 'To be or to be <who>.', 'to be or')).toBe(
      3 / 5,
    );
  });

  it('does not mistake a kept word for a hidden one', () => {
    const text = 'Ask <who> about the rose.';
    expect(scoreContent('redaction', 'Ask Rose Holt about the rose.', text, text)).toBe(1);
  });
});
