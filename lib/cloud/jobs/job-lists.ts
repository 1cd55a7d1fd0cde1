// Lists of jobs as text: whole, a page, or what has changed since a version.
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../store/db.js';
import type { Announced } from './job-changes.js';
import { summarize } from './job-rows.js';
import type { JobWaits } from './job-waits.js';

const PAGE = 2000;
const NEWEST = Number.MAX_SAFE_INTEGER;
/** Beyond this, the whole list is hardly longer. */
const MOST_CHANGES = 1000;

type Waits = Pick<JobWaits, 'list'>;

interface WrittenList {
  text: string;
  /** The number of its first job; 0 if it is empty. */
  newest: number;
}

/**
 * All jobs of a project without their configs, newest first, as the text of a JSON list. The database writes that text
 * page by page, so that other queries run in between, however long the list is.
 */
export async function writeJobList(db: Db, projectId: string, waits: Waits): Promise<WrittenList> {
  const pages: string[] = [];
  let newest = 0;
  for (let before = NEWEST; ; ) {
    const page = await readPage(db, projectId, waits, { before, limit: PAGE });
    if (page.text !== null) pages.push(page.text);
    newest ||= page.first ?? 0;
    if (page.count < PAGE) return { text: `[${pages.join(',')}]`, newest };
    before = page.last!;
    await setImmediate();
  }
}

/** Up to `limit` of them that are older than `cursor`, and the cursor of those that follow. */
export async function writeJobPage(
  db: Db,
  projectId: string,
  waits: Waits,
  { limit, cursor }: { limit: number; cursor: number | null },
): Promise<{ text: string; nextCursor: string | null }> {
  const page = await readPage(db, projectId, waits, { before: cursor ?? NEWEST, limit });
  const hasMore = page.count === limit && (await hasOlder(db, projectId, page.last!));
  return { text: `[${page.text ?? ''}]`, nextCursor: hasMore ? String(page.last) : null };
}

async function hasOlder(db: Db, projectId: string, number: number): Promise<boolean> {
  const older = db.selectFrom('jobs').select('id').where('project_id', '=', projectId);
  return (await older.where('number', '<', number).limit(1).executeTakeFirst()) !== undefined;
}

async function readPage(
  db: Db,
  projectId: string,
  waits: Waits,
  { before, limit }: { before: number; limit: number },
) {
  const summary = summarize(waits);
  const rows = db
    .selectFrom('jobs')
    .select(['number', summary.as('summary')])
    .where('project_id', '=', projectId)
    .where('number', '<', before)
    .orderBy('number', 'desc')
    .limit(limit);
  return db
    .selectFrom(rows.as('page'))
    .select(({ fn }) => [
      sql<string | null>`group_concat(summary, ',' ORDER BY number DESC)`.as('text'),
      fn.min('number').as('last'),
      fn.max('number').as('first'),
      fn.countAll<number>().as('count'),
    ])
    .executeTakeFirstOrThrow() as Promise<Page>;
}

/** By the index of those alone, which takes the statuses as they are in its definition: the project may have any number of others. */
function unended(db: Db, projectId: string, waits: Waits) {
  return db
    .selectFrom('jobs')
    .select(['id', 'number', summarize(waits).as('summary')])
    .where(sql`+project_id`, '=', projectId)
    .where(sql<boolean>`status IN ('queued', 'running')`)
    .execute();
}

interface Page {
  text: string | null;
  first: number | null;
  last: number | null;
  count: number;
}

interface Since {
  announced: Announced;
  /** The number of the first job in the caller's list. */
  newest: number;
}

/** What was added, changed and removed; null if the whole list is hardly longer. */
export async function writeJobChanges(
  db: Db,
  projectId: string,
  waits: Waits,
  { announced: { ids, isForAll }, newest }: Since,
): Promise<WrittenList | null> {
  if (ids.size > MOST_CHANGES) return null;
  const rows = db
    .selectFrom('jobs')
    .select(['id', 'number', summarize(waits).as('summary')])
    .where('project_id', '=', projectId);
  const found = [
    await rows.where('number', '>', newest).limit(MOST_CHANGES).execute(),
    ids.size === 0 ? [] : await rows.where('id', 'in', [...ids]).execute(),
    isForAll ? await unended(db, projectId, waits) : [],
  ].flat();
  const jobs = [...new Map(found.map(job => [job.id, job])).values()].sort((a, b) => b.number - a.number);
  const added = jobs.filter(({ number }) => number > newest);
  if (added.length >= MOST_CHANGES) return null;
  const changed = jobs.filter(({ number }) => number <= newest);
  const removed = [...ids].filter(id => !jobs.some(job => job.id === id));
  const list = (some: typeof jobs) => `[${some.map(({ summary }) => summary).join(',')}]`;
  return {
    text: `{"added":${list(added)},"changed":${list(changed)},"removed":${JSON.stringify(removed)}}`,
    newest: Math.max(newest, jobs[0]?.number ?? 0),
  };
}
