import { describe, expect, it } from 'vitest';
import { xTicks } from '../../lib/console/chart/x-axis.js';
import {
  chartableMetrics,
  formatMetric,
  metricLabel,
  offeredAxes,
  plotWords,
  projectSeries,
  stepOfX,
  usableAxis,
  xOfStep,
} from '../../lib/console/index.js';
import { frame, play, viewOf } from './support/play.js';

const at = (second: number) => ({ timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString() });
const log = (step: number, fields: object) => frame('training.log', { step, ...at(step), ...fields });
const run = viewOf(
  frame('training.started', { totalSteps: 40, trainTokens: 1000, ...at(0) }),
  log(10, { loss: 2, learningRate: 0.1, epoch: 0.5, tokens: 600, rewardMargin: 0.25, jobId: 'x' }),
  log(20, { loss: 1, learningRate: 0.2, epoch: 1, tokens: 500, cpuPercent: 180, memoryBytes: 2.5e8 }),
);

it('the metrics of a run are every number of its events, known ones first, more when more follow', () => {
  const names = chartableMetrics(run.metrics);
  expect(names).toEqual(['learningRate', 'memoryBytes', 'cpuPercent', 'rewardMargin']);
  expect(run.metrics.learningRate).toMatchObject({ length: 2, minValue: 0.1, maxValue: 0.2 });
  expect(names.map(metricLabel)).toEqual(['Learning rate', 'Memory', 'CPU', 'Reward margin']);
  const values = [2.5e8, 180, 0.25].map((value, index) => formatMetric(names[index + 1]!, value));
  expect(values).toEqual(['250 MB', '180 %', '0.25']);
  const later = play(run, log(30, { learningRate: 0.3 }));
  expect([run, later].map(view => view.metrics.learningRate?.length)).toEqual([2, 3]);
});

describe('the x-axis', () => {
  const AXES = ['step', 'tokens', 'epoch', 'time'] as const;

  it('counts what the events say', () => {
    expect([offeredAxes(run.metrics), offeredAxes({})]).toEqual([AXES, ['step']]);
    expect(usableAxis({}, 'time')).toBe('step');
  });

  it('places a step at its tokens, epoch and seconds, tokens of older runs by their epochs', () => {
    expect(AXES.map(axis => xOfStep(run.metrics, axis, 20))).toEqual([20, 1100, 1, 20]);
    expect(stepOfX(run.metrics, 'tokens', 600)).toBe(10);
    const { steps, values } = projectSeries(run.training, run.metrics, 'tokens');
    expect([steps.slice(0, 2), values.slice(0, 2)]).toEqual([
      [600, 1100],
      [2, 1],
    ]);
    const old = viewOf(frame('training.started', { trainTokens: 1000 }), log(10, { loss: 2, epoch: 0.5 }));
    expect(xOfStep(old.metrics, 'tokens', 10)).toBe(500);
  });

  it('places scores of steps that were not logged between those that were, and finds their steps again', () => {
    const score = (step: number, value: number) => frame('score.recorded', { step, name: 'exact', value });
    const scored = play(run, score(0, 0.1), score(13, 0.5), score(20, 0.75), score(25, 0.8));
    const series = projectSeries(scored.metrics['score:exact']!, scored.metrics, 'tokens');
    const places = series.steps.slice(0, series.length);
    expect(places).toEqual([0, 750, 1100]);
    expect(places.map(x => stepOfX(scored.metrics, 'tokens', x))).toEqual([0, 13, 20]);
    expect(xOfStep(scored.metrics, 'time', 5)).toBe(5);
    expect(xOfStep(scored.metrics, 'time', 25)).toBeUndefined();
  });

  it('has ticks that people count time in', () => {
    const labels = (from: number, to: number) => xTicks('time', from, to).map(({ label }) => label);
    expect(labels(0, 50)).toEqual(['0', '10 s', '20 s', '30 s', '40 s', '50 s']);
    expect(labels(3, 610)).toEqual(['2 min', '4 min', '6 min', '8 min', '10 min']);
    expect(labels(0, 20_000)).toEqual(['0', '1 h', '2 h', '3 h', '4 h', '5 h']);
    expect(labels(0.2, 0.4).length).toBeGreaterThan(1);
    const close = ['2 h 1 min', '2 h 1 min 15 s', '2 h 1 min 30 s', '2 h 1 min 45 s', '2 h 2 min'];
    expect(labels(7260, 7325)).toEqual(close);
    expect(labels(7260, 7260.9)).toEqual(['2 h 1 min']);
  });

  it.each([
    ['loss', 'step', 20, 'Step 20'],
    ['loss', 'tokens', 600, 'Step 10 · tokens 600'],
    ['memoryBytes', 'time', 20, 'Step 20 · 20.0 s'],
  ] as const)('says where the crosshair is: %s over %s at %d', (metric, axis, x, title) =>
    expect(plotWords(metric, axis, run.metrics).title(x)).toBe(title),
  );
});
