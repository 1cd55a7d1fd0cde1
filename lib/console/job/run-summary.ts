// A run's progress and results: steps, time spent and left, and its losses with their steps.
import { isFinalStatus } from '../../contract/index.js';
import { type MetricTable, mainCurve } from '../chart/metrics.js';
import type { MetricSeries } from '../chart/series.js';
import type { XAxis } from '../chart/x-axis.js';
import { type JobView, shownStatus, shownWait } from './job-view.js';
import { bestScore, latestScores, type ScoreAt } from './scores.js';

export interface LossAt {
  readonly value: number;
  readonly step: number;
}

interface RunSummary {
  readonly step: number | null;
  readonly totalSteps: number | null;
  /** From 0 to 1; null while the end is unknown. */
  readonly fraction: number | null;
  readonly elapsedMs: number | null;
  /** Estimated from the pace since the run started or resumed; null while it waits, and once it has ended. */
  readonly leftMs: number | null;
  readonly tokensPerSecond: number | null;
  /** How long the latest steps took, where they also sample answers and have them rewarded. */
  readonly stepSeconds: {
    readonly rollout: number;
    readonly reward: number;
    readonly training: number;
  } | null;
  readonly latest: LossAt | null;
  /** The lowest training and eval loss. */
  readonly best: LossAt | null;
  readonly bestEval: LossAt | null;
  /** The best value of the score that the trainer chose, if any, which takes precedence over the loss. */
  readonly bestScore: ScoreAt | null;
  /** The latest value of each score. */
  readonly scores: readonly ScoreAt[];
  /** The last training and eval loss of a completed run. */
  readonly final: LossAt | null;
  readonly finalEval: LossAt | null;
  /** Of a run that learns from them: the latest reward, the highest ones, and the last ones of a completed run. */
  readonly rewards: RunResults | null;
}

export type RunResults = Pick<RunSummary, 'latest' | 'best' | 'bestEval' | 'final' | 'finalEval'>;

export function runSummary(view: JobView, now: number): RunSummary {
  const { polled, training, evaluation, metrics } = view;
  const status = shownStatus(view);
  const isOver = status !== null && isFinalStatus(status);
  const step = greatestStep(view) ?? polled?.step ?? null;
  const totalSteps = view.totalSteps ?? polled?.totalSteps ?? null;
  const speeds = metrics.tokensPerSecond;
  const isDone = status === 'completed';
  return {
    step,
    totalSteps,
    fraction: toShare(isDone && !view.imported ? totalSteps : step, totalSteps),
    elapsedMs: toElapsed(view, isOver, now),
    leftMs: isOver || status !== 'running' || shownWait(view) ? null : toTimeLeft(view, step, totalSteps),
    tokensPerSecond: speeds?.values[speeds.length - 1] ?? null,
    stepSeconds: toStepSeconds(metrics),
    latest: lastOf(training),
    best: bestOf(training),
    bestEval: bestOf(evaluation),
    bestScore: bestScore(metrics, polled?.config),
    scores: latestScores(metrics),
    final: isDone ? lastOf(training) : null,
    finalEval: isDone ? lastOf(evaluation) : null,
    rewards: mainCurve(metrics) === 'reward' ? toRewards(metrics, isDone) : null,
  };
}

function toStepSeconds({ rolloutSeconds, rewardSeconds, trainingSeconds }: MetricTable) {
  const [rollout, reward, training] = [rolloutSeconds, rewardSeconds, trainingSeconds].map(
    series => series?.values[series.length - 1],
  );
  if (rollout === undefined || reward === undefined || training === undefined) return null;
  return { rollout, reward, training };
}

function toRewards({ reward, evalReward }: MetricTable, isDone: boolean): RunResults {
  const latest = reward ? lastOf(reward) : null;
  return {
    latest,
    best: reward ? highestOf(reward) : null,
    bestEval: evalReward ? highestOf(evalReward) : null,
    final: isDone ? latest : null,
    finalEval: isDone && evalReward ? lastOf(evalReward) : null,
  };
}

function toShare(done: number | null, total: number | null): number | null {
  return total ? Math.min(1, (done ?? 0) / total) : null;
}

/** The planned end of a run in progress on the x-axis; null if unknown or the run is over. */
export function plannedEnd(view: JobView, axis: XAxis): number | null {
  const status = shownStatus(view);
  const { step, totalSteps, leftMs } = runSummary(view, 0);
  if (!step || !totalSteps || status === null || isFinalStatus(status)) return null;
  if (axis === 'step') return totalSteps;
  const along = view.metrics[axis];
  const last = along?.values[along.length - 1];
  if (last === undefined) return null;
  if (axis === 'time') return leftMs === null ? null : last + leftMs / 1000;
  return (last * totalSteps) / step;
}

function greatestStep({ training, evaluation }: JobView): number | null {
  const steps = [training.maxStep, evaluation.maxStep].filter(step => step !== null);
  return steps.length > 0 ? Math.max(...steps) : null;
}

function toElapsed({ polled, times }: JobView, isOver: boolean, now: number): number | null {
  const startedAt = polled?.startedAt ? Date.parse(polled.startedAt) : times.first;
  if (startedAt === null) return null;
  const endedAt = polled?.completedAt ? Date.parse(polled.completedAt) : times.last;
  return Math.max(0, (isOver ? (endedAt ?? startedAt) : Math.max(now, times.last ?? 0)) - startedAt);
}

function toTimeLeft({ times, metrics }: JobView, step: number | null, total: number | null): number | null {
  const { first, resumed } = times;
  const seconds = metrics.time?.values[metrics.time.length - 1];
  if (first === null || !resumed || seconds === undefined || step === null || total === null) return null;
  const spent = first + seconds * 1000 - resumed.at;
  if (step <= resumed.step || spent <= 0) return null;
  return (Math.max(0, total - step) * spent) / (step - resumed.step);
}

function lastOf({ steps, values, length }: MetricSeries): LossAt | null {
  return length === 0 ? null : { step: steps[length - 1]!, value: values[length - 1]! };
}

function highestOf({ steps, values, length, maxValue }: MetricSeries): LossAt | null {
  if (length === 0) return null;
  return { step: steps[values.indexOf(maxValue!)]!, value: maxValue! };
}

function bestOf({ steps, values, length, minValue }: MetricSeries): LossAt | null {
  if (length === 0) return null;
  return { step: steps[values.indexOf(minValue!)]!, value: minValue! };
}
