import { describe, expect, test } from 'vitest';
import {
  chartModel,
  nearestStep,
  neighborStep,
  readingAt,
  type SeriesPair,
} from '../../lib/console/chart.js';
import { stepAtFraction } from '../../lib/console/chart-axes.js';
import { chartCursor } from '../../lib/console/chart-cursor.js';
import { appendPoint, emptySeries, type MetricSeries } from '../../lib/console/series.js';

type Points = (readonly [step: number, value: number])[];

function seriesOf(points: Points): MetricSeries {
  return points.reduce((series, [step, value]) => appendPoint(series, step, value), emptySeries);
}

function pairOf(training: Points, evaluation: Points = []): SeriesPair {
  return { training: seriesOf(training), evaluation: seriesOf(evaluation) };
}

function descent(length: number): Points {
  return Array.from({ length }, (_, index) => [index, 1 / (index + 1)]);
}

describe('the model', () => {
  test('waits until there is a point of either kind', () => {
    const waiting = chartModel(pairOf([]));
    expect(waiting).toMatchObject({ waiting: true, legend: ['training'], note: null });
    expect([waiting.x.ticks, waiting.y.ticks, waiting.training]).toEqual([[], [], []]);
    expect(chartModel(pairOf([[1, 2]])).waiting).toBe(false);
    expect(chartModel(pairOf([], [[1, 2]])).waiting).toBe(false);
  });

  test('places losses 5, 3, 9 at a third, the bottom and the top', () => {
    const { training, y } = chartModel(
      pairOf([
        [1, 5],
        [2, 3],
        [3, 9],
      ]),
    );
    expect(training.map(vertex => vertex.y)).toEqual([1 / 3, 0, 1]);
    expect(y).toMatchObject({ min: 3, max: 9 });
  });

  test('places steps 1, 2, 101 by the step number, not the index', () => {
    const { training, x } = chartModel(
      pairOf([
        [1, 5],
        [2, 3],
        [101, 9],
      ]),
    );
    expect(training.map(vertex => vertex.x)).toEqual([0, 0.01, 1]);
    expect(x).toMatchObject({ min: 1, max: 101 });
    expect(x.ticks[0]).toEqual({ value: 20, label: '20', position: 0.19 });
  });

  test('draws one vertex per event in event order, also of the same step and of a loss of 0', () => {
    const { training } = chartModel(
      pairOf([
        [1, 2],
        [5, 0],
        [5, 1],
        [3, 4],
      ]),
    );
    expect(training.map(({ step, value }) => [step, value])).toEqual([
      [1, 2],
      [5, 0],
      [5, 1],
      [3, 4],
    ]);
  });

  test('draws every event of a long run: the 40,000th is a vertex too', () => {
    const points = descent(40_000);
    points[12_345] = [12_345, 50];
    const { training, note } = chartModel(pairOf(points));
    expect(training.map(({ step, value }) => [step, value])).toEqual(points);
    expect([training[12_345]!.y, training.at(-1)!.x, note]).toEqual([1, 1, null]);
  });

  test('a single value lies in the middle and nothing is NaN', () => {
    const { training, x, y } = chartModel(pairOf([[7, 2.5]]));
    expect(training).toEqual([{ step: 7, value: 2.5, x: 0.5, y: 0.5 }]);
    expect([x.ticks, y.ticks]).toEqual([
      [{ value: 7, label: '7', position: 0.5 }],
      [{ value: 2.5, label: '2.5', position: 0.5 }],
    ]);
  });

  test('the evaluation joins the legend and the scale with its first point', () => {
    const training: Points = [
      [1, 5],
      [11, 3],
    ];
    const model = chartModel(pairOf(training, [[6, 1]]));
    expect(chartModel(pairOf(training)).legend).toEqual(['training']);
    expect(model.legend).toEqual(['training', 'evaluation']);
    expect(model.evaluation).toEqual([{ step: 6, value: 1, x: 0.5, y: 0 }]);
    expect(model.training.map(vertex => vertex.y)).toEqual([1, 0.5]);
  });

  test('a hidden series leaves the scale of y but neither the legend nor the steps', () => {
    const pair = pairOf(descent(10), [
      [0, -4],
      [20, 8],
    ]);
    const model = chartModel(pair, { hidden: { evaluation: true } });
    expect(model).toMatchObject({ y: { min: 0.1, max: 1 }, x: { min: 0, max: 20 }, note: null });
    expect(model.evaluation).toEqual([]);
    expect(model.legend).toEqual(['training', 'evaluation']);
  });

  test('with every series hidden the frame stays', () => {
    const model = chartModel(pairOf(descent(10)), { hidden: { training: true, evaluation: true } });
    expect(model).toMatchObject({
      waiting: false,
      y: { min: 0.1, max: 1 },
      training: [],
      note: null,
    });
  });
});

