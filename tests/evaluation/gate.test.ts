// Whether something may be served: what a margin asks of an interval, and which checks decide. And the general rows.
import { describe, expect, it } from 'vitest';
import { buildGate, compareScores, GENERAL_SET, judgeComparison } from '../../lib/evaluation/index.js';

/** Of 200 rows of which so many got better and worse. */
const compare = (better: number, worse: number) =>
  compareScores(
    { name: 'exact', kind: 'share' },
    Array.from({ length: 200 }, (_, row) => {
      if (row < better) return [1, 0] as const;
      return row < better + worse ? ([0, 1] as const) : ([1, 1] as const);
    }),
  );

const answered = { data: { rows: 200 }, failed: 3 };

const gateOf = (better: number, worse: number, ...others: Parameters<typeof buildGate>[2]) => {
  const comparison = { scores: [compare(better, worse)] };
  return buildGate({ ...answered, comparison }, { margin: null }, others);
};

describe('a comparison', () => {
  it('without a margin fails if a loss was found', () => {
    expect(judgeComparison(compare(0, 0), null)).toBe('passed');
    expect(judgeComparison(compare(5, 9), null)).toBe('passed');
    expect(judgeComparison(compare(20, 2), null)).toBe('passed');
    expect(judgeComparison(compare(2, 20), null)).toBe('failed');
  });

  it('with a margin passes only if the loss is shown to be smaller', () => {
    expect(judgeComparison(compare(5, 9), 0.02)).toBe('failed');
    expect(judgeComparison(compare(5, 9), 0.1)).toBe('passed');
    // Found, and small.
    expect(judgeComparison(compare(2, 20), 0.2)).toBe('passed');
  });

  it.each([
    ['share', -0.01, 0.03, 'passed'],
    ['share', -0.05, 0.03, 'failed'],
    ['share', -0.09, -0.03, 'failed'],
    // A longer distance is a loss.
    ['distance', -0.03, 0.01, 'passed'],
    ['distance', 0.03, 0.09, 'failed'],
  ] as const)('of a %s from %d to %d with a margin of 0.02: %s', (kind, low, high, outcome) => {
    expect(judgeComparison({ ...compare(0, 0), kind, low, high }, 0.02)).toBe(outcome);
  });
});

describe('a gate', () => {
  const general = (outcome: 'passed' | 'failed' | 'skipped') => ({ check: 'general', outcome }) as const;

  it('passes unless a check fails, and lists tests first', () => {
    const { passed, checks } = gateOf(9, 3, general('skipped'), { check: 'tests', outcome: 'passed' });
    expect(passed).toBe(true);
    expect(checks.map(({ check, outcome }) => [check, outcome])).toEqual([
      ['tests', 'passed'],
      ['rows', 'passed'],
      ['general', 'skipped'],
    ]);
  });

  it('lets an endpoint that follows move, unless it was about a trial', () => {
    const comparison = { scores: [compare(9, 3)] };
    const movesFor = (trial?: 'dry_run' | 'canary') => {
      const gate = buildGate({ ...answered, comparison }, { margin: null, ...(trial && { trial }) }, []);
      return [gate.movesFollowers, gate.trial];
    };
    expect(movesFor()).toEqual([true, undefined]);
    expect(movesFor('dry_run')).toEqual([false, 'dry_run']);
    expect(movesFor('canary')).toEqual([false, 'canary']);
  });

  it.each([
    ['the rows', gateOf(0, 30, general('passed'))],
    ['the general rows', gateOf(30, 0, general('failed'))],
    ['the tests', gateOf(30, 0, { check: 'tests', outcome: 'failed' }, general('passed'))],
    ['that no row has a score', buildGate(answered, { margin: null }, [])],
    [
      'that no row has an answer',
      buildGate({ ...answered, failed: 200, comparison: { scores: [compare(0, 0)] } }, { margin: null }, []),
    ],
  ])('fails because of %s', (_, { passed }) => {
    expect(passed).toBe(false);
  });
});

describe('the general rows', () => {
  const answerOf = (question: string): number => {
    const [, one, sign, other] = /^What is (\d+) ([-+*/]) (\d+)\?/.exec(question)!;
    const [a, b] = [Number(one), Number(other)];
    return { '+': a + b, '-': a - b, '*': a * b, '/': a / b }[sign!]!;
  };

  it('are a few dozen, all different', () => {
    expect(GENERAL_SET).toHaveLength(48);
    expect(new Set(GENERAL_SET.map(({ input }) => input)).size).toBe(48);
  });

  it('have right answers', () => {
    const sums = GENERAL_SET.filter(({ input }) => input.startsWith('What is '));
    const calculated = sums.filter(({ input }) => /\d/.test(input));
    expect(calculated).toHaveLength(16);
    for (const { input, output } of calculated) expect(output, input).toBe(String(answerOf(input)));
    const copied = GENERAL_SET.filter(({ input }) => input.startsWith('Repeat this text'));
    expect(copied).toHaveLength(16);
    for (const { input, output } of copied) expect(input.split('\n')[1]).toBe(output);
    for (const { input, output } of GENERAL_SET.filter(row => row.input.includes('JSON')))
      expect(() => JSON.parse(output), input).not.toThrow();
  });
});
