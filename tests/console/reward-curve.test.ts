// The main chart of a run that learns from rewards, and the names of what it measures.
import { expect, it } from 'vitest';
import { chartableMetrics, mainCurve, mainPair, metricLabel } from '../../lib/console/index.js';
import { seriesOf } from './support/series-of.js';

const losses = { training: seriesOf({ 1: 0.1 }), evaluation: seriesOf({}) };
const metrics = {
  reward: seriesOf({ 1: 0.2, 2: 0.6 }),
  evalReward: seriesOf({ 2: 0.5 }),
  'reward.kind': seriesOf({ 1: 1 }),
  kl: seriesOf({ 1: 0 }),
};

it('has the rewards where a run has some, and its losses otherwise', () => {
  expect(mainCurve(metrics)).toBe('reward');
  expect(mainPair(losses, metrics)).toEqual({ training: metrics.reward, evaluation: metrics.evalReward });
  expect(mainCurve({ kl: metrics.kl })).toBe('loss');
  expect(mainPair(losses, { kl: metrics.kl })).toBe(losses);
});

it('names the parts of rewards, and offers the rewards in no other chart', () => {
  expect(chartableMetrics(metrics).map(metricLabel)).toEqual(['Divergence', 'Reward: kind']);
  expect(metricLabel('evalReward.kind')).toBe('Held-out reward: kind');
});
