// Jobs in wire format: one table that maps columns to fields, for single jobs and for lists.
import { sql } from 'kysely';
import { ApiError, type Job, type JobConfig, type JobSummary } from '../../contract/index.js';
import type { ProjectScope } from '../access.js';
import type { Db } from '../store/db.js';
import type { Tables } from '../store/tables.js';
import { listCustomSettings } from './defaults.js';
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
  bestLoss: 'lowest_loss',
  bestEvalLoss: 'lowest_eval_loss',
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
    bestScore: JSON.parse(row.best_score ?? 'null'),
    waitingFor: waits.of(row),
    config,
    customSettings: listCustomSettings(config),
  };
}

const STORED = sql.raw(
  [
    ...Object.entries(FIELDS).map(([field, column]) => `'${field}', ${column}`),
    "'trainer', coalesce(trainer, name)",
    "'tags', json(coalesce(tags, '[]'))",
    "'group', json(job_group)",
    "'bestScore', json(best_score)",
  ].join(', '),
);

/** A job in a list as the text of a JSON object, which the database writes. Adds what is not stored, if the job is waiting. */
export function summarize(waits: Pick<JobWaits, 'list'>) {
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
