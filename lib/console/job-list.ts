// The jobs list: which rows match the search and filter, and the placeholder if none do.
import type { JobStatus, JobSummary } from '../contract/index.js';
import { formatCount, plural } from './format.js';

export type StatusFilter = 'all' | JobStatus;

/** The filter chips, in order. */
export const STATUS_FILTERS: readonly { readonly value: StatusFilter; readonly label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'running', label: 'Running' },
  { value: 'completed', label: 'Completed' },
  { value: 'queued', label: 'Queued' },
  { value: 'failed', label: 'Failed' },
  { value: 'cancelled', label: 'Cancelled' },
];

export interface JobListQuery {
  readonly search: string;
  readonly status: StatusFilter;
}

export const NO_JOBS = 'No jobs yet';
const NO_MATCHES = 'No matches';

export interface JobList<Job> {
  /** In the backend's order. */
  readonly rows: readonly Job[];
  /** Shown instead of rows; null if there are any. */
  readonly placeholder: typeof NO_JOBS | typeof NO_MATCHES | null;
}

type Row = Pick<JobSummary, 'id' | 'name' | 'status'>;

/** The rows that pass the filter and whose name or id contains the search (trimmed, case-insensitive). */
export function listJobs<Job extends Row>(
  jobs: readonly Job[],
  { search, status }: JobListQuery,
): JobList<Job> {
  const wanted = search.trim().toLowerCase();
  const rows = jobs.filter(
    job =>
      (status === 'all' || job.status === status) &&
      (job.name.toLowerCase().includes(wanted) || job.id.toLowerCase().includes(wanted)),
  );
  if (rows.length > 0) return { rows, placeholder: null };
  return { rows, placeholder: jobs.length === 0 ? NO_JOBS : NO_MATCHES };
}

/** `3 jobs`, or `1 of 3 jobs` while some are hidden. */
export function jobCount(shown: number, all: number): string {
  return shown === all ? plural(all, 'job') : `${formatCount(shown)} of ${plural(all, 'job')}`;
}

/** The next filter, for a key that cycles through them. */
export function nextFilter(status: StatusFilter): StatusFilter {
  const values = STATUS_FILTERS.map(({ value }) => value);
  return values[(values.indexOf(status) + 1) % values.length]!;
}

/** Jobs with a final adapter to chat with. */
export function completedJobs<Job extends Row>(jobs: readonly Job[]): Job[] {
  return jobs.filter(({ status }) => status === 'completed');
}
