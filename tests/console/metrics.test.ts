import { describe, expect, it } from 'vitest';
import {
  chartableMetrics,
  formatMetric,
  initialJobView,
  type JobView,
  metricLabel,
  offeredAxes,
  plotWords,
  projectSeries,
  reduceJobView,
  stepOfX,
  usableAxis,
  xOfStep,
} from '../../lib/console/index.js';
import { xTicks } from '../../lib/console/x-axis.js';

function viewOf(...payloads: [event: string, fields: object][]): JobView {
  const frames = payloads.map(([event, fields], index) => ({
    id: String(index + 1),
    event,
    data: JSON.stringify(fields),
  }));
  return reduceJobView(initialJobView, { type: 'frames', frames });
}

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const log = (step: number, fields: object): [string, object] => [
  'training.log',
  { step, timestamp: at(step), ...fields },
];
const run = viewOf(
  ['training.started', { totalSteps: 40, trainTokens: 1000, timestamp: at(0) }],
  log(10, { loss: 2, learningRate: 0.1, epoch: 0.5, tokens: 600, rewardMargin: 0.25, jobId: 'x' }),
  log(20, { loss: 1, learningRate: 0.2, epoch: 1, tokens: 500, cpuPercent: 180, memoryBytes: 2.5e8 }),
);

describe('the metrics of a run', () => {
  it('are every number of its events, those that are known first', () => {
    expect(chartableMetrics(run.metrics)).toEqual([
      'learningRate',
      'memoryBytes',
      'cpuPercent',
      'rewardMargin',
    ]);
    expect(run.metrics.learningRate).toMatchObject({ length: 2, minValue: 0.1, maxValue: 0.2 });
  });

  it('have names and units, also those that nobody has heard of', () => {
    expect(chartableMetrics(run.metrics).map(metricLabel)).toEqual([
      'Learning rate',
      'Memory',
      'CPU',
      'Reward margin',
    ]);
    expect(formatMetric('memoryBytes', 2.5e8)).toBe('250 MB');
    expect(formatMetric('cpuPercent', 180)).toBe('180 %');
    expect(formatMetric('rewardMargin', 0.25)).toBe('0.25');
  });

  it('leave a view as it was when more follow', () => {
    const later = reduceJobView(run, {
      type: 'frame',
      frame: { id: '9', event: 'training.log', data: '{"step":30,"learningRate":0.3}' },
    });
    expect(run.metrics.learningRate?.length).toBe(2);
    expect(later.metrics.learningRate?.length).toBe(3);
  });
});

describe('the x-axis', () => {
  it('counts what the events say', () => {
    expect(offeredAxes(run.metrics)).toEqual(['step', 'tokens', 'epoch', 'time']);
    expect(offeredAxes({})).toEqual(['step']);
    expect(usableAxis({}, 'time')).toBe('step');
  });

  it('places a step at its tokens, epoch and seconds, and finds it there', () => {
    const places = (['step', 'tokens', 'epoch', 'time'] as const).map(axis => xOfStep(run.metrics, axis, 20));
    expect(places).toEqual([20, 1100, 1, 20]);
    expect(stepOfX(run.metrics, 'tokens', 600)).toBe(10);
    const { steps, values, length } = projectSeries(run.training, run.metrics, 'tokens');
    expect([steps.slice(0, length), values.slice(0, length)]).toEqual([
      [600, 1100],
      [2, 1],
    ]);
  });

  it('knows tokens of older runs by their epochs', () => {
    const old = viewOf(['training.started', { trainTokens: 1000 }], log(10, { loss: 2, epoch: 0.5 }));
    expect(xOfStep(old.metrics, 'tokens', 10)).toBe(500);
  });

  it('has ticks that people count time in', () => {
    const labels = (from: number, to: number) => xTicks('time', from, to).map(({ label }) => label);
    expect(labels(0, 50)).toEqual(['0', '10 s', '20 s', '30 s', '40 s', '50 s']);
    expect(labels(3, 610)).toEqual(['2 min', '4 min', '6 min', '8 min', '10 min']);
    expect(labels(0, 20_000)).toEqual(['0', '1 h', '2 h', '3 h', '4 h', '5 h']);
    expect(labels(0.2, 0.4).length).toBeGreaterThan(1);
  });

  it('says where the crosshair is', () => {
    expect(plotWords('loss', 'step', run.metrics).title(20)).toBe('Step 20');
    expect(plotWords('loss', 'tokens', run.metrics).title(600)).toBe('Step 10 · tokens 600');
    expect(plotWords('memoryBytes', 'time', run.metrics).title(20)).toBe('Step 20 · 20.0 s');
  });
});
