// The metrics in a `training.log` event besides the losses. Every numeric field is a metric; this table only
// defines names and formats for some.

import { JOB_FIELDS } from '../../contract/index.js';
import { formatBytes, formatDuration, formatNumber } from '../text/format.js';
import type { MetricSeries } from './series.js';

/** Series by field name, in the order of their first points. */
export type MetricTable = Readonly<Record<string, MetricSeries>>;

interface Metric {
  readonly label: string;
  readonly format: (value: number) => string;
}

/** In the order in which they are offered; other metrics follow. */
const KNOWN: Readonly<Record<string, Metric>> = {
  learningRate: { label: 'Learning rate', format: formatNumber },
  tokensPerSecond: { label: 'Tokens per second', format: formatNumber },
  memoryBytes: { label: 'Memory', format: formatBytes },
  cpuPercent: { label: 'CPU', format: value => `${formatNumber(value)} %` },
  softLoss: { label: 'Distance from teacher', format: formatNumber },
  evalSoftLoss: { label: 'Held-out distance from teacher', format: formatNumber },
  reward: { label: JOB_FIELDS.reward.label, format: formatNumber },
  evalReward: { label: JOB_FIELDS.evalReward.label, format: formatNumber },
  rewardSpread: { label: 'Spread of rewards', format: formatNumber },
  kl: { label: 'Divergence', format: formatNumber },
  answerTokens: { label: 'Answer length', format: formatNumber },
  cutAnswers: { label: 'Answers cut off', format: percent },
  quietGroups: { label: 'Groups without a difference', format: percent },
  failedRewards: { label: 'Answers without a reward', format: percent },
  clippedTokens: { label: 'Clipped tokens', format: percent },
  rolloutSeconds: { label: 'Time to sample answers', format: duration },
  rewardSeconds: { label: 'Time for rewards', format: duration },
  trainingSeconds: { label: 'Time to learn from them', format: duration },
};

function percent(share: number): string {
  return `${formatNumber(100 * share)} %`;
}

function duration(seconds: number): string {
  return formatDuration(1000 * seconds);
}

/** Before the names of the parts of rewards. */
const PARTS = [
  ['evalReward.', JOB_FIELDS.evalReward.label],
  ['reward.', JOB_FIELDS.reward.label],
] as const;

function partLabel(name: string): string | null {
  const found = PARTS.find(([prefix]) => name.startsWith(prefix));
  return found ? `${found[1]}: ${name.slice(found[0].length)}` : null;
}

/** Distinguishes the series of scores from metrics of training. */
export const SCORE_PREFIX = 'score:';

/** The name of the score that a series shows; null for any other series. */
export function scoreOfMetric(metric: string): string | null {
  return metric.startsWith(SCORE_PREFIX) ? metric.slice(SCORE_PREFIX.length) : null;
}

export function isScoreMetric(metric: string): boolean {
  return scoreOfMetric(metric) !== null;
}

/** False for scores, which have few points, and for the learning rate, which is planned. */
export function isNoisyMetric(metric: string): boolean {
  return metric !== 'learningRate' && !isScoreMetric(metric);
}

/** Fields that are shown elsewhere: the losses and rewards, and what the x-axis can count. */
const ELSEWHERE = new Set(['step', 'loss', 'evalLoss', 'reward', 'evalReward', 'epoch', 'tokens', 'time']);

/** What a run is about: its reward where it learns from rewards, whose loss says little, or its loss. */
export function mainCurve(metrics: MetricTable): 'loss' | 'reward' {
  return (metrics.reward?.length ?? 0) > 0 ? 'reward' : 'loss';
}

export function metricLabel(name: string): string {
  return KNOWN[name]?.label ?? scoreOfMetric(name) ?? partLabel(name) ?? toWords(name);
}

export function formatMetric(name: string, value: number): string {
  return (KNOWN[name]?.format ?? formatNumber)(value);
}

/** The metrics that can be charted; scores first. */
export function chartableMetrics(metrics: MetricTable): string[] {
  const names = Object.keys(metrics).filter(name => !ELSEWHERE.has(name));
  const known = Object.keys(KNOWN).filter(name => names.includes(name));
  const scores = names.filter(isScoreMetric);
  return [...scores, ...known, ...names.filter(name => !(name in KNOWN) && !isScoreMetric(name))];
}

/** `rewardMargin` becomes `Reward margin`. */
function toWords(name: string): string {
  const words = name
    .replace(/[_-]+/g, ' ')
    .replace(/([a-z\d])([A-Z])/g, (_, a, b) => `${a} ${b.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
