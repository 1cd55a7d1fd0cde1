// The project's jobs, as they were last answered: shown at once when a view comes back, and asked for again.
import { shallowRef } from 'vue';
import type { JobSummary } from '../../lib/contract/index.js';
import { studio } from '../studio.js';
import { useRequest } from '../use-request.js';

const latest = shallowRef<readonly JobSummary[]>();

export function useJobs() {
  return useRequest<readonly JobSummary[]>(async signal => (await studio.listJobs({ signal })).jobs, {
    known: latest.value,
    onAnswer: jobs => {
      latest.value = jobs;
    },
  });
}

/** What the list last said of a job. */
export function knownJob(id: string): JobSummary | undefined {
  return latest.value?.find(job => job.id === id);
}
