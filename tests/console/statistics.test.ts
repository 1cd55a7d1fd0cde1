import { describe, expect, test } from 'vitest';
import { criticalValue95, percentile, STUDENT_T_95, summarize } from '../../lib/console/chart/statistics.js';
import { readingFigures, readingText, summaryFigures } from '../../lib/console/index.js';
import expected from '../golden/statistics/expected.json' with { type: 'json' };

type Figures = Record<string, number | null>;

describe.each(expected.dataSets)('of $name', ({ values, expected: figures }) => {
  const summary = { ...summarize(values) } as Figures;

  test.each(Object.entries(figures as Figures))('%s is what scipy and numpy say', (figure, wanted) => {
    if (!wanted) expect(summary[figure]).toBe(wanted);
    else if (figure.startsWith('p')) expect(summary[figure]).toBe(wanted);
    else expect(Math.abs(summary[figure]! / wanted - 1)).toBeLessThan(1e-12);
  });
});

test('the table of Student holds what scipy computes for 1 to 30 degrees of freedom', () => {
  expect(STUDENT_T_95).toHaveLength(30);
  for (const [index, wanted] of expected.tCritical95.entries())
    expect(Math.abs(STUDENT_T_95[index]! / wanted - 1)).toBeLessThan(1e-14);
});

test('the interval is after Student up to 31 values and after z = 1.96 from 32 on', () => {
  expect([2, 31].map(criticalValue95)).toEqual([STUDENT_T_95[0], STUDENT_T_95[29]]);
  expect([32, 33, 100_000].map(criticalValue95)).toEqual([1.96, 1.96, 1.96]);
  const losses = Array.from({ length: 32 }, (_, index) => index + 1);
  expect(summarize(losses, 31).halfWidth).toBeCloseTo(3.335, 3);
  expect(summarize(losses).halfWidth).toBe((1.96 * Math.sqrt(88)) / Math.sqrt(32));
});

test('figures that are not defined, or too large for a number, are null', () => {
  const nothing = { mean: null, halfWidth: null, standardDeviation: null, variance: null };
  expect(summarize([])).toEqual({ count: 0, ...nothing, p90: null, p95: null });
  expect(summarize([7])).toEqual({ count: 1, ...nothing, mean: 7, p90: 7, p95: 7 });
  for (const figure of Object.values(summarize([1.7e308, -1.7e308, 1.7e308])))
    expect(figure === null || Number.isFinite(figure)).toBe(true);
});

test('only the first `length` values count, and rounding spoils neither many nor very close ones', () => {
  expect(summarize(new Float64Array(100_000).fill(0.1))).toMatchObject({ mean: 0.1, variance: 0 });
  expect(summarize([1, 1 + Number.EPSILON]).variance).toBe(Number.EPSILON ** 2 / 2);
  const values = [3, 1, 2, 100];
  expect(summarize(values, 3)).toMatchObject({ count: 3, mean: 2 });
  expect(values).toEqual([3, 1, 2, 100]);
  expect([0, 50, 100].map(q => percentile([1, 2, 4, 9], q))).toEqual([1, 3, 9]);
});

test('a card has the mean with its half-width, the spread, the upper percentiles, or dashes', () => {
  const card = (...values: number[]) =>
    summaryFigures(summarize(values))
      .map(({ label, value }) => `${label} ${value}`)
      .join(', ');
  const five = 'Mean, 95% CI 3 ± 1.963, Std. deviation 1.581, Variance 2.5, p90 4.6, p95 4.8, Values 5';
  expect(card(5, 3, 1, 4, 2)).toBe(five);
  expect(card(0.5)).toBe('Mean, 95% CI 0.5, Std. deviation –, Variance –, p90 0.5, p95 0.5, Values 1');
  expect(card()).toBe('');
});

test.each([
  [{ step: 1, loss: 0.123456 }, ['Training loss 0.1235']],
  [{ step: 1, evalLoss: 0 }, ['Eval loss 0']],
  [{ step: 1, loss: 1, evalLoss: 2, smoothed: 1.25 }, ['Training loss 1', 'Smoothed 1.25', 'Eval loss 2']],
  [{ step: 1 }, []],
])('the reading %j has the figures that exist at the step, to four digits', (reading, figures) =>
  expect(readingFigures(reading).map(({ label, value }) => `${label} ${value}`)).toEqual(figures),
);

test('a reading names its series, and is said aloud with its step', () => {
  expect(readingFigures({ step: 1, loss: 1 })[0]!.series).toBe('training');
  const said = 'Step 1,200: training loss 0.5, eval loss 0.25';
  expect(readingText({ step: 1200, loss: 0.5, evalLoss: 0.25 })).toBe(said);
});
