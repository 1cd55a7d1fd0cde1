import { describe, expect, test } from 'vitest';
import {
  chartCursor,
  chartModel,
  moveCursor,
  nearestStep,
  neighborStep,
  readingAt,
} from '../../lib/console/chart/chart.js';
import { stepAtFraction } from '../../lib/console/chart/chart-axes.js';
import { type Points, pairOf } from './support/series-of.js';

/** A value for each step from 0 on. */
const line = (length: number, valueAt: (step: number) => number): Points => ({
  ...Array.from({ length }, (_, step) => valueAt(step)),
});
const descent = (length: number) => line(length, step => 1 / (step + 1));
const stepsOf = (vertices: readonly { step: number }[]) => vertices.map(({ step }) => step);

describe('the model', () => {
  test('waits until there is a point of either kind', () => {
    const waiting = chartModel(pairOf({}));
    expect(waiting).toMatchObject({ waiting: true, legend: ['training'], note: null });
    expect([waiting.x.ticks, waiting.y.ticks, waiting.training]).toEqual([[], [], []]);
    for (const pair of [pairOf({ 1: 2 }), pairOf({}, { 1: 2 })]) expect(chartModel(pair).waiting).toBe(false);
  });

  test('places values between the least and the greatest, and steps by their number, not the index', () => {
    const { training, x, y } = chartModel(pairOf({ 1: 5, 2: 3, 101: 9 }));
    expect(training.map(vertex => vertex.y)).toEqual([1 / 3, 0, 1]);
    expect(training.map(vertex => vertex.x)).toEqual([0, 0.01, 1]);
    expect([x, y]).toMatchObject([
      { min: 1, max: 101 },
      { min: 3, max: 9 },
    ]);
    expect(x.ticks[0]).toEqual({ value: 20, label: '20', position: 0.19 });
  });

  test('draws one vertex per event in order, also of one step, of a loss of 0 and of a long run', () => {
    const mixed = ['1: 2', '5: 0', '5: 1', '3: 4'];
    const vertices = chartModel(pairOf(mixed)).training;
    expect(vertices.map(({ step, value }) => `${step}: ${value}`)).toEqual(mixed);
    const points = line(40_000, step => (step === 12_345 ? 50 : 1 / (step + 1)));
    const { training, note } = chartModel(pairOf(points));
    expect({ ...training.map(({ value }) => value) }).toEqual(points);
    expect([training[12_345]!.y, training.at(-1)!.x, note]).toEqual([1, 1, null]);
  });

  test('a single value lies in the middle and nothing is NaN', () => {
    const { training, x, y } = chartModel(pairOf({ 7: 2.5 }));
    expect(training).toEqual([{ step: 7, value: 2.5, x: 0.5, y: 0.5 }]);
    expect(x.ticks).toEqual([{ value: 7, label: '7', position: 0.5 }]);
    expect(y.ticks).toEqual([{ value: 2.5, label: '2.5', position: 0.5 }]);
  });

  test('the evaluation joins the legend and the scale with its first point', () => {
    const training = { 1: 5, 11: 3 };
    const model = chartModel(pairOf(training, { 6: 1 }));
    expect(chartModel(pairOf(training)).legend).toEqual(['training']);
    expect(model.legend).toEqual(['training', 'evaluation']);
    expect(model.evaluation).toEqual([{ step: 6, value: 1, x: 0.5, y: 0 }]);
    expect(model.training.map(vertex => vertex.y)).toEqual([1, 0.5]);
  });

  test('a hidden series leaves the scale of y, but not the legend, the steps or, alone, the frame', () => {
    const pair = pairOf(descent(10), { 0: -4, 20: 8 });
    const shown = chartModel(pair, { hidden: { evaluation: true } });
    expect(shown).toMatchObject({ y: { min: 0.1, max: 1 }, x: { min: 0, max: 20 }, note: null });
    expect([shown.evaluation, shown.legend]).toEqual([[], ['training', 'evaluation']]);
    const model = chartModel(pairOf(descent(10)), { hidden: { training: true, evaluation: true } });
    expect(model).toMatchObject({ waiting: false, y: { min: 0.1, max: 1 }, training: [], note: null });
  });
});

