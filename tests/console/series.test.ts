import { expect, test } from 'vitest';
import { smoothSeries } from '../../lib/console/chart/chart-frame.js';
import {
  appendPoint,
  emptySeries,
  stepAfter,
  stepBefore,
  valueAtStep,
} from '../../lib/console/chart/series.js';
import { seriesOf } from './support/series-of.js';

const pointsOf = ({ steps, values, length }: typeof emptySeries) =>
  Array.from({ length }, (_, index) => `${steps[index]}: ${values[index]}`);
/** These values at steps 0, 10, 20… */
const seriesOfTens = (values: number[]) => seriesOf(values.map((value, index) => `${index * 10}: ${value}`));

test('points keep their order and the extremes are tracked; an empty series has none', () => {
  const none = { length: 0, minStep: null, maxStep: null, minValue: null, maxValue: null };
  expect(emptySeries).toMatchObject(none);
  expect(valueAtStep(emptySeries, 0)).toBeUndefined();
  const series = seriesOf(['3: 5', '1: -2', '8: 0']);
  expect(pointsOf(series)).toEqual(['3: 5', '1: -2', '8: 0']);
  expect(series).toMatchObject({ minStep: 1, maxStep: 8, minValue: -2, maxValue: 5 });
});

test('a series is ascending until a step goes back; a repeated step does not', () => {
  const repeated = seriesOf(['1: 0', '2: 0', '2: 0']);
  const back = appendPoint(repeated, 1, 0);
  expect([repeated, back, appendPoint(back, 9, 0)].map(({ ascending }) => ascending)).toEqual([
    true,
    false,
    false,
  ]);
});

test('an old snapshot never changes what it shows', () => {
  const old = seriesOf({ 1: 10, 2: 20 });
  const left = appendPoint(old, 3, 30);
  const right = appendPoint(old, 4, 40);
  appendPoint(left, 5, 50);
  expect(pointsOf(old)).toEqual(['1: 10', '2: 20']);
  expect([pointsOf(left).at(-1), pointsOf(right).at(-1)]).toEqual(['3: 30', '4: 40']);
  expect([valueAtStep(old, 3), stepAfter(old, 2), emptySeries.steps]).toEqual([undefined, null, []]);
});

test('appending to the newest snapshot copies nothing, and what is not a finite number adds no point', () => {
  const series = seriesOf({ 1: 10 });
  expect(appendPoint(series, 2, 20).steps).toBe(series.steps);
  expect(appendPoint(series, 2, Number.POSITIVE_INFINITY)).toBe(series);
  expect(appendPoint(series, Number.NaN, 2)).toBe(series);
});

test.each([
  ['ascending', seriesOf(['1: 10', '5: 50', '5: 51', '9: 90'])],
  ['not ascending', seriesOf(['5: 50', '9: 90', '5: 51', '1: 10'])],
])(
  'a series that is %s has the last value of each step, and finds the steps around a position',
  (_, series) => {
    expect([1, 5, 9].map(step => valueAtStep(series, step))).toEqual([10, 51, 90]);
    expect([0, 4, 5.5, 10].map(step => valueAtStep(series, step))).toEqual(Array(4).fill(undefined));
    expect([0, 1, 5, 5.5, 20].map(position => stepBefore(series, position))).toEqual([null, null, 1, 5, 9]);
    expect([0, 1, 5, 5.5].map(position => stepBefore(series, position, true))).toEqual([null, 1, 5, 5]);
    expect([0, 1, 5, 8.9, 9].map(position => stepAfter(series, position))).toEqual([1, 5, 9, 9, null]);
  },
);

test('a smoothed series has the same steps, begins at the first value, and weighs what came before', () => {
  const { steps, values, length } = smoothSeries(seriesOfTens([4, 2, 6]));
  expect([length, steps.slice(0, 3), values[0]]).toEqual([3, [0, 10, 20], expect.closeTo(4, 12)]);
  const weighed = smoothSeries(seriesOfTens([1, 3]), false, 0.5).values[1];
  expect(weighed).toBeCloseTo((0.25 * 1 + 0.5 * 3) / 0.75, 12);
  expect(smoothSeries(emptySeries).length).toBe(0);
});

test('a smoothed series stays where the series stays, and within what it came by', () => {
  const level = smoothSeries(seriesOfTens([2, 2, 2])).values.slice(0, 3);
  expect(level).toEqual(Array(3).fill(expect.closeTo(2, 11)));
  const noisy = smoothSeries(seriesOfTens(Array.from({ length: 50 }, (_, index) => (index % 2 ? 3 : 1))));
  expect(noisy.minValue).toBeGreaterThanOrEqual(1);
  expect(noisy.values[49]).toBeCloseTo(2, 0);
});

test('smoothing on a logarithmic scale stays close to the loss, also where it has no logarithm', () => {
  const falling = Array.from({ length: 30 }, (_, index) => 8.2 * (0.0005 / 8.2) ** (index / 29));
  const ratio = smoothSeries(seriesOfTens(falling), true).values[29]! / 0.0005;
  expect(ratio).toBeGreaterThan(1);
  expect(ratio).toBeLessThan(3);
  const { steps, values, length } = smoothSeries(seriesOfTens([4, 0, -1, 1]), true, 0.5);
  expect([length, steps[2]]).toEqual([4, 20]);
  expect(values.slice(0, 3)).toEqual([expect.closeTo(4, 12), 0, -1]);
  expect(values[3]).toBeCloseTo(Math.exp((0.25 * Math.log(4) + 0.5 * Math.log(1)) / 0.75), 12);
});

test.each([20, 30, 60, 100])('a smoothed line of %i points lags no more than a tenth of the run', length => {
  const line = Array.from({ length }, (_, index) => length - index);
  expect(smoothSeries(seriesOfTens(line)).values[length - 1]! - 1).toBeLessThan(length / 10);
});
