import { describe, expect, it } from 'vitest';
import * as lists from '../../corpus/families/sorting/wordings.js';
import { sorting } from '../../corpus/families/sorting.js';
import { converse, expectFamily, expectFilled, findList, toBareCases } from './family-checks.js';

const MARKS = ['\n', '; ', ', ', ' - ', ' '];
const alphabet = new Intl.Collator('en');

const pairs = (items: string[]) => items.slice(1).map((item, i) => [items[i]!, item] as const);
const isEach = (items: string[], holds: (before: string, after: string) => boolean) =>
  pairs(items).every(([before, after]) => holds(before, after));

/** Whether the answer is right. The rules check it without sorting anything. */
const rules: Record<string, (answer: string[], items: string[]) => boolean> = {
  WORDS_UP: answer => isEach(answer, (a, b) => alphabet.compare(a, b) < 0),
  WORDS_DOWN: answer => isEach(answer, (a, b) => alphabet.compare(a, b) > 0),
  NUMBERS_UP: answer => isEach(answer, (a, b) => Number(a) < Number(b)),
  NUMBERS_DOWN: answer => isEach(answer, (a, b) => Number(a) > Number(b)),
  REVERSE: (answer, items) => answer.every((item, i) => item === items.at(-1 - i)),
  LONGEST: ([answer], items) => items.every(item => item === answer || item.length < answer!.length),
  SHORTEST: ([answer], items) => items.every(item => item === answer || item.length > answer!.length),
  BIGGEST: ([answer], items) => items.every(item => Number(item) <= Number(answer)),
  SMALLEST: ([answer], items) => items.every(item => Number(item) >= Number(answer)),
  FIRST: ([answer], items) => items[0] === answer,
  LAST: ([answer], items) => items.at(-1) === answer,
  EARLIEST: ([answer], items) => items.every(item => alphabet.compare(item, answer!) >= 0),
  LATEST: ([answer], items) => items.every(item => alphabet.compare(item, answer!) <= 0),
};

describe('sorting', () => {
  it('makes well-formed conversations and keeps the held-out side apart', () => {
    expectFilled(expectFamily(sorting));
  });

  it('gives the requested order, written the way the list was', () => {
    const seen = new Set<string>();
    for (const { system, wordings, input, answer } of toBareCases(converse(sorting, 'train', 900))) {
      const name = findList(lists, wordings)!;
      const mark = MARKS.find(each => input.includes(each))!;
      const [items, answered] = [input.split(mark), answer.split(mark)];
      expect(rules[name]!(answered, items), `${system}\n${input}\n${answer}`).toBe(true);
      for (const item of answered) expect(items).toContain(item);
      expect(answered.length === 1 || answered.length === items.length).toBe(true);
      seen.add(name);
    }
    expect([...seen].sort()).toEqual(Object.keys(rules).sort());
  });
});
