// The choices in the jobs list, which outlive the view, and the jobs that match them.
import { useMemo } from 'react';
import {
  type COLUMN_PAGES,
  EVERY_JOB,
  type JobList,
  type JobListQuery,
  listJobs,
} from '../../../../lib/console/index.js';
import type { JobSummary } from '../../../../lib/contract/index.js';
import { useKept } from '../../dashboard-context.js';
import { useKnownJobs } from '../../hooks/use-jobs.js';
import { merged } from '../../state/store.js';

export interface Choices {
  readonly query: JobListQuery;
  readonly page: (typeof COLUMN_PAGES)[number];
  /** Whether to show IDs, if IDs and dates do not both fit. */
  readonly showsIds: boolean;
  /** The IDs of the runs to compare. */
  readonly compared: readonly string[];
}

const AT_FIRST: Choices = { query: EVERY_JOB, page: 'own', showsIds: false, compared: [] };
const NOTHING: JobList<JobSummary> = { rows: [], placeholder: null };

export const useChoices = () => useKept('jobs choices', merged<Choices>, AT_FIRST);

export function useJobList(): JobList<JobSummary> {
  const jobs = useKnownJobs();
  const [{ query }] = useChoices();
  return useMemo(() => (jobs ? listJobs(jobs, query) : NOTHING), [jobs, query]);
}

/** The jobs in the list as it is or was last shown. */
export const useShownJobs = (): readonly JobSummary[] => useJobList().rows;
