import { describe, expect, it } from 'vitest';
import { STORIES } from '../../corpus/families/arithmetic/stories.js';
import * as lists from '../../corpus/families/arithmetic/wordings.js';
import { arithmetic } from '../../corpus/families/arithmetic.js';
import { converse, expectFamily, expectFilled, findList, toAnswers, toBareCases } from './family-checks.js';

const toNumbers = (text: string) => Array.from(text.matchAll(/\d+/g), Number);

/** Computed from the numbers in the question, in any order. */
const solvers: Record<string, (a: number, b: number) => number | string> = {
  plus: (a, b) => a + b,
  minus: (a, b) => Math.abs(a - b),
  times: (a, b) => a * b,
  parts: (a, b) => Math.max(a, b) / Math.min(a, b),
  PLUS: (a, b) => a + b,
  MINUS: (a, b) => Math.abs(a - b),
  TIMES: (a, b) => a * b,
  PARTS: (a, b) => Math.max(a, b) / Math.min(a, b),
  MISSING: (a, b) => Math.abs(a - b),
  DOUBLE: a => a * 2,
  HALF: a => a / 2,
  BIGGER: Math.max,
  SMALLER: Math.min,
  IS_MORE: (a, b) => (a > b ? 'Yes' : 'No'),
  IS_LESS: (a, b) => (a < b ? 'Yes' : 'No'),
};

/** Evaluates "7 + 12 - 3" from left to right. */
function evaluate(text: string): number | undefined {
  const terms = text.match(/(\d+) ?(\+|-|x|\*|times|plus|minus|divided by|\/|:) ?(\d+)(?: ([+-]) (\d+))?/);
  if (!terms) return undefined;
  const [a, b, c] = [Number(terms[1]), Number(terms[3]), Number(`${terms[4] ?? ''}${terms[5] ?? 0}`)];
  const sign = terms[2]!;
  if (sign === '+' || sign === 'plus') return a + b + c;
  if (sign === '-' || sign === 'minus') return a - b + c;
  return sign === 'x' || sign === '*' || sign === 'times' ? a * b : a / b;
}

const questions = Object.fromEntries(Object.entries(lists).filter(([name]) => name in solvers));

describe('arithmetic', () => {
  it('makes well-formed conversations and keeps the held-out side apart', () => {
    expectFilled(expectFamily(arithmetic));
  });

  it('gets every expression right', () => {
    const expressions = converse(arithmetic, 'train', 900).filter(({ wordings }) =>
      wordings.some(
        wording => lists.CALCULATE.includes(wording) || lists.CALCULATE_MESSAGES.includes(wording),
      ),
    );
    const answers = expressions.flatMap(toAnswers).filter(({ asked }) => !/\d\D*\n/.test(asked));
    expect(answers.length).toBeGreaterThan(100);
    for (const { asked, answer } of answers) expect(Number(answer), asked).toBe(evaluate(asked));
  });

  it('gets every question and story right', () => {
    const seen = new Set<string>();
    for (const { wordings, input, answer } of toBareCases(converse(arithmetic, 'train', 1500))) {
      const name = findList(STORIES, wordings) ?? findList(questions, wordings);
      if (!name) continue;
      const numbers = toNumbers(input);
      const solved = String(solvers[name]!(numbers[0]!, numbers.at(-1)!));
      expect(/\d/.test(answer) ? String(toNumbers(answer)[0]) : answer, input).toBe(solved);
      seen.add(name);
    }
    expect([...seen].sort()).toEqual(Object.keys(solvers).sort());
  });

  it('says who has more and what comes next', () => {
    const answers = converse(arithmetic, 'train', 900).flatMap(toAnswers);
    const who = answers.filter(({ asked }) => /Who has (more|fewer)/.test(asked));
    expect(who.length).toBeGreaterThan(3);
    for (const { asked, answer } of who) {
      const [, name, a, name2, b, which] = asked.match(
        /(\S+) has (\d+) \w+ and (\S+) has (\d+)\. Who has (more|fewer)/,
      )!;
      const isFirst = Number(a) > Number(b) === (which === 'more');
      expect(answer.startsWith(`${isFirst ? name : name2} has`), asked).toBe(true);
    }
    for (const { asked, answer } of answers) {
      const run = asked
        .match(/(\d+), (\d+), (\d+), (\d+)/)
        ?.slice(1)
        .map(Number);
      if (run) expect(Number(answer), asked).toBe(run[3]! + run[1]! - run[0]!);
    }
  });
});