describe('the cursor', () => {
  const training = { 10: 1, 20: 2, 40: 4 };
  const pair = pairOf(training, { 30: 3 });

  test('picks the nearest step of the visible series, of two the lower, also when steps went back', () => {
    const nearest = [27, 33, 30, 15, -5, 99].map(position => nearestStep(pairOf(training), position));
    expect(nearest).toEqual([20, 40, 20, 10, 10, 40]);
    expect(nearestStep(pairOf({}), 3)).toBeNull();
    expect([nearestStep(pair, 27), nearestStep(pair, 27, { evaluation: true })]).toEqual([30, 20]);
    expect(nearestStep(pair, 12, { training: true })).toBe(30);
    const mixed = pairOf(['40: 4', '10: 1', '20: 2']);
    expect([27, 33].map(position => nearestStep(mixed, position))).toEqual([20, 40]);
    expect([neighborStep(mixed, 20, -1), neighborStep(mixed, 20, 1)]).toEqual([10, 40]);
  });

  test('moves to the next step of either series, also by keys, and stops at the ends', () => {
    expect([10, 20, 30, 40].map(step => neighborStep(pair, step, 1))).toEqual([20, 30, 40, null]);
    expect([10, 20, 30, 40].map(step => neighborStep(pair, step, -1))).toEqual([null, 10, 20, 30]);
    expect(neighborStep(pair, 20, 1, { evaluation: true })).toBe(40);
    const move = (key: string, step: number, hidden = {}) => moveCursor(key, pair, step, hidden);
    expect(['ArrowLeft', 'ArrowRight', 'Home', 'End'].map(key => move(key, 20))).toEqual([10, 30, 10, 40]);
    expect([move('ArrowLeft', 10), move('ArrowRight', 40), move('a', 20)]).toEqual([null, null, null]);
    expect([move('ArrowLeft', 40, { evaluation: true }), moveCursor('End', pairOf({}), 0)]).toEqual([
      20,
      null,
    ]);
  });

  test('turns a place in the plot into a step, and holds at the ends', () => {
    const model = chartModel(pair);
    const steps = [0, 0.5, 1, -1, 2, Number.NaN].map(fraction => stepAtFraction(model, fraction));
    expect(steps).toEqual([10, 25, 40, 10, 40, 10]);
  });

  test('reads whichever values exist at the step, both also from two frames', () => {
    const both = pairOf({ 10: 1.5, 30: 0 }, { 20: 2.5, 30: 3.5 });
    expect(readingAt(both, 10)).toStrictEqual({ step: 10, loss: 1.5 });
    expect(readingAt(both, 20)).toStrictEqual({ step: 20, evalLoss: 2.5 });
    expect(readingAt(both, 30)).toStrictEqual({ step: 30, loss: 0, evalLoss: 3.5 });
    expect(readingAt(both, 30, { training: true })).toStrictEqual({ step: 30, evalLoss: 3.5 });
    expect(readingAt(both, 25)).toStrictEqual({ step: 25 });
  });

  test('stands on the visible points at its step, and nowhere between steps', () => {
    const both = pairOf({ 10: 4, 30: 2 }, { 20: 3, 30: 3 });
    const at = (step: number, hidden = {}) => chartCursor(chartModel(both, { hidden }), both, step, hidden);
    const [first, last] = [
      { series: 'training', y: 0 },
      { series: 'evaluation', y: 0.5 },
    ];
    const reading = { step: 10, loss: 4 };
    expect(at(10)).toEqual({ step: 10, x: 0, marks: [{ series: 'training', y: 1 }], reading });
    expect(at(20)).toMatchObject({ x: 0.5, marks: [last] });
    expect(at(30)?.marks).toEqual([first, last]);
    expect(at(30, { training: true })?.reading).toEqual({ step: 30, evalLoss: 3 });
    expect([at(11), at(10, { training: true })]).toEqual([null, null]);
  });

  test('has no mark where a log scale has no place for the value, but reads it', () => {
    const pair = pairOf({ 1: 0, 2: 10, 3: 1 }, { 1: 5 });
    const model = chartModel(pair, { isLog: true });
    expect(chartCursor(model, pair, 1)).toMatchObject({
      marks: [{ series: 'evaluation', y: expect.any(Number) }],
      reading: { loss: 0, evalLoss: 5 },
    });
    expect(chartCursor(model, pair, 1, { evaluation: true })).toMatchObject({
      marks: [],
      reading: { loss: 0 },
    });
  });
});

