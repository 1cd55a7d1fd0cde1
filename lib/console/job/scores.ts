// The scores of a job's adapters: read from its events and the job itself, charted as metrics, and the best
// of them.
import { type BestBy, isAtLeastAsGood, type Job } from '../../contract/index.js';
import { type MetricTable, SCORE_PREFIX, scoreOfMetric } from '../chart/metrics.js';
import { emptySeries, extendSeries, type MetricSeries, valueAtStep } from '../chart/series.js';

export interface ScoreAt {
  readonly name: string;
  readonly value: number;
  readonly step: number;
}

/** Null for a malformed payload. */
export function readScore({ step, name, value }: Readonly<Record<string, unknown>>): ScoreAt | null {
  if (!Number.isInteger(step) || typeof name !== 'string' || name === '') return null;
  if (typeof value !== 'number' || !Number.isFinite(value)) return null;
  return { step: step as number, name, value };
}

export function scoreMessage({ step, name, value }: ScoreAt): string {
  return `step=${step} ${name}=${value}`;
}

/** Adds missing scores. A score is identified by its step and name, and never changes. */
export function addScores(metrics: MetricTable, scores: readonly ScoreAt[]): MetricTable {
  const table: Record<string, MetricSeries> = { ...metrics };
  const seriesOf = (name: string) => table[SCORE_PREFIX + name] ?? emptySeries;
  let isNews = false;
  for (const { name, step, value } of scores) {
    if (valueAtStep(seriesOf(name), step) !== undefined) continue;
    isNews = true;
    table[SCORE_PREFIX + name] = insert(seriesOf(name), step, value);
  }
  return isNews ? table : metrics;
}

/** Inserts by step, although scores may arrive in any order. */
function insert({ steps, values, length }: MetricSeries, step: number, value: number): MetricSeries {
  const points = Array.from({ length }, (_, index) => ({ step: steps[index]!, value: values[index]! }));
  const sorted = [...points, { step, value }].sort((a, b) => a.step - b.step);
  const series = extendSeries(emptySeries);
  for (const point of sorted) series.add(point.step, point.value);
  return series.build();
}

/** The latest value of each score, in the order in which they first appeared. */
export function latestScores(metrics: MetricTable): ScoreAt[] {
  return Object.keys(metrics).flatMap(metric => {
    const name = scoreOfMetric(metric);
    if (name === null) return [];
    const { steps, values, length } = metrics[metric]!;
    return [{ name, step: steps[length - 1]!, value: values[length - 1]! }];
  });
}

/**
 * The best value of the score that the trainer chose; the last one in case of a tie. Null if there is none.
 */
export function bestScore(metrics: MetricTable, config: Job['config'] | undefined): ScoreAt | null {
  const bestBy = readBestBy(config);
  const series = bestBy && metrics[SCORE_PREFIX + bestBy.score];
  if (!bestBy || !series) return null;
  let best: ScoreAt | null = null;
  for (let index = 0; index < series.length; index++) {
    const value = series.values[index]!;
    if (!best || isAtLeastAsGood(value, best.value, bestBy))
      best = { name: bestBy.score, value, step: series.steps[index]! };
  }
  return best;
}

/** The score that decides which adapter is best; null if the loss does. */
export function readBestBy(config: Job['config'] | undefined): BestBy | null {
  const bestBy = config?.bestBy as Partial<BestBy> | null | undefined;
  return typeof bestBy?.score === 'string' ? (bestBy as BestBy) : null;
}

const LATE_MS = 10 * 60_000;

/**
 * Whether scores of a completed job may still arrive: the final adapter is evaluated after the job's end. The
 * wait is limited, because a program that exited early reports no scores.
 */
export function awaitsScores(
  { metrics, lastStep }: { metrics: MetricTable; lastStep: number | null },
  job: Pick<Job, 'status' | 'completedAt'> & Partial<Pick<Job, 'config'>>,
  now: number,
): boolean {
  const evals = job.config?.evals;
  if (!Array.isArray(evals) || job.status !== 'completed') return false;
  if (job.completedAt === null || now - Date.parse(job.completedAt) > LATE_MS || lastStep === null)
    return false;
  return evals.some(name => valueAtStep(metrics[SCORE_PREFIX + name] ?? emptySeries, lastStep) === undefined);
}
