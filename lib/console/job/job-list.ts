// The jobs list: the rows that match the search and filters, the count for each filter, and the placeholder
// if nothing matches. Which fields are searched and filtered is in the table of job fields.
import {
  type FilterField,
  JOB_STATUSES,
  type JobStatus,
  type JobSummary,
  jobFieldsWith,
  orList,
} from '../../contract/index.js';
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

const FILTERS = jobFieldsWith('filter');

/** Those of which any number of values can be chosen. */
export const VALUE_FILTERS = FILTERS.flatMap(({ filter, ...field }) =>
  filter === 'one' ? [] : { ...field, key: filter.key },
);

const SEARCHED = jobFieldsWith('search');

/** The words for a search in other fields than the name and the ID: `tag: or note:` */
export const SEARCH_WORDS = orList(SEARCHED.map(({ word }) => `${word}:`));

/** A filter and its count for screen readers: `Completed, 1 job`. */
export function spokenFilter(label: string, count: number): string {
  return `${label}, ${plural(count, 'job')}`;
}

/** A job has all of the chosen tags, and one of the chosen values of any other field. */
type Chosen = { readonly [Name in FilterField]?: readonly string[] };

export interface JobListQuery extends Chosen {
  readonly search: string;
}

export const EVERY_JOB: JobListQuery = { search: '' };

export const NO_JOBS = 'No jobs yet';
export const NO_MATCHES = 'No matches';

export interface JobList<Job> {
  /** In the backend's order. */
  readonly rows: readonly Job[];
  /** Shown in place of rows; null if there are any. */
  readonly placeholder: typeof NO_JOBS | typeof NO_MATCHES | null;
}

type Row = Pick<JobSummary, 'id' | 'name' | 'status'> & Partial<JobSummary>;

/** The rows that pass the filters and match the search. */
export function listJobs<Job extends Row>(jobs: readonly Job[], query: JobListQuery): JobList<Job> {
  const rows = jobs.filter(createMatch(query));
  if (rows.length > 0) return { rows, placeholder: null };
  return { rows, placeholder: jobs.length === 0 ? NO_JOBS : NO_MATCHES };
}

/** `except`: a filter to leave out. */
function createMatch(query: JobListQuery, except?: FilterField): (job: Row) => boolean {
  const isFound = createSearch(query.search);
  const asked = FILTERS.flatMap(({ name, kind }) => {
    const chosen = name === except ? [] : chosenIn(query, name);
    return chosen.length === 0 ? [] : { name, chosen, needsAll: kind === 'tags' };
  });
  return job =>
    asked.every(({ name, chosen, needsAll }) => {
      const values = valuesOf(job, name);
      const isThere = (value: string) => values.includes(value);
      return needsAll ? chosen.every(isThere) : chosen.some(isThere);
    }) && isFound(job);
}

export function chosenIn(query: JobListQuery, name: FilterField): readonly string[] {
  return query[name] ?? [];
}

/** A sweep goes by its ID. */
function valuesOf(job: Row, name: FilterField): readonly string[] {
  return name === 'group' ? [job.group?.id ?? []].flat() : [job[name] ?? []].flat();
}

/** Searches names and IDs, or after a word such as `tag:` that field. Ignores case and surrounding spaces. */
function createSearch(search: string): (job: Row) => boolean {
  const wanted = search.trim().toLowerCase();
  const place = SEARCHED.find(({ word }) => wanted.startsWith(`${word}:`));
  const label = wanted.slice((place?.word.length ?? 0) + 1).trimStart();
  return job =>
    isIn([job.name, job.id], wanted) || (place !== undefined && isIn([job[place.name] || []].flat(), label));
}

function isIn(texts: readonly string[], wanted: string): boolean {
  return texts.some(text => text.toLowerCase().includes(wanted));
}

interface FilterChoice {
  readonly value: string;
  /** How many jobs it would show. */
  readonly count: number;
  readonly isOn: boolean;
}

interface ValueFilter {
  readonly name: FilterField;
  readonly label: string;
  /** The values of the jobs that the other filters show, most frequent first, and the chosen ones. */
  readonly choices: readonly FilterChoice[];
}

export interface FilterCounts {
  /** How many jobs each status would show, given the search and the other filters. */
  readonly statuses: Readonly<Record<StatusFilter, number>>;
  /** Those that have choices. */
  readonly values: readonly ValueFilter[];
}

