// A chart's drawing, what was chosen for it, and how one zooms and moves in it.
import { describe, expect, it } from 'vitest';
import {
  besideCursor,
  chartModel,
  chooseAxis,
  fractionAt,
  initialChoices,
  metricChoices,
  plotArea,
  plotPoints,
  plotX,
  plotY,
  readChoices,
  roomyTicks,
  stepByColumns,
  toggleMetric,
  writeChoices,
  zoomBetween,
  zoomBy,
} from '../../lib/console/index.js';
import { pairOf } from './support/series-of.js';

const margins = { character: 7, gap: 9, top: 10, right: 20, bottom: 30 };
const area = plotArea({ width: 400, height: 200 }, ['0.5', '1.25'], margins);

describe('the plot', () => {
  it('leaves room around and for the widest label, and has its corners there, at 0 and 1', () => {
    expect(area).toEqual({ left: 51, top: 10, width: 329, height: 160 });
    expect(plotArea({ width: 400, height: 200 }, ['1.2345e-7'], margins).left).toBe(72);
    expect(plotArea({ width: 0, height: 0 }, [], margins)).toMatchObject({ width: 0, height: 0 });
    expect([plotX(area, 0), plotX(area, 1), plotY(area, 0), plotY(area, 1)]).toEqual([51, 380, 170, 10]);
  });

  it('has labels that do not touch in a low chart, where ticks give way to the ends', () => {
    const { ticks } = chartModel(pairOf({ 0: 15.58, 1: 31, 2: 42, 3: 58, 4: 61 })).y;
    const labelsAt = (height: number) =>
      roomyTicks(ticks, height, 14)
        .map(({ label }) => label)
        .join(' ');
    expect([212, 112].map(labelsAt)).toEqual(['15.58 20 30 40 50 61', '15.58 30 40 50 61']);
    expect([40, 0].map(labelsAt)).toEqual(['15.58 40 61', '15.58']);
  });

  it('says nothing twice where labels are rounded', () => {
    const ticks = ['1.2 GB', '1.2 GB', '1.3 GB'].map((label, index) => ({ label, position: index / 2 }));
    expect(roomyTicks(ticks, 200, 14).map(({ position }) => position)).toEqual([0, 1]);
  });

  it('turns vertices into points, and a place into a fraction, the ends for what is outside', () => {
    const [first, last] = [
      { step: 1, value: 5, x: 0, y: 1 / 3 },
      { step: 2, value: 9, x: 1, y: 1 },
    ];
    expect([plotPoints(area, [first!, last!]), plotPoints(area, [])]).toEqual(['51,116.67 380,10', '']);
    expect([0, 51, 215.5, 380, 999].map(x => fractionAt(area, x))).toEqual([0, 0, 0.5, 1, 1]);
    expect(fractionAt({ ...area, width: 0 }, 50)).toBe(0);
  });

  it.each([
    ['to the right where there is room', 100, 400, 110],
    ['else to the left', 300, 400, 170],
    ['at the edge where neither has room', 60, 140, 0],
    ['to the left at the very end', 399, 400, 269],
  ])('has a box beside the cursor, %s', (_, cursor, width, left) =>
    expect(besideCursor(cursor, 120, width, 10)).toBe(left),
  );
});

describe('the choices of a chart in an address', () => {
  it('are nothing while nothing was chosen, and come back as they were written, of any metric', () => {
    expect([writeChoices(initialChoices), readChoices('')]).toEqual(['', initialChoices]);
    const choices = {
      isLog: true,
      isSmooth: true,
      ignoresOutliers: true,
      toPlannedEnd: true,
      x: 'time' as const,
      zoom: { from: 1.5, to: 40 },
      metrics: ['learningRate', 'memoryBytes'],
    };
    const metrics = 'metrics=learningRate_memoryBytes';
    expect(writeChoices(choices)).toBe(`log=1&smooth=1&outliers=1&planned=1&x=time&zoom=1.5_40&${metrics}`);
    const named = { ...initialChoices, metrics: ['loss', 'score:exact_match', 'my metric'] };
    for (const each of [choices, named]) expect(readChoices(writeChoices(each))).toEqual(each);
  });

  it.each(['zoom=4', 'zoom=9_2', 'zoom=a_b', 'zoom=_3', 'x=hours', 'log=yes', 'metrics=<b>', 'nonsense'])(
    'leave out what is malformed: %s',
    text => expect(readChoices(text)).toEqual(initialChoices),
  );

  it('end the zoom with another axis, apply where they fit, and take a metric in and out', () => {
    const zoomed = { ...initialChoices, zoom: { from: 1, to: 2 } };
    expect(chooseAxis(zoomed, 'tokens')).toEqual({ ...initialChoices, x: 'tokens' });
    const all = { ...initialChoices, isLog: true, isSmooth: true };
    const names = ['loss', 'evalLoss', 'tokensPerSecond', 'learningRate', 'score:accuracy'];
    expect(names.filter(name => metricChoices(all, name).isLog)).toEqual(['loss', 'evalLoss']);
    expect(names.filter(name => metricChoices(all, name).isSmooth)).toEqual(names.slice(0, 3));
    expect(metricChoices(initialChoices, 'loss')).toEqual(initialChoices);
    const one = toggleMetric(initialChoices, 'cpuPercent');
    expect([one.metrics, toggleMetric(one, 'cpuPercent').metrics]).toEqual([['cpuPercent'], []]);
  });
});

describe('zooming', () => {
  const whole = { from: 0, to: 100 };

  it('is to the stretch that was dragged over, in either direction, not by a click that moved', () => {
    const shown = { from: 20, to: 60 };
    const dragged = [zoomBetween(shown, 0.25, 0.5), zoomBetween(shown, 0.5, 0.25)];
    expect(dragged).toEqual(Array(2).fill({ from: 30, to: 40 }));
    expect(zoomBetween(whole, 0.5, 0.505)).toBeNull();
  });

  it('by keys halves what is shown around its place, inside of the run, as far as that goes', () => {
    expect(zoomBy(whole, whole, 20, 1)).toEqual({ from: 10, to: 60 });
    expect(zoomBy(whole, { from: 10, to: 60 }, 20, -1)).toBeNull();
    expect(zoomBy(whole, { from: 80, to: 90 }, 89, -1)).toEqual({ from: 71, to: 91 });
    expect(zoomBy(whole, { from: 40, to: 60 }, 90, 1)).toEqual({ from: 80, to: 90 });
    expect(zoomBy(whole, { from: 40, to: 60 }, 10, 1)).toEqual({ from: 10, to: 20 });
    expect(zoomBy(whole, whole, 100, 1)).toEqual({ from: 50, to: 100 });
    const closest = { from: 50, to: 50.01 };
    expect(zoomBy(whole, closest, 50, 1)).toEqual(closest);
    expect(zoomBy({ from: 7, to: 7 }, { from: 7, to: 7 }, 7, 1)).toBeNull();
  });
});

it.each([
  ['by a column where several steps share one', 101, [500, 1], 510],
  ['by several columns', 101, [500, -10], 400],
  ['to the next step where they are further apart', 4001, [500, 1], 501],
  ['to the step before where they are further apart', 4001, [500, -1], 499],
  ['not beyond the last one', 101, [1000, 1], null],
  ['not before the first one', 101, [0, -10], null],
  ['to the end where it is nearer than the columns', 101, [995, 10], 1000],
] as const)('in cells, the cursor moves %s', (_, columns, [step, by], to) => {
  const pair = pairOf({ ...Array(1001).fill(1) });
  expect(stepByColumns(pair, step, by, { columns, minStep: 0, maxStep: 1000 })).toBe(to);
});
