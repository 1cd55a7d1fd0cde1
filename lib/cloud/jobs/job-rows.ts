// The rows of jobs: how they are found, and how they become the jobs of answers, single ones and those of lists.
import { sql } from 'kysely';
import {
  ApiError,
  type FieldKind,
  type Job,
  type JobConfig,
  type JobSummary,
  jobFieldsWith,
  type StoredField,
} from '../../contract/index.js';
import type { ProjectScope } from '../access.js';
import type { Db } from '../store/db.js';
import type { Tables } from '../store/tables.js';
import { listCustomSettings } from './defaults.js';
import { type JobWaits, PAUSED } from './job-waits.js';

export type JobRow = Tables['jobs'];

const STORED = jobFieldsWith('column');
const JSON_KINDS: ReadonlySet<FieldKind> = new Set(['score', 'tags', 'group']);

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
  const fields = STORED.map(({ name, column, kind }) => {
    const value = row[column as keyof JobRow];
    return [name, JSON_KINDS.has(kind) ? JSON.parse((value as string | null) ?? 'null') : value];
  });
  const config = JSON.parse(row.config) as JobConfig;
  return {
    ...(Object.fromEntries(fields) as Pick<JobSummary, StoredField>),
    waitingFor: waits.of(row),
    config,
    customSettings: listCustomSettings(config),
  };
}

/** The columns of what is given. A list has nothing twice, and an empty text is none where there may be none. */
export function toColumns(given: Partial<Record<StoredField, unknown>>): Partial<JobRow> {
  return Object.fromEntries(
    STORED.filter(({ name }) => given[name] !== undefined).map(({ name, column, kind, missing }) => {
      const value = given[name];
      if (JSON_KINDS.has(kind))
        return [column, JSON.stringify(Array.isArray(value) ? [...new Set(value)] : value)];
      return [column, value === '' && missing === null ? null : value];
    }),
  );
}

const FIELDS = sql.raw(
  STORED.map(
    ({ name, column, kind }) => `'${name}', ${JSON_KINDS.has(kind) ? `json(${column})` : column}`,
  ).join(', '),
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
  return sql<string>`json_object(${FIELDS}, 'waitingFor', ${waitingFor})`;
}