describe('what is switched on', () => {
  const pair = pairOf({ 0: 100, 1: 10, 2: 1, 3: 0 }, { 2: 50 });

  test('a logarithmic scale places powers equally far apart and leaves out what has no logarithm', () => {
    const { training, y, note } = chartModel(pair, { isLog: true });
    expect(training.map(vertex => vertex.y)).toEqual([1, 0.5, 0]);
    expect(y).toMatchObject({ isLog: true, min: 1, max: 100 });
    expect(note).toBe('1 value at or below 0 not shown');
    const below = chartModel(pairOf({ 0: -1 }), { isLog: true });
    expect(below.note).toBe('No values above 0: using a linear scale.');
  });

  test('smoothing has every point of the loss itself behind its line', () => {
    const [plain, smooth] = [chartModel(pair), chartModel(pair, { isSmooth: true })];
    expect([plain.raw, smooth.raw]).toEqual([[], plain.training]);
    expect(smooth.training).toHaveLength(4);
    expect(smooth.training[2]!.value).toBeGreaterThan(1);
  });

  test('smoothing on a logarithmic scale smooths the logarithms, as the cursor says', () => {
    const falling = pairOf(line(30, step => 10 ** (-step / 7)));
    const model = chartModel(falling, { isSmooth: true, isLog: true });
    const { y, value } = model.training.at(-1)!;
    expect(y).toBeLessThan(0.15);
    const plain = { step: 29, loss: 10 ** (-29 / 7) };
    expect(chartCursor(model, falling, 29)?.reading).toEqual({ ...plain, smoothed: value });
    expect(chartCursor(model, falling, 29, { training: true })).toBeNull();
    expect(chartCursor(chartModel(falling), falling, 29)?.reading).toEqual(plain);
  });

  test('the smoothed line fits into a zoom, and no outlier lifts it where outliers are ignored', () => {
    const falling = pairOf(line(40, step => (step < 20 ? 100 : 1)));
    const zoom = { from: 21, to: 30 };
    const { y, training } = chartModel(falling, { isSmooth: true, zoom });
    const inside = training.filter(({ step }) => step >= 21 && step <= 30);
    expect(Math.max(...inside.map(vertex => vertex.y))).toBe(1);
    expect(y.max).toBeGreaterThan(50);
    expect(chartModel(falling, { zoom }).y.max).toBe(1);
    const spiked = pairOf(line(40, step => (step === 15 ? 900 : 2 - step / 40)));
    const calm = chartModel(spiked, { isSmooth: true, ignoresOutliers: true });
    expect(calm).toMatchObject({ y: { max: 2 }, note: '1 value out of range' });
    expect(Math.max(...calm.training.map(vertex => vertex.y))).toBeLessThanOrEqual(1);
    expect(chartModel(spiked, { isSmooth: true, ignoresOutliers: true, zoom }).note).toBeNull();
  });

  test('a zoom shows its stretch with the neighbors outside, and scales y to the lines inside', () => {
    const { training, x, y, whole } = chartModel(pair, { zoom: { from: 0.5, to: 2.5 } });
    expect(stepsOf(training)).toEqual([0, 1, 2, 3]);
    expect(stepsOf(chartModel(pair, { zoom: { from: 1.5, to: 2.5 } }).training)).toEqual([1, 2, 3]);
    expect([x.min, x.max, y.min, y.max]).toEqual([0.5, 2.5, 0.5, 55]);
    expect(whole).toEqual({ from: 0, to: 3 });
  });

  test('a zoom to one point, or none, has the line rise through it as the scale draws it', () => {
    const rising = pairOf({ 0: 1, 10: 100, 20: 10_000 });
    const one = { zoom: { from: 5, to: 15 } };
    expect(chartModel(rising, one).y).toMatchObject({ min: 50.5, max: 5050 });
    const { y } = chartModel(rising, { ...one, isLog: true });
    expect([y.min, y.max]).toEqual([expect.closeTo(10, 9), expect.closeTo(1000, 9)]);
    const none = chartModel(rising, { zoom: { from: 2, to: 4 } });
    expect([none.y.min, none.y.max]).toEqual([expect.closeTo(20.8, 9), expect.closeTo(40.6, 9)]);
    expect(stepsOf(none.training)).toEqual([0, 10]);
  });

  test('the x-axis reaches to a planned end, and never ends before the last point', () => {
    expect(chartModel(pair, { reach: 30 }).training[3]!.x).toBe(0.1);
    expect(chartModel(pair, { reach: 1 }).x.max).toBe(3);
  });
});