describe('the cursor', () => {
  const training: Points = [
    [10, 1],
    [20, 2],
    [40, 4],
  ];
  const pair = pairOf(training, [[30, 3]]);

  test('picks the nearest step, of two as near the lower', () => {
    const alone = pairOf(training);
    expect([27, 33, 30, 15, -5, 99].map(position => nearestStep(alone, position))).toEqual([
      20, 40, 20, 10, 10, 40,
    ]);
    expect(nearestStep(pairOf([]), 3)).toBeNull();
  });

  test('picks among the visible series only', () => {
    expect(nearestStep(pair, 27)).toBe(30);
    expect(nearestStep(pair, 27, { evaluation: true })).toBe(20);
    expect(nearestStep(pair, 12, { training: true })).toBe(30);
  });

  test('finds its step when steps went back', () => {
    const mixed = pairOf([training[2]!, training[0]!, training[1]!]);
    expect([27, 33].map(position => nearestStep(mixed, position))).toEqual([20, 40]);
    expect([neighborStep(mixed, 20, -1), neighborStep(mixed, 20, 1)]).toEqual([10, 40]);
  });

  test('moves to the next step of either series and stops at the ends', () => {
    expect([10, 20, 30, 40].map(step => neighborStep(pair, step, 1))).toEqual([20, 30, 40, null]);
    expect([10, 20, 30, 40].map(step => neighborStep(pair, step, -1))).toEqual([null, 10, 20, 30]);
    expect(neighborStep(pair, 20, 1, { evaluation: true })).toBe(40);
  });

  test('turns a place in the plot into a step, and holds at the ends', () => {
    const model = chartModel(pair);
    expect([0, 0.5, 1].map(fraction => stepAtFraction(model, fraction))).toEqual([10, 25, 40]);
    expect([-1, 2, Number.NaN].map(fraction => stepAtFraction(model, fraction))).toEqual([10, 40, 10]);
  });

  test('reads whichever values exist at the step, both also from two frames', () => {
    const both = pairOf(
      [
        [10, 1.5],
        [30, 0],
      ],
      [
        [20, 2.5],
        [30, 3.5],
      ],
    );
    expect(readingAt(both, 10)).toStrictEqual({ step: 10, loss: 1.5 });
    expect(readingAt(both, 20)).toStrictEqual({ step: 20, evalLoss: 2.5 });
    expect(readingAt(both, 30)).toStrictEqual({ step: 30, loss: 0, evalLoss: 3.5 });
    expect(readingAt(both, 30, { training: true })).toStrictEqual({ step: 30, evalLoss: 3.5 });
    expect(readingAt(both, 25)).toStrictEqual({ step: 25 });
  });
});

