import { describe, expect, it } from 'vitest';
import { emptySeries } from '../../lib/console/chart/series.js';
import {
  countBeyond,
  endLabel,
  toValueScale,
  valueFraction,
  valueTicks,
} from '../../lib/console/chart/value-axis.js';
import { seriesOf } from './support/series-of.js';

/** The scale of series with these values. */
const scaleOf = (options = {}, ...lists: number[][]) =>
  toValueScale(
    lists.map(values => seriesOf({ ...values })),
    options,
  )!;
const labels = (isLog: boolean, min: number, max: number) =>
  valueTicks({ isLog, min, max }).map(({ label }) => label);
const calm = { ignoresOutliers: true };

describe('the y-axis', () => {
  it('runs from minimum to maximum, on a logarithmic scale from the lowest value above 0', () => {
    expect(scaleOf({}, [3, 9], [1])).toEqual({ isLog: false, min: 1, max: 9 });
    expect(toValueScale([emptySeries])).toBeNull();
    const scale = scaleOf({ isLog: true }, [0, -1, 0.01, 100]);
    expect(scale).toEqual({ isLog: true, min: 0.01, max: 100 });
    expect([0.01, 1, 100, 0].map(value => valueFraction(scale, value))).toEqual([0, 0.5, 1, Number.NaN]);
    expect(scaleOf({ isLog: true }, [-2, 0])).toEqual({ isLog: false, min: -2, max: 0 });
  });

  it('leaves out values that lie apart once there are enough, but none of the few evaluations', () => {
    const values = [1000, ...Array.from({ length: 99 }, (_, index) => 1 + index / 100)];
    const scale = scaleOf(calm, values);
    expect(scale).toMatchObject({ min: 1, max: 1.98 });
    expect(valueFraction(scale, 1000)).toBeGreaterThan(1);
    expect(countBeyond(seriesOf({ ...values }), scale)).toBe(1);
    expect(scaleOf(calm, [1, 1000])).toMatchObject({ max: 1000 });
    expect(scaleOf(calm, Array(50).fill(1), [5, 4])).toMatchObject({ max: 5 });
  });

  it.each([
    ['a straight line', Array.from({ length: 60 }, (_, index) => 5e-4 - index * 8e-6)],
    ['a steep descent', Array.from({ length: 30 }, (_, index) => 8.2 * (0.0005 / 8.2) ** (index / 29))],
    ['a short run', [4, 3.1, 2.9, 2.2, 1.9, 1.8, 1.4, 1.5, 1.2, 1.1, 1.15, 0.9]],
  ])('leaves out nothing of %s', (_, values) => {
    for (const isLog of [false, true]) {
      const scale = scaleOf({ ...calm, isLog }, values);
      expect(scale).toEqual(scaleOf({ isLog }, values));
      expect(countBeyond(seriesOf({ ...values }), scale)).toBe(0);
    }
  });

  it('leaves out a value that lies apart of a dozen, and among equals', () => {
    const few = [4, 3.1, 2.9, 90, 2.2, 1.9, 1.8, 1.4, 1.5, 1.2, 1.1, 1.15];
    expect(scaleOf(calm, few)).toMatchObject({ min: 1.1, max: 4 });
    expect(scaleOf({ ...calm, isLog: true }, few)).toMatchObject({ max: 4 });
    expect(scaleOf(calm, [...Array(99).fill(7), 500])).toMatchObject({ min: 7, max: 7 });
    const flags = Array.from({ length: 100 }, (_, index) => (index % 12 === 0 ? 1 : 0));
    expect(scaleOf(calm, flags)).toMatchObject({ min: 0, max: 1 });
  });

  it.each([
    [0.123456, 2.71, '0.1235 0.5 1.0 1.5 2.0 2.5 2.71'],
    [0.5, 2.53, '0.5 1.0 1.5 2.0 2.53'],
    [0, 10, '0 2 4 6 8 10'],
    [1.6, 10, '1.6 4 6 8 10'],
    [2.5, 2.5, '2.5'],
  ])('has its ends %f and %f as they are, and no tick close to them', (min, max, ticks) =>
    expect(labels(false, min, max).join(' ')).toBe(ticks),
  );

  it.each([
    ['its ends as they are', 0.0123, 31.4, '0.0123 0.1 1 10 31.4'],
    ['ticks at 1, 2 and 5 times powers of ten where it is short', 0.1, 5, '0.1 0.2 0.5 1 2 5'],
    ['ticks at powers of ten where it is long', 0.001, 1000, '0.001 0.01 0.1 1 10 100 1000'],
  ])('has on a logarithmic scale %s', (_, min, max, ticks) => {
    expect(labels(true, min, max).join(' ')).toBe(ticks);
    expect(labels(true, 1.1, 1.4)[0]).toBe('1.1');
  });

  it.each([
    [1234.5612, 1234.5987, '1234.5612', '1234.5987'],
    [-Number.MAX_VALUE, Number.MAX_VALUE, '-1.79769e308', '1.79769e308'],
    [1, 1 + Number.EPSILON, '1', '1.0000000000000002'],
  ])('has ends with the digits that tell %d and %d apart', (min, max, ...ends) =>
    expect([min, max].map(value => endLabel(value, { min, max }))).toEqual(ends),
  );
});
