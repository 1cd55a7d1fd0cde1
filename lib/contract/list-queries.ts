// List queries, their URL form, and changes to a list of jobs. Free of schemas, since browser pages load it.
import type { JobSummary } from './job/job.js';
import type { KeptMark, RowLossSort } from './vocabulary.js';

/** Selects a job's rows. */
export interface RowLossRequest {
  sort?: RowLossSort | undefined;
  rising?: boolean | undefined;
  step?: number | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** Selects an endpoint's kept requests. */
export interface KeptRequestFilter {
  /** Only answers with this mark, or those without one. */
  mark?: KeptMark | 'none' | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** Selects evaluations. */
export interface EvaluationFilter {
  /** Only those of this job's adapters. */
  jobId?: string | undefined;
  /** Only those that were asked as this endpoint's. */
  endpoint?: string | undefined;
}

/** Selects an evaluation's rows. */
export interface EvaluationRowFilter {
  /** Only rows with another answer than what they are compared with. */
  changed?: boolean | undefined;
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** Selects jobs. */
export interface JobListPage {
  limit?: number | undefined;
  cursor?: string | undefined;
}

/** The maximum number of jobs per settings request. */
export const MOST_JOB_SETTINGS = 500;

/**
 * Changes to a list of jobs, in place of the whole list: a client that sends back its list's ETag can ask for them, as RFC
 * 3229 describes (`A-IM: jobs`, answered with 226).
 */
export const CHANGES_WANTED = { 'a-im': 'jobs' } as const;
export const CHANGES_HEADERS = { im: 'jobs' } as const;
export const CHANGES_STATUS = 226;

export function wantsChanges({ headers }: Pick<Request, 'headers'>): boolean {
  return headers.get('a-im')?.trim() === CHANGES_WANTED['a-im'];
}

export interface JobListChanges {
  /** Listed before all others, newest first. */
  readonly added: readonly JobSummary[];
  /** They keep their positions. */
  readonly changed: readonly JobSummary[];
  /** IDs of removed jobs. */
  readonly removed: readonly string[];
}

/**
 * Applies the changes to a list; returns the same object if nothing visible changes. Null if they belong to another list.
 */
export function applyJobChanges(
  jobs: readonly JobSummary[],
  { added, changed, removed }: JobListChanges,
): readonly JobSummary[] | null {
  const news = new Map(changed.map(job => [job.id, job]));
  const gone = new Set(removed);
  let isSame = added.length === 0;
  const kept = jobs.flatMap(job => {
    const now = news.get(job.id);
    news.delete(job.id);
    if (gone.has(job.id)) isSame = false;
    else if (!now || isEqual(job, now)) return job;
    else isSame = false;
    return gone.has(job.id) ? [] : now!;
  });
  if (news.size > 0) return null;
  return isSame ? jobs : [...added, ...kept];
}

/** The changes from one list to another; null if they cannot be expressed as additions, changes and removals. */
export function findJobChanges(
  before: readonly JobSummary[],
  after: readonly JobSummary[],
): JobListChanges | null {
  const known = new Set(before.map(({ id }) => id));
  const firstKnown = after.findIndex(({ id }) => known.has(id));
  const added = firstKnown === -1 ? after : after.slice(0, firstKnown);
  const changed: JobSummary[] = [];
  const removed: string[] = [];
  let next = 0;
  for (const job of firstKnown === -1 ? [] : after.slice(firstKnown)) {
    while (next < before.length && before[next]!.id !== job.id) removed.push(before[next++]!.id);
    const was = before[next++];
    if (!was) return null;
    if (was !== job && !isEqual(was, job)) changed.push(job);
  }
  removed.push(...before.slice(next).map(({ id }) => id));
  return { added, changed, removed };
}

function isEqual(one: JobSummary, other: JobSummary): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
