// The rows of jobs: queries, and conversion to responses and list entries.
import { sql } from 'kysely';
import { ApiError, type Job, type JobConfig, type JobInput } from '../../contract/index.js';
import type { ProjectScope } from '../auth/authorize.js';
import { numberText } from '../store/columns.js';
import type { Db } from '../store/db.js';
import { type Given, readFields, readTask, STORED_JOB_FIELDS, toColumns } from '../store/fields.js';
import type { Tables } from '../store/tables.js';
import { listCustomSettings } from './defaults.js';
import { type JobWaits, PAUSED } from './job-waits.js';

export type JobRow = Tables['jobs'];

/** Finds the job in the caller's project. Other projects' jobs do not exist for them. */
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
  const config = JSON.parse(row.config) as JobConfig;
  return {
    ...readFields(STORED_JOB_FIELDS, row),
    waitingFor: waits.of(row),
    config,
    customSettings: listCustomSettings(config),
    task: readTask(row.task),
  };
}

/** The columns of what a request gives a job. A tag is kept once, and an empty text removes the value. */
export function toJobColumns(given: Given<Omit<JobInput, 'config' | 'task'>>): Partial<JobRow> {
  const kept = Object.entries(given).map(([name, value]) => [
    name,
    Array.isArray(value) ? [...new Set(value)] : value === '' ? null : value,
  ]);
  return toColumns(STORED_JOB_FIELDS, Object.fromEntries(kept));
}

const FIELDS = sql.raw(
  Object.entries(STORED_JOB_FIELDS)
    .map(([name, { column, as, isReal }]) => {
      const text = isReal ? numberText(column) : column;
      return `'${name}', ${isReal || as === 'json' ? `json(${text})` : text}`;
    })
    .join(', '),
);

/** A list entry as JSON text, written by the database. If the job is waiting, adds the reason, which is not stored. */
export function summarize(waits: Pick<JobWaits, 'list'>) {
  const { jobs, queued, running } = waits.list();
  const own = sql`json_extract(${JSON.stringify(jobs)}, '$."' || id || '"')`;
  const waitingFor = sql`CASE
    WHEN status NOT IN ('queued', 'running') THEN NULL
    WHEN paused_at IS NOT NULL THEN ${PAUSED}
    WHEN status = 'queued' THEN coalesce(${own}, ${queued})
    ELSE coalesce(${own}, ${running})
  END`;
  return sql<string>`json_object(${FIELDS}, 'waitingFor', ${waitingFor})`;
}
