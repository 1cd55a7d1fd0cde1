// The project's jobs. A reopened view shows the last answer at once, then fetches again.
import { type ShallowRef, shallowRef } from 'vue';
import type { JobSummary } from '../../lib/contract/index.js';
import { studio } from '../studio.js';
import { useRequest } from '../use-request.js';

const latest = shallowRef<readonly JobSummary[]>();
/** Those of the last list that its search and filters let through. */
export const shownJobs = shallowRef<readonly JobSummary[]>();
/** The last list. */
export const knownJobs: Readonly<ShallowRef<readonly JobSummary[] | undefined>> = latest;

export function useJobs() {
  return useRequest<readonly JobSummary[]>(async signal => (await studio.listJobs({ signal })).jobs, {
    known: latest.value,
    onAnswer: jobs => {
      latest.value = jobs;
    },
  });
}

/** The job as of the last list. */
export function knownJob(id: string): JobSummary | undefined {
  return latest.value?.find(job => job.id === id);
}
