import { describe, expect, it } from 'vitest';
import { appendPoint, emptySeries, type MetricSeries } from '../../lib/console/series.js';
import { smoothSeries } from '../../lib/console/smoothing.js';

const seriesOf = (values: number[]): MetricSeries =>
  values.reduce((series, value, index) => appendPoint(series, index * 10, value), emptySeries);

describe('a smoothed series', () => {
  it('has the same steps, and begins at the first value', () => {
    const { steps, values, length } = smoothSeries(seriesOf([4, 2, 6]));
    expect(length).toBe(3);
    expect(steps.slice(0, 3)).toEqual([0, 10, 20]);
    expect(values[0]).toBeCloseTo(4, 12);
  });

  it('weighs what came before', () => {
    const { values } = smoothSeries(seriesOf([1, 3]), false, 0.5);
    expect(values[1]).toBeCloseTo((0.25 * 1 + 0.5 * 3) / 0.75, 12);
  });

  it('stays where the series stays, and within what it came by', () => {
    expect(
      smoothSeries(seriesOf([2, 2, 2]))
        .values.slice(0, 3)
        .every(value => Math.abs(value - 2) < 1e-12),
    ).toBe(true);
    const noisy = smoothSeries(seriesOf(Array.from({ length: 50 }, (_, index) => (index % 2 ? 3 : 1))));
    expect(noisy.minValue).toBeGreaterThanOrEqual(1);
    expect(noisy.values[49]).toBeCloseTo(2, 0);
  });

  const falling = seriesOf(Array.from({ length: 30 }, (_, index) => 8.2 * (0.0005 / 8.2) ** (index / 29)));

  it('on a logarithmic scale stays close to a loss that falls by powers of ten', () => {
    const { values } = smoothSeries(falling, true);
    expect(values[29]! / 0.0005).toBeGreaterThan(1);
    expect(values[29]! / 0.0005).toBeLessThan(3);
  });

  it('on a logarithmic scale leaves values without a logarithm as they are', () => {
    const { steps, values, length } = smoothSeries(seriesOf([4, 0, -1, 1]), true, 0.5);
    expect([length, steps[2]]).toEqual([4, 20]);
    expect(values.slice(0, 3)).toEqual([expect.closeTo(4, 12), 0, -1]);
    expect(values[3]).toBeCloseTo(Math.exp((0.25 * Math.log(4) + 0.5 * Math.log(1)) / 0.75), 12);
  });

  it('lags no more than a tenth of the run behind a straight line', () => {
    for (const length of [20, 30, 60, 100]) {
      const line = Array.from({ length }, (_, index) => length - index);
      expect(smoothSeries(seriesOf(line)).values[length - 1]! - 1).toBeLessThan(length / 10);
    }
  });

  it('leaves nothing of nothing', () => {
    expect(smoothSeries(emptySeries).length).toBe(0);
  });
});
