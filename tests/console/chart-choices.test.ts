import { describe, expect, it } from 'vitest';
import {
  chooseAxis,
  initialChoices,
  metricChoices,
  readChoices,
  toggleMetric,
  writeChoices,
} from '../../lib/console/index.js';

describe('the choices of a chart in an address', () => {
  it('are nothing while nothing was chosen', () => {
    expect(writeChoices(initialChoices)).toBe('');
    expect(readChoices('')).toEqual(initialChoices);
  });

  it('come back as they were written', () => {
    const choices = {
      isLog: true,
      isSmooth: true,
      ignoresOutliers: true,
      toPlannedEnd: true,
      x: 'time' as const,
      zoom: { from: 1.5, to: 40 },
      metrics: ['learningRate', 'memoryBytes'],
    };
    expect(writeChoices(choices)).toBe(
      'log=1&smooth=1&outliers=1&planned=1&x=time&zoom=1.5_40&metrics=learningRate_memoryBytes',
    );
    expect(readChoices(writeChoices(choices))).toEqual(choices);
  });

  it('come back with metrics of any name', () => {
    const choices = { ...initialChoices, metrics: ['loss', 'score:exact_match', 'my metric'] };
    expect(readChoices(writeChoices(choices))).toEqual(choices);
  });

  it.each(['zoom=4', 'zoom=9_2', 'zoom=a_b', 'zoom=_3', 'x=hours', 'log=yes', 'metrics=<b>', 'nonsense'])(
    'leave out what is malformed: %s',
    text => {
      expect(readChoices(text)).toEqual(initialChoices);
    },
  );

  it('end the zoom with another axis, which counts in other units', () => {
    const zoomed = { ...initialChoices, zoom: { from: 1, to: 2 } };
    expect(chooseAxis(zoomed, 'tokens')).toEqual({ ...initialChoices, x: 'tokens' });
  });

  it('apply where they fit: a logarithmic scale to losses, smoothing to what has noise', () => {
    const all = { ...initialChoices, isLog: true, isSmooth: true };
    const applied = (name: string) => {
      const { isLog, isSmooth } = metricChoices(all, name);
      return [isLog, isSmooth];
    };
    expect(['loss', 'evalLoss'].map(applied)).toEqual([
      [true, true],
      [true, true],
    ]);
    expect(applied('tokensPerSecond')).toEqual([false, true]);
    expect(['learningRate', 'score:accuracy'].map(applied)).toEqual([
      [false, false],
      [false, false],
    ]);
    expect(metricChoices(initialChoices, 'loss')).toEqual(initialChoices);
  });

  it('take a metric in and out', () => {
    const one = toggleMetric(initialChoices, 'cpuPercent');
    expect(one.metrics).toEqual(['cpuPercent']);
    expect(toggleMetric(one, 'cpuPercent').metrics).toEqual([]);
  });
});
