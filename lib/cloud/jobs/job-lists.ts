// Job lists: complete, one page, the changes since a version, or settings only.
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import {
  CHANGES_HEADERS,
  CHANGES_STATUS,
  type JobConfig,
  type JobSettings,
  type JobSummary,
  wantsChanges,
} from '../../contract/index.js';
import { isKnownTag, knownTags } from '../../http/index.js';
import type { Db } from '../store/db.js';
import { listCustomSettings } from './defaults.js';
import type { Announced } from './job-changes.js';
import type { JobContext } from './job-context.js';
import { summarize } from './job-rows.js';
import type { JobWaits } from './job-waits.js';

type ListContext = Pick<JobContext, 'db' | 'changes' | 'waits'>;

interface Tag {
  version: string;
  newest: number;
  waiting: string;
}

/**
 * The ETag identifies the version of the list, its first job, and what queued jobs wait for. A caller with the current
 * version gets 304; one with an earlier version that accepts changes gets only those, which cost the same however long the
 * list is.
 */
export async function respondWithList(
  { db, changes, waits }: ListContext,
  projectId: string,
  request: Request,
): Promise<Response> {
  // Read before the list, which may be newer than this version.
  const now = { version: changes.listVersion(projectId), waiting: waitingOf(waits) };
  const tags = knownTags(request).flatMap(text => readTag(text) ?? []);
  const current = tags.find(({ version }) => version === now.version);
  if (current) return new Response(null, { status: 304, headers: headersOf(current) });
  if (isKnownTag(request, '*'))
    return new Response(null, { status: 304, headers: headersOf({ ...now, newest: 0 }) });
  for (const known of wantsChanges(request) ? tags : []) {
    const announced = changes.since(projectId, known.version);
    if (!announced) continue;
    const isForAll = announced.isForAll || known.waiting !== now.waiting;
    const since = { announced: { ...announced, isForAll }, newest: known.newest };
    const written = await writeJobChanges(db, projectId, waits, since);
    if (written)
      return answer(written.text, CHANGES_STATUS, {
        ...headersOf({ ...now, newest: written.newest }),
        ...CHANGES_HEADERS,
      });
  }
  const { text, newest } = await writeJobList(db, projectId, waits);
  return answer(`{"jobs":${text}}`, 200, headersOf({ ...now, newest }));
}

const USUAL_PAGE = 100;

export async function respondWithPage(
  { db, waits }: ListContext,
  projectId: string,
  { limit, cursor }: { limit?: string | undefined; cursor?: string | undefined },
): Promise<Response> {
  const most = limit === undefined ? USUAL_PAGE : Number(limit);
  const before = cursor === undefined ? NEWEST : Number(cursor);
  const page = await readPage(db, projectId, waits, { before, limit: most });
  const hasMore = page.count === most && (await hasOlder(db, projectId, page.last!));
  const next = JSON.stringify(hasMore ? String(page.last) : null);
  return answer(`{"jobs":[${page.text ?? ''}],"nextCursor":${next}}`, 200, { 'cache-control': 'no-store' });
}

function answer(body: string, status: number, headers: Record<string, string>): Response {
  return new Response(body, { status, headers: { ...headers, 'content-type': 'application/json' } });
}

function headersOf({ version, newest, waiting }: Tag): Record<string, string> {
  return { etag: `"${version}.${newest}.${waiting}"`, 'cache-control': 'no-cache' };
}

function readTag(text: string): Tag | null {
  const [version, newest, waiting, ...rest] = text.replace(/^"|"$/g, '').split('.');
  if (!version || !waiting || rest.length > 0 || !/^\d{1,15}$/.test(newest ?? '')) return null;
  return { version, newest: Number(newest), waiting };
}

/** Changes for all queued or running jobs at once. */
function waitingOf(waits: ListContext['waits']): string {
  const { queued, running } = waits.list();
  return createHash('sha256')
    .update(JSON.stringify([queued, running]))
    .digest('hex')
    .slice(0, 6);
}

const PAGE = 2000;
const NEWEST = Number.MAX_SAFE_INTEGER;
/** With more changes than this, the whole list is about as short. */
const MOST_CHANGES = 1000;

type Waits = Pick<JobWaits, 'list'>;

interface WrittenList {
  text: string;
  /** The number of its first job; 0 if the list is empty. */
  newest: number;
}

/**
 * All jobs of a project without their configs, newest first, as JSON text. The database writes it page by page, so that
 * other queries run in between, however long the list is.
 */
async function writeJobList(db: Db, projectId: string, waits: Waits): Promise<WrittenList> {
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
      // In the order of the rows, which SQLite keeps for group_concat; to sort them again here costs a quarter of the time.
      sql<string | null>`group_concat(summary, ',')`.as('text'),
      fn.min('number').as('last'),
      fn.max('number').as('first'),
      fn.countAll<number>().as('count'),
    ])
    .executeTakeFirstOrThrow() as Promise<Page>;
}

/**
 * Uses an index of only these jobs, whose condition must repeat the statuses exactly: the project may have any number of
 * others.
 */
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

/** Added, changed and removed jobs; null if the whole list is about as short. */
async function writeJobChanges(
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

const STATUSES = { running: ['running', 'queued'], ended: ['completed', 'failed', 'cancelled'] } as const;

/** The few jobs that a project's overview shows: active ones in queue order, or ended ones, newest first. */
export async function listSomeJobs(
  { db, waits }: Pick<JobContext, 'db' | 'waits'>,
  projectId: string,
  which: keyof typeof STATUSES,
  most: number,
): Promise<JobSummary[]> {
  const some = db
    .selectFrom('jobs')
    .select(summarize(waits).as('summary'))
    .where('project_id', '=', projectId)
    .where('status', 'in', STATUSES[which])
    .limit(most);
  const ordered =
    which === 'running'
      ? some.orderBy('status', 'desc').orderBy('number', 'asc')
      : some.orderBy('number', 'desc');
  return (await ordered.execute()).map(({ summary }) => JSON.parse(summary) as JobSummary);
}

/**
 * The settings of the given jobs that belong to the project, for a table that compares them. Leaves out samples: they are
 * conversations, which would make the answer long.
 */
export async function readJobSettings(
  db: Db,
  projectId: string,
  ids: readonly string[],
): Promise<JobSettings[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('jobs')
    .select(['id', 'config'])
    .where('project_id', '=', projectId)
    .where('id', 'in', ids)
    .execute();
  return rows.map(row => {
    const { samples: _, ...config } = JSON.parse(row.config) as JobConfig;
    return { id: row.id, config, customSettings: listCustomSettings(config) };
  });
}
