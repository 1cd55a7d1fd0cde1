import { describe, expect, it } from 'vitest';
import * as lists from '../../corpus/families/counting/wordings.js';
import { counting } from '../../corpus/families/counting.js';
import { converse, expectFamily, expectFilled, findList, toAnswers, toBareCases } from './family-checks.js';

/** Counted again, from the user's text and the thing that the system prompt names. */
const counters: Record<
  string,
  (input: string, isNamed: (word: string) => boolean, system: string) => number
> = {
  WORDS: input => input.match(/\S+/g)!.length,
  LETTERS: input => [...input].length,
  ITEMS: input => input.replace(/ and | \/ |; /g, ', ').split(', ').length,
  TIMES: (input, isNamed) => input.split(', ').filter(isNamed).length,
  LETTER_TIMES: (input, isNamed) => [...input].filter(isNamed).length,
  STARTING: (input, isNamed) => input.split(', ').filter(word => isNamed(word[0]!)).length,
  NUMBERS: input => input.match(/\b\d+\b/g)!.length,
  LINES: input => input.match(/\n/g)!.length + 1,
  WHO: (input, isNamed) =>
    Number(
      input
        .split(/, | and |; /)
        .find(part => isNamed(part.split(' ')[1]!))!
        .split(' ')[0],
    ),
};

describe('counting', () => {
  it('makes well-formed conversations and keeps the held-out side apart', () => {
    const conversations = expectFamily(counting);
    expectFilled(conversations);
    for (const { answer } of conversations.flatMap(toAnswers)) expect(answer).toMatch(/^\d{1,2}$/);
  });

  it('counts correctly', () => {
    const counted = new Set<string>();
    for (const { system, wordings, input, answer } of toBareCases(converse(counting, 'train', 900))) {
      const name = findList(lists, wordings)!;
      const template = wordings.find(wording => wording.includes('{item}'));
      const [before, after] = template?.split('{item}') ?? [];
      const isNamed = (word: string) => system.includes(`${before}${word}${after}`);
      expect(Number(answer), `${system}\n${input}`).toBe(counters[name]!(input, isNamed, system));
      counted.add(name);
    }
    expect([...counted].sort()).toEqual(Object.keys(counters).sort());
  });
});