describe('what is switched on', () => {
  const pair = pairOf(
    [
      [0, 100],
      [1, 10],
      [2, 1],
      [3, 0],
    ],
    [[2, 50]],
  );

  test('a logarithmic scale places powers equally far apart and leaves out what has no logarithm', () => {
    const { training, y, note } = chartModel(pair, { isLog: true });
    expect(training.map(vertex => vertex.y)).toEqual([1, 0.5, 0]);
    expect(y).toMatchObject({ isLog: true, min: 1, max: 100 });
    expect(note).toBe('1 value at or below 0 not shown');
    expect(chartModel(pairOf([[0, -1]]), { isLog: true }).note).toBe(
      'No values above 0: using a linear scale.',
    );
  });

  test('smoothing has every point of the loss itself behind its line', () => {
    const plain = chartModel(pair);
    const smooth = chartModel(pair, { isSmooth: true });
    expect(plain.raw).toEqual([]);
    expect(smooth.raw).toEqual(plain.training);
    expect(smooth.training).toHaveLength(4);
    expect(smooth.training[2]!.value).toBeGreaterThan(1);
  });

  test('smoothing on a logarithmic scale smooths the logarithms, as the cursor says', () => {
    const falling = pairOf(Array.from({ length: 30 }, (_, step) => [step, 10 ** (-step / 7)] as const));
    const model = chartModel(falling, { isSmooth: true, isLog: true });
    const last = model.training.at(-1)!;
    expect(last.y).toBeLessThan(0.15);
    expect(chartCursor(model, falling, 29)?.reading).toEqual({
      step: 29,
      loss: 10 ** (-29 / 7),
      smoothed: last.value,
    });
    expect(chartCursor(model, falling, 29, { training: true })).toBeNull();
    expect(chartCursor(chartModel(falling), falling, 29)?.reading).toEqual({
      step: 29,
      loss: 10 ** (-29 / 7),
    });
  });

  test('the smoothed line fits into a zoom, and no outlier lifts it where outliers are ignored', () => {
    const falling = pairOf(Array.from({ length: 40 }, (_, step) => [step, step < 20 ? 100 : 1]));
    const zoom = { from: 20, to: 30 };
    const { y, training } = chartModel(falling, { isSmooth: true, zoom: { from: 21, to: 30 } });
    const inside = training.filter(({ step }) => step >= 21 && step <= 30);
    expect(Math.max(...inside.map(vertex => vertex.y))).toBe(1);
    expect(y.max).toBeGreaterThan(50);
    expect(chartModel(falling, { zoom: { from: 21, to: 30 } }).y.max).toBe(1);
    const spiked = pairOf(Array.from({ length: 40 }, (_, step) => [step, step === 15 ? 900 : 2 - step / 40]));
    const calm = chartModel(spiked, { isSmooth: true, ignoresOutliers: true });
    expect(calm.y).toMatchObject({ max: 2 });
    expect(Math.max(...calm.training.map(vertex => vertex.y))).toBeLessThanOrEqual(1);
    expect(calm.note).toBe('1 value out of range');
    expect(chartModel(spiked, { isSmooth: true, ignoresOutliers: true, zoom }).note).toBeNull();
  });

  test('a zoom shows its stretch with the neighbors outside, and scales y to the lines inside', () => {
    const { training, x, y, whole } = chartModel(pair, { zoom: { from: 0.5, to: 2.5 } });
    expect(training.map(({ step }) => step)).toEqual([0, 1, 2, 3]);
    expect(chartModel(pair, { zoom: { from: 1.5, to: 2.5 } }).training.map(({ step }) => step)).toEqual([
      1, 2, 3,
    ]);
    expect([x.min, x.max, y.min, y.max]).toEqual([0.5, 2.5, 0.5, 55]);
    expect(whole).toEqual({ from: 0, to: 3 });
  });

  test('a zoom to one point, or none, has the line rise through it as the scale draws it', () => {
    const rising = pairOf([
      [0, 1],
      [10, 100],
      [20, 10_000],
    ]);
    const one = { zoom: { from: 5, to: 15 } };
    expect(chartModel(rising, one).y).toMatchObject({ min: 50.5, max: 5050 });
    const { y } = chartModel(rising, { ...one, isLog: true });
    expect([y.min, y.max]).toEqual([expect.closeTo(10, 9), expect.closeTo(1000, 9)]);
    const none = chartModel(rising, { zoom: { from: 2, to: 4 } });
    expect([none.y.min, none.y.max]).toEqual([expect.closeTo(20.8, 9), expect.closeTo(40.6, 9)]);
    expect(none.training.map(({ step }) => step)).toEqual([0, 10]);
  });

  test('the x-axis reaches to a planned end, and never ends before the last point', () => {
    expect(chartModel(pair, { reach: 30 }).training[3]!.x).toBe(0.1);
    expect(chartModel(pair, { reach: 1 }).x.max).toBe(3);
  });
});
