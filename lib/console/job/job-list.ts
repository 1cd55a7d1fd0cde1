// The jobs list: the rows that match the search and filters, the count for each filter, and the placeholder
// if nothing matches.
import { type JobStatus, type JobSummary, jobFieldsWith } from '../../contract/index.js';
import { formatCount, plural } from '../text/format.js';

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

/** A filter and its count for screen readers: `Completed, 1 job`. */
export function spokenFilter(label: string, count: number): string {
  return `${label}, ${plural(count, 'job')}`;
}

export interface JobListQuery {
  readonly search: string;
  readonly status: StatusFilter;
  /** Only jobs that have all of these. */
  readonly tags?: readonly string[];
  /** Only the runs of this sweep. */
  readonly group?: string | null;
}

export const NO_JOBS = 'No jobs yet';
export const NO_MATCHES = 'No matches';

export interface JobList<Job> {
  /** In the backend's order. */
  readonly rows: readonly Job[];
  /** Shown in place of rows; null if there are any. */
  readonly placeholder: typeof NO_JOBS | typeof NO_MATCHES | null;
}

type Row = Pick<JobSummary, 'id' | 'name' | 'status'> &
  Partial<Pick<JobSummary, 'tags' | 'note' | 'group' | 'origin'>>;

/** The rows that pass the filters and match the search. */
export function listJobs<Job extends Row>(jobs: readonly Job[], query: JobListQuery): JobList<Job> {
  const rows = jobs.filter(createMatch(query));
  if (rows.length > 0) return { rows, placeholder: null };
  return { rows, placeholder: jobs.length === 0 ? NO_JOBS : NO_MATCHES };
}

function createMatch({ search, status, tags = [], group = null }: JobListQuery): (job: Row) => boolean {
  const isFound = createSearch(search);
  return job =>
    (status === 'all' || job.status === status) &&
    (group === null || job.group?.id === group) &&
    tags.every(tag => job.tags?.includes(tag)) &&
    isFound(job);
}

/** Searches names and IDs, or tags and notes after `tag:` or `note:`. Ignores case and surrounding spaces. */
function createSearch(search: string): (job: Row) => boolean {
  const wanted = search.trim().toLowerCase();
  const place = jobFieldsWith('search').find(field => wanted.startsWith(`${field.search}:`));
  const label = wanted.slice((place?.search.length ?? 0) + 1).trimStart();
  return job =>
    isIn([job.name, job.id], wanted) || (place !== undefined && isIn([job[place.name] || []].flat(), label));
}

function isIn(texts: readonly string[], wanted: string): boolean {
  return texts.some(text => text.toLowerCase().includes(wanted));
}

interface TagFilter {
  readonly tag: string;
  readonly count: number;
  readonly isOn: boolean;
}

export interface FilterCounts {
  /** How many jobs each status would show, given the search and the other filters. */
  readonly statuses: Readonly<Record<StatusFilter, number>>;
  /** The tags of the visible jobs, most frequent first, plus the tags in the filter. */
  readonly tags: readonly TagFilter[];
}

export function countFilters(jobs: readonly Row[], query: JobListQuery): FilterCounts {
  const found = jobs.filter(createMatch({ ...query, status: 'all' }));
  const statuses = { all: found.length } as Record<StatusFilter, number>;
  for (const { value } of STATUS_FILTERS) statuses[value] ??= 0;
  const counts = new Map((query.tags ?? []).map(tag => [tag, 0]));
  for (const { status, tags = [] } of found) {
    statuses[status]++;
    if (query.status !== 'all' && query.status !== status) continue;
    for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  const tags = [...counts]
    .map(([tag, count]) => ({ tag, count, isOn: query.tags?.includes(tag) ?? false }))
    .sort((a, b) => b.count - a.count || (a.tag < b.tag ? -1 : 1));
  return { statuses, tags };
}

/** The query with a tag added or removed. */
export function toggleTag(query: JobListQuery, tag: string): JobListQuery {
  const { tags = [] } = query;
  return { ...query, tags: tags.includes(tag) ? tags.filter(other => other !== tag) : [...tags, tag] };
}

/** Whether any filter or search is active. */
export function isFiltering({ search, status, tags = [], group = null }: JobListQuery): boolean {
  return search.trim() !== '' || status !== 'all' || tags.length > 0 || group !== null;
}

/** As a query string: `search=bug&status=failed&tag=a&tag=b`; empty if nothing is hidden. */
export function writeJobQuery({ search, status, tags = [], group = null }: JobListQuery): string {
  const query = new URLSearchParams();
  if (search.trim() !== '') query.set('search', search.trim());
  if (status !== 'all') query.set('status', status);
  for (const tag of tags) query.append('tag', tag);
  if (group !== null) query.set('group', group);
  return query.toString();
}

/** Ignores unknown parts. */
export function readJobQuery(text: string): JobListQuery {
  const query = new URLSearchParams(text);
  const status = STATUS_FILTERS.find(({ value }) => value === query.get('status'))?.value ?? 'all';
  const tags = [...new Set(query.getAll('tag').filter(Boolean))];
  return { search: query.get('search') ?? '', status, tags, group: query.get('group') || null };
}

/** The query after the address changes. A plain `#/jobs` keeps the search and filters, but leaves a sweep. */
export function queryAfter(hash: string, latest: JobListQuery): JobListQuery {
  const [page, queryText] = hash.split('?');
  if (page !== '#/jobs') return latest;
  return queryText === undefined ? { ...latest, group: null } : readJobQuery(queryText);
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
  return jobs.filter(({ status, origin = null }) => status === 'completed' && origin === null);
}

export const NO_NEIGHBOR = { [-1]: 'This is the first job.', 1: 'This is the last job.' } as const;

/** Null at the ends of the list, or if the job is not in it. */
export function neighborJob(
  rows: readonly { readonly id: string }[],
  id: string,
  direction: -1 | 1,
): string | null {
  const index = rows.findIndex(row => row.id === id);
  return index < 0 ? null : (rows[index + direction]?.id ?? null);
}

/** The first list that contains the job. */
export function listWith<Row extends { readonly id: string }>(
  id: string,
  lists: readonly (readonly Row[] | undefined)[],
): readonly Row[] | null {
  return lists.find(rows => rows?.some(row => row.id === id)) ?? null;
}
