import { describe, expect, it } from 'vitest';
import { appendPoint, emptySeries } from '../../lib/console/series.js';
import {
  countBeyond,
  endLabel,
  toValueScale,
  valueFraction,
  valueTicks,
} from '../../lib/console/value-axis.js';

const seriesOf = (values: readonly number[]) =>
  values.reduce((series, value, step) => appendPoint(series, step, value), emptySeries);
const labels = (scale: Parameters<typeof valueTicks>[0]) => valueTicks(scale).map(({ label }) => label);

describe('the y-axis', () => {
  it('runs from minimum to maximum at first', () => {
    expect(toValueScale([seriesOf([3, 9]), seriesOf([1])])).toEqual({ isLog: false, min: 1, max: 9 });
    expect(toValueScale([emptySeries])).toBeNull();
  });

  it('on a logarithmic scale runs from the lowest value above 0', () => {
    const scale = toValueScale([seriesOf([0, -1, 0.01, 100])], { isLog: true })!;
    expect(scale).toEqual({ isLog: true, min: 0.01, max: 100 });
    expect([0.01, 1, 100].map(value => valueFraction(scale, value))).toEqual([0, 0.5, 1]);
    expect(valueFraction(scale, 0)).toBeNaN();
  });

  it('stays linear where no value is above 0', () => {
    expect(toValueScale([seriesOf([-2, 0])], { isLog: true })).toEqual({ isLog: false, min: -2, max: 0 });
  });

  it('leaves out values that lie apart once there are enough', () => {
    const series = seriesOf([1000, ...Array.from({ length: 99 }, (_, index) => 1 + index / 100)]);
    const scale = toValueScale([series], { ignoresOutliers: true })!;
    expect([scale.min, scale.max]).toEqual([1, 1.98]);
    expect(valueFraction(scale, 1000)).toBeGreaterThan(1);
    expect(countBeyond(series, scale)).toBe(1);
    expect(toValueScale([seriesOf([1, 1000])], { ignoresOutliers: true })).toMatchObject({ max: 1000 });
  });

  it('leaves out nothing of a straight line, a steep descent or a short run', () => {
    const line = seriesOf(Array.from({ length: 60 }, (_, index) => 5e-4 - index * 8e-6));
    const descent = seriesOf(Array.from({ length: 30 }, (_, index) => 8.2 * (0.0005 / 8.2) ** (index / 29)));
    const short = seriesOf([4, 3.1, 2.9, 2.2, 1.9, 1.8, 1.4, 1.5, 1.2, 1.1, 1.15, 0.9]);
    for (const series of [line, descent, short])
      for (const isLog of [false, true]) {
        const scale = toValueScale([series], { ignoresOutliers: true, isLog })!;
        expect(scale).toEqual(toValueScale([series], { isLog }));
        expect(countBeyond(series, scale)).toBe(0);
      }
  });

  it('leaves out a value that lies apart of a dozen, and among equals', () => {
    const few = seriesOf([4, 3.1, 2.9, 90, 2.2, 1.9, 1.8, 1.4, 1.5, 1.2, 1.1, 1.15]);
    expect(toValueScale([few], { ignoresOutliers: true })).toMatchObject({ min: 1.1, max: 4 });
    expect(toValueScale([few], { ignoresOutliers: true, isLog: true })).toMatchObject({ max: 4 });
    const equal = seriesOf([...Array.from({ length: 99 }, () => 7), 500]);
    expect(toValueScale([equal], { ignoresOutliers: true })).toMatchObject({ min: 7, max: 7 });
    const flags = seriesOf(Array.from({ length: 100 }, (_, index) => (index % 12 === 0 ? 1 : 0)));
    expect(toValueScale([flags], { ignoresOutliers: true })).toMatchObject({ min: 0, max: 1 });
  });

  it('keeps the few evaluations in view', () => {
    const training = seriesOf(Array.from({ length: 50 }, () => 1));
    expect(toValueScale([training, seriesOf([5, 4])], { ignoresOutliers: true })).toMatchObject({ max: 5 });
  });

  it('has its lowest and highest value as they are, and no tick close to them', () => {
    expect(labels({ isLog: false, min: 0.123456, max: 2.71 })).toEqual([
      '0.1235',
      '0.5',
      '1.0',
      '1.5',
      '2.0',
      '2.5',
      '2.71',
    ]);
    expect(labels({ isLog: false, min: 0.5, max: 2.53 })).toEqual(['0.5', '1.0', '1.5', '2.0', '2.53']);
    expect(labels({ isLog: false, min: 0, max: 10 })).toEqual(['0', '2', '4', '6', '8', '10']);
    expect(labels({ isLog: true, min: 0.0123, max: 31.4 })).toEqual(['0.0123', '0.1', '1', '10', '31.4']);
    expect(labels({ isLog: false, min: 1.6, max: 10 })).toEqual(['1.6', '4', '6', '8', '10']);
    expect(labels({ isLog: false, min: 2.5, max: 2.5 })).toEqual(['2.5']);
  });

  it('has ends with the digits that tell them apart', () => {
    const range = { isLog: false, min: 1234.5612, max: 1234.5987 };
    expect([range.min, range.max].map(value => endLabel(value, range))).toEqual(['1234.5612', '1234.5987']);
    expect(endLabel(Number.MAX_VALUE, { min: -Number.MAX_VALUE, max: Number.MAX_VALUE })).toBe('1.79769e308');
    expect(endLabel(1 + Number.EPSILON, { min: 1, max: 1 + Number.EPSILON })).toBe('1.0000000000000002');
  });

  it('has ticks at 1, 2 and 5 times powers of ten on a short logarithmic scale, at powers on a long one', () => {
    expect(labels({ isLog: true, min: 0.1, max: 5 })).toEqual(['0.1', '0.2', '0.5', '1', '2', '5']);
    expect(labels({ isLog: true, min: 0.001, max: 1000 })).toEqual([
      '0.001',
      '0.01',
      '0.1',
      '1',
      '10',
      '100',
      '1000',
    ]);
    expect(labels({ isLog: true, min: 1.1, max: 1.4 })[0]).toBe('1.1');
  });
});
