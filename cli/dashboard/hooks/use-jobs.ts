// The job list for every view that needs it, fetched every few seconds while one of them is shown.
import type { JobSummary } from '../../../lib/contract/index.js';
import { useFetched, useKeptAnswer } from './fetched.js';
import { POLL_MS } from './poll.js';

const NAME = 'jobs';

/** Null until they have arrived. */
export function useJobs() {
  const { value: jobs, ...rest } = useFetched(
    NAME,
    async ({ client, signal }) => (await client.listJobs({ signal })).jobs,
    { everyMs: POLL_MS },
  );
  return { jobs, ...rest };
}

/** As last fetched for any view; fetches nothing. */
export const useKnownJobs = () => useKeptAnswer<readonly JobSummary[]>(NAME)[0].value;
