import { describe, expect, test } from 'vitest';
import { percentile, summarize } from '../../lib/console/statistics.js';
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

test('losses 1 to 5 have the mean 3 ± 1.963, deviation 1.581, variance 2.5, p90 4.6 and p95 4.8, in any order', () => {
  for (const losses of [
    [1, 2, 3, 4, 5],
    [4, 1, 5, 3, 2],
  ]) {
    const { mean, halfWidth, standardDeviation, variance, p90, p95 } = summarize(losses);
    expect([mean, variance, p90, p95]).toEqual([3, 2.5, 4.6, 4.8]);
    expect(halfWidth).toBeCloseTo(1.963, 3);
    expect(standardDeviation).toBeCloseTo(1.581, 3);
  }
});

test('the interval is after Student up to 31 values and after z = 1.96 from 32 on', () => {
  const losses = Array.from({ length: 32 }, (_, index) => index + 1);
  expect(summarize(losses, 31).halfWidth).toBeCloseTo(3.335, 3);
  expect(summarize(losses).halfWidth).toBeCloseTo(3.25, 3);
  expect(summarize(losses).halfWidth).toBe((1.96 * Math.sqrt(88)) / Math.sqrt(32));
});

test('figures that are not defined are null', () => {
  const nothing = { mean: null, halfWidth: null, standardDeviation: null, variance: null };
  expect(summarize([])).toEqual({ count: 0, ...nothing, p90: null, p95: null });
  expect(summarize([7])).toEqual({ count: 1, ...nothing, mean: 7, p90: 7, p95: 7 });
});

test('figures too large for a number are null, never NaN or Infinity', () => {
  for (const figure of Object.values(summarize([1.7e308, -1.7e308, 1.7e308]))) {
    expect(figure === null || Number.isFinite(figure)).toBe(true);
  }
});

test('rounding spoils neither the mean of many values nor the variance of very close ones', () => {
  expect(summarize(new Float64Array(100_000).fill(0.1))).toMatchObject({ mean: 0.1, variance: 0 });
  expect(summarize([1, 1 + Number.EPSILON]).variance).toBe(Number.EPSILON ** 2 / 2);
});

test('only the first `length` values count, and they stay as they are', () => {
  const values = [3, 1, 2, 100];
  expect(summarize(values, 3)).toMatchObject({ count: 3, mean: 2 });
  expect(values).toEqual([3, 1, 2, 100]);
});

test('percentiles reach from the lowest to the highest value', () => {
  expect([0, 50, 100].map(q => percentile([1, 2, 4, 9], q))).toEqual([1, 3, 9]);
});
