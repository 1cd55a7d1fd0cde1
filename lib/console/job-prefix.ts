// The job that is meant by the start of its ID.
import type { JobSummary } from '../contract/index.js';

/** Upper and lower case mean the same. */
export function findByPrefix<Job extends Pick<JobSummary, 'id'>>(
  start: string,
  jobs: readonly Job[],
): { readonly job: Job } | { readonly problem: string } {
  const wanted = start.toLowerCase();
  const found = jobs.filter(({ id }) => id.toLowerCase().startsWith(wanted));
  const [only, ...others] = found;
  if (!only) return { problem: 'No job of this project has this ID.' };
  if (others.length === 0) return { job: only };
  return { problem: `${found.length} jobs have IDs that start so. Type more.` };
}
