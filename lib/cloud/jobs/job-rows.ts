// Jobs in wire format: one table that maps columns to fields, for single jobs and for the list.
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { ApiError, type Job, type JobConfig, type JobSummary } from '../../contract/index.js';
import type { ProjectScope } from '../access.js';
import type { Db } from '../store/db.js';
import type { Tables } from '../store/tables.js';
import { listCustomSettings } from './custom-settings.js';
import { type JobWaits, PAUSED } from './job-waits.js';

export type JobRow = Tables['jobs'];

const FIELDS = {
  id: 'id',
  name: 'name',
  status: 'status',
  error: 'error',
  createdAt: 'created_at',
  startedAt: 'started_at',
  completedAt: 'completed_at',
  orgId: 'org_id',
  projectId: 'project_id',
  step: 'step',
  totalSteps: 'total_steps',
  artifactCount: 'artifact_count',
  note: 'note',
  loss: 'loss',
  evalLoss: 'eval_loss',
} as const satisfies Partial<Record<keyof JobSummary, keyof JobRow>>;

type Computed = Exclude<keyof JobSummary, keyof typeof FIELDS>;

/** Finds the job in the caller's project; for others it does not exist. */
export async function findJob(
  db: Pick<Db, 'selectFrom'>,
  { projectId }: Pick<ProjectScope, 'projectId'>,
  id: string,
): Promise<JobRow> {
  const job = await db
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  if (!job) throw jobNotFound(id);
  return job;
}

export function jobNotFound(id: string): ApiError {
  return new ApiError('job_not_found', `There is no job ${id} in this project.`);
}

export function toJob(row: JobRow, waits: Pick<JobWaits, 'of'>): Job {
  const fields = Object.entries(FIELDS).map(([field, column]) => [field, row[column]]);
  const config = JSON.parse(row.config) as JobConfig;
  return {
    ...(Object.fromEntries(fields) as Omit<JobSummary, Computed>),
    trainer: row.trainer ?? row.name,
    tags: JSON.parse(row.tags ?? '[]'),
    group: JSON.parse(row.job_group ?? 'null'),
    bestLoss: row.lowest_eval_loss ?? row.lowest_loss,
    waitingFor: waits.of(row),
    config,
    customSettings: listCustomSettings(config),
  };
}

const PAGE = 2000;
const NEWEST = Number.MAX_SAFE_INTEGER;
const STORED = sql.raw(
  [
    ...Object.entries(FIELDS).map(([field, column]) => `'${field}', ${column}`),
    "'trainer', coalesce(trainer, name)",
    "'tags', json(coalesce(tags, '[]'))",
    "'group', json(job_group)",
    "'bestLoss', coalesce(lowest_eval_loss, lowest_loss)",
  ].join(', '),
);

/** Adds what is not stored, if the job is waiting. */
function summarize(waits: Pick<JobWaits, 'list'>) {
  const { jobs, queued, running } = waits.list();
  const own = sql`json_extract(${JSON.stringify(jobs)}, '$."' || id || '"')`;
  const waitingFor = sql`CASE
    WHEN status NOT IN ('queued', 'running') THEN NULL
    WHEN paused_at IS NOT NULL THEN ${PAUSED}
    WHEN status = 'queued' THEN coalesce(${own}, ${queued})
    ELSE coalesce(${own}, ${running})
  END`;
  return sql<string>`json_object(${STORED}, 'waitingFor', ${waitingFor})`;
}

/**
 * All jobs of a project without their configs, newest first, as the text of a JSON list. The database writes that text
 * page by page, so that other queries run in between, however long the list is.
 */
export async function writeJobList(
  db: Db,
  projectId: string,
  waits: Pick<JobWaits, 'list'>,
): Promise<string> {
  const pages: string[] = [];
  for (let before = NEWEST; ; ) {
    const page = await readPage(db, projectId, waits, { before, limit: PAGE });
    if (page.text !== null) pages.push(page.text);
    if (page.count < PAGE) return `[${pages.join(',')}]`;
    before = page.last!;
    await setImmediate();
  }
}

/** Up to `limit` of them that are older than `cursor`, and the cursor of those that follow. */
export async function writeJobPage(
  db: Db,
  projectId: string,
  waits: Pick<JobWaits, 'list'>,
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
  waits: Pick<JobWaits, 'list'>,
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
      fn.countAll<number>().as('count'),
    ])
    .executeTakeFirstOrThrow() as Promise<{ text: string | null; last: number | null; count: number }>;
}
