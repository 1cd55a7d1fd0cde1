// The orders in which jobs can be listed. What has no value comes last.
import type { JobSummary } from '../../../lib/contract/index.js';

type Key = (job: JobSummary) => string | number | null;

const KEYS: Readonly<Record<string, Key>> = {
  name: ({ name }) => name.toLowerCase(),
  status: ({ status }) => status,
  duration: ({ startedAt, completedAt }) =>
    startedAt && (completedAt ? Date.parse(completedAt) : Date.now()) - Date.parse(startedAt),
  loss: ({ loss }) => loss,
  'eval-loss': ({ evalLoss }) => evalLoss,
  'best-loss': ({ bestLoss }) => bestLoss,
  /** The best one first. */
  'best-score': ({ bestScore }) => bestScore && (bestScore.higher ? -bestScore.value : bestScore.value),
};

/** Jobs are answered newest first, which is the order for every other word. */
export function sortJobs(jobs: readonly JobSummary[], by: string): readonly JobSummary[] {
  const key = KEYS[by];
  if (!key) return jobs;
  return jobs
    .map(job => ({ job, value: key(job) }))
    .sort((a, b) => compare(a.value, b.value))
    .map(({ job }) => job);
}

function compare(a: string | number | null, b: string | number | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  return a < b ? -1 : 1;
}
