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
    const { values } = smoothSeries(seriesOf([1, 3]), 0.5);
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

  it('leaves nothing of nothing', () => {
    expect(smoothSeries(emptySeries).length).toBe(0);
  });
});
