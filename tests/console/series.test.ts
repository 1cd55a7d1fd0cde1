import { expect, test } from 'vitest';
import {
  appendPoint,
  emptySeries,
  type MetricSeries,
  stepAfter,
  stepBefore,
  valueAtStep,
} from '../../lib/console/series.js';

function seriesOf(...points: [step: number, value: number][]): MetricSeries {
  return points.reduce((series, [step, value]) => appendPoint(series, step, value), emptySeries);
}

function pointsOf(series: MetricSeries): [number, number][] {
  return Array.from({ length: series.length }, (_, index) => [series.steps[index]!, series.values[index]!]);
}

test('an empty series has no points and no extremes', () => {
  expect(emptySeries).toMatchObject({
    length: 0,
    minStep: null,
    maxStep: null,
    minValue: null,
    maxValue: null,
  });
  expect(valueAtStep(emptySeries, 0)).toBeUndefined();
});

test('points keep their order and the extremes are tracked', () => {
  const series = seriesOf([3, 5], [1, -2], [8, 0]);
  expect(pointsOf(series)).toEqual([
    [3, 5],
    [1, -2],
    [8, 0],
  ]);
  expect(series).toMatchObject({ minStep: 1, maxStep: 8, minValue: -2, maxValue: 5 });
});

test('a series is ascending until a step goes back; a repeated step does not', () => {
  const repeated = seriesOf([1, 0], [2, 0], [2, 0]);
  expect(repeated.ascending).toBe(true);
  expect(appendPoint(repeated, 1, 0).ascending).toBe(false);
  expect(appendPoint(appendPoint(repeated, 1, 0), 9, 0).ascending).toBe(false);
});

test('an old snapshot never changes what it shows', () => {
  const old = seriesOf([1, 10], [2, 20]);
  const left = appendPoint(old, 3, 30);
  const right = appendPoint(old, 4, 40);
  appendPoint(left, 5, 50);

  expect(pointsOf(old)).toEqual([
    [1, 10],
    [2, 20],
  ]);
  expect(pointsOf(left).at(-1)).toEqual([3, 30]);
  expect(pointsOf(right).at(-1)).toEqual([4, 40]);
  expect([valueAtStep(old, 3), stepAfter(old, 2)]).toEqual([undefined, null]);
  expect(emptySeries.steps).toEqual([]);
});

test('appending to the newest snapshot copies nothing', () => {
  const series = seriesOf([1, 10]);
  expect(appendPoint(series, 2, 20).steps).toBe(series.steps);
});

test('what is not a finite number adds no point', () => {
  const series = seriesOf([1, 10]);
  expect(appendPoint(series, 2, Number.POSITIVE_INFINITY)).toBe(series);
  expect(appendPoint(series, Number.NaN, 2)).toBe(series);
});

test.each([
  ['ascending', seriesOf([1, 10], [5, 50], [5, 51], [9, 90])],
  ['not ascending', seriesOf([5, 50], [9, 90], [5, 51], [1, 10])],
])('in a series that is %s the last event of a step has its value', (_, series) => {
  expect([1, 5, 9].map(step => valueAtStep(series, step))).toEqual([10, 51, 90]);
  expect([0, 4, 5.5, 10].map(step => valueAtStep(series, step))).toEqual(Array(4).fill(undefined));
});

test.each([
  ['ascending', seriesOf([1, 0], [5, 0], [5, 0], [9, 0])],
  ['not ascending', seriesOf([5, 0], [9, 0], [5, 0], [1, 0])],
])('in a series that is %s the steps around a position are found', (_, series) => {
  expect([0, 1, 5, 5.5, 20].map(position => stepBefore(series, position))).toEqual([null, null, 1, 5, 9]);
  expect([0, 1, 5, 5.5].map(position => stepBefore(series, position, true))).toEqual([null, 1, 5, 5]);
  expect([0, 1, 5, 8.9, 9].map(position => stepAfter(series, position))).toEqual([1, 5, 9, 9, null]);
});
