import { describe, expect, it } from 'vitest';
import { partOfValue } from '../../corpus/index.js';
import { isHeldOutWording } from '../../corpus/partition.js';
import { PRACTICE_NAMES, practiceRows, scoreContent, scoreExact } from '../../practice/index.js';

describe.each(PRACTICE_NAMES)('the rows of %s', name => {
  const train = practiceRows(name, 'train', 500, 1);
  const heldOut = practiceRows(name, 'held-out', 100, 1);
  const all = [...train, ...heldOut];
  const asked = all.map(row => row.asked);

  it('have the requested number of questions with answers, and no question twice', () => {
    expect([train.length, heldOut.length]).toEqual([500, 100]);
    expect(new Set(asked).size).toBe(600);
    for (const { messages, asked: question, answer } of all)
      expect(messages).toEqual([
        { role: 'user', content: question },
        { role: 'assistant', content: answer },
      ]);
  });

  it('are all different, even in a long list', () => {
    const many = practiceRows(name, 'held-out', 3000, 1).map(row => row.asked);
    expect(new Set(many).size).toBe(3000);
  });

  it('are the same for the same seed, and different for another', () => {
    expect(practiceRows(name, 'train', 20, 1)).toEqual(train.slice(0, 20));
    expect(practiceRows(name, 'train', 20, 2)).not.toEqual(train.slice(0, 20));
  });

  it('are short', () => {
    const words = all.map(row => [row.asked, row.answer].map(text => text.split(/\s+/).length));
    expect(Math.max(...words.map(([question]) => question!))).toBeLessThanOrEqual(50);
    expect(Math.max(...words.map(([, answer]) => answer!))).toBeLessThanOrEqual(25);
  });

  it('list their values, each from the part of its side', () => {
    for (const { asked: question, values } of all)
      for (const value of values) expect(question).toContain(value);
    const partsOf = (rows: typeof all) =>
      new Set(rows.flatMap(({ values }) => values.flatMap(value => partOfName(value))));
    expect(partsOf(train)).toEqual(new Set(['practice']));
    expect(partsOf(heldOut)).toEqual(new Set(['practice-held-out']));
  });

  it('list their templates, each from its side', () => {
    for (const { templates } of all) expect(templates.length).toBeGreaterThanOrEqual(1);
    expect(train.flatMap(({ templates }) => templates).filter(isHeldOutWording)).toEqual([]);
    expect(heldOut.flatMap(({ templates }) => templates).every(isHeldOutWording)).toBe(true);
  });

  it('have no placeholders left', () => {
    expect(asked.filter(question => /[{}]/.test(question))).toEqual([]);
  });

  it('give full score to their own answers, and none to silence or an echo of the question', () => {
    // If there is nothing to hide, an echo is right.
    const changed = heldOut.filter(({ values }) => values.length > 0);
    for (const { asked: question, answer } of changed.slice(0, 30)) {
      expect(scoreExact(answer, ` ${answer}\n`)).toBe(1);
      expect(scoreContent(name, question, answer, answer)).toBe(1);
      expect(scoreExact(answer, question)).toBe(0);
      expect(scoreContent(name, question, answer, question)).toBeLessThan(0.5);
      expect(scoreContent(name, question, answer, '')).toBeLessThan(0.3);
    }
  });
});

/** A full name consists of two values. */
function partOfName(value: string): string[] {
  return /^\p{Lu}\p{L}+ \p{L}+$/u.test(value) ? value.split(' ').map(partOfValue) : [partOfValue(value)];
}