export function countFilters(jobs: readonly Row[], query: JobListQuery): FilterCounts {
  const found = jobs.filter(createMatch(query, 'status'));
  const statuses = { all: found.length } as Record<StatusFilter, number>;
  for (const { value } of STATUS_FILTERS) statuses[value] ??= 0;
  for (const { status } of found) statuses[status]++;
  const values = VALUE_FILTERS.map(({ name, label, kind }) => {
    // Another tag narrows the list; another value of any other field adds to it.
    const match = createMatch(query, kind === 'tags' ? undefined : name);
    return { name, label, choices: countChoices(jobs.filter(match), name, chosenIn(query, name)) };
  });
  return { statuses, values: values.filter(({ choices }) => choices.length > 0) };
}

function countChoices(
  jobs: readonly Row[],
  name: FilterField,
  chosen: readonly string[],
): readonly FilterChoice[] {
  const counts = new Map(chosen.map(value => [value, 0]));
  for (const value of jobs.flatMap(job => valuesOf(job, name)))
    counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count, isOn: chosen.includes(value) }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

export function chosenStatus(query: JobListQuery): StatusFilter {
  return STATUS_FILTERS.find(({ value }) => value === query.status?.[0])?.value ?? 'all';
}

export function withStatus(query: JobListQuery, status: StatusFilter): JobListQuery {
  return { ...query, status: status === 'all' ? [] : [status] };
}

/** The ID of the sweep whose runs are listed; null for all jobs. */
export function chosenGroup({ group }: JobListQuery): string | null {
  return group?.[0] ?? null;
}

/** The query with a value added or removed. */
export function toggleValue(query: JobListQuery, name: FilterField, value: string): JobListQuery {
  const chosen = chosenIn(query, name);
  return {
    ...query,
    [name]: chosen.includes(value) ? chosen.filter(other => other !== value) : [...chosen, value],
  };
}

/** Whether any filter or search is active. */
export function isFiltering(query: JobListQuery): boolean {
  return query.search.trim() !== '' || FILTERS.some(({ name }) => chosenIn(query, name).length > 0);
}

/** What is searched for, and the chosen values that have no chips in a terminal: `/bug #v2`. */
export function queryText(query: JobListQuery): string {
  const chosen = VALUE_FILTERS.flatMap(({ name, kind, word }) =>
    chosenIn(query, name).map(value => (kind === 'tags' ? `#${value}` : `${word}:${value}`)),
  );
  return [query.search && `/${query.search}`, ...chosen].filter(Boolean).join(' ');
}

/** As a query string: `search=bug&status=failed&tag=a&tag=b`; empty if nothing is hidden. */
export function writeJobQuery(query: JobListQuery): string {
  const written = new URLSearchParams();
  if (query.search.trim() !== '') written.set('search', query.search.trim());
  for (const { name, word } of FILTERS)
    for (const value of chosenIn(query, name)) written.append(word, value);
  return written.toString();
}

/** Ignores unknown parts. @internal */
export function readJobQuery(text: string): JobListQuery {
  const written = new URLSearchParams(text);
  const chosen = FILTERS.flatMap(({ name, word, kind, filter }) => {
    const isKnown = (value: string) =>
      kind === 'status' ? JOB_STATUSES.some(status => status === value) : value !== '';
    const values = [...new Set(written.getAll(word).filter(isKnown))];
    return values.length === 0 ? [] : [[name, filter === 'one' ? values.slice(0, 1) : values]];
  });
  return { search: written.get('search') ?? '', ...Object.fromEntries(chosen) };
}

/** The query after the address changes. A plain `#/jobs` keeps the search and filters, but leaves a sweep. */
export function queryAfter(hash: string, latest: JobListQuery): JobListQuery {
  const [page, written] = hash.split('?');
  if (page !== '#/jobs') return latest;
  return written === undefined ? { ...latest, group: [] } : readJobQuery(written);
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

/** Jobs with a final adapter to chat with. Dry runs and imported jobs complete without one. */
export function completedJobs<Job extends Pick<JobSummary, 'status' | 'artifactCount'>>(
  jobs: readonly Job[],
): Job[] {
  return jobs.filter(({ status, artifactCount }) => status === 'completed' && artifactCount > 0);
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
