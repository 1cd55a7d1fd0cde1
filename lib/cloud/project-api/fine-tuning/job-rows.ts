// The rows of a project's jobs, with the data that only OpenAI's clients use.

import { sql } from 'kysely';
import type { Cursors } from '../../answers/cursors.js';
import { jobNotFound } from '../../jobs/job-rows.js';
import type { Db } from '../../store/db.js';
import type { KeyScope } from '../models.js';

const PREFIX = 'ftjob-';

/** The ID of a job that OpenAI's clients see: scripts look for its prefix. */
export const toTuningId = (jobId: string) => `${PREFIX}${jobId}`;

/** svc's own ID, which is accepted as well. */
export const toJobId = (id: string) => (id.startsWith(PREFIX) ? id.slice(PREFIX.length) : id);

export type TunedRow = NonNullable<Awaited<ReturnType<typeof findRow>>>;

/** Finds the job in the project; other projects' jobs do not exist for it. */
export async function findTuned(db: Db, { projectId }: KeyScope, id: string): Promise<TunedRow> {
  const row = await findRow(db, projectId, toJobId(id));
  if (!row) throw jobNotFound(id.slice(0, 100));
  return row;
}

interface JobWindow {
  after: string | undefined;
  limit: number;
  metadata: MetadataFilter | undefined;
}

/** Jobs with all of these entries; a text means jobs without metadata. */
type MetadataFilter = Readonly<Record<string, string>> | string;

/** Newest first; one more than the limit, if there are more. */
export async function listTuned(
  db: Db,
  { projectId }: KeyScope,
  { after, limit, metadata }: JobWindow,
  cursors: Cursors,
): Promise<TunedRow[]> {
  const last = await cursors.find(projectId, after, id => findRow(db, projectId, toJobId(id)), toJobId);
  let query = selectTuned(db, projectId);
  if (last !== null) query = query.where('number', '<', last);
  if (typeof metadata === 'string') query = query.where('metadata', 'is', null);
  else
    for (const [key, value] of Object.entries(metadata ?? {}))
      query = query.where(({ exists, selectFrom, fn }) =>
        exists(
          selectFrom(fn<{ key: string; value: string }>('json_each', ['metadata']).as('entry'))
            .select('entry.key')
            .where('entry.key', '=', key)
            .where('entry.value', '=', value),
        ),
      );
  const found = await query
    .orderBy('number', 'desc')
    .limit(limit + 1)
    .execute();
  cursors.note(projectId, found, limit);
  return found;
}

function findRow(db: Db, projectId: string, id: string) {
  return selectTuned(db, projectId).where('jobs.id', '=', id).executeTakeFirst();
}

function selectTuned(db: Db, projectId: string) {
  return (
    db
      .selectFrom('jobs')
      .leftJoin('fine_tunings', 'fine_tunings.job_id', 'jobs.id')
      .selectAll('jobs')
      .select(['training_file', 'validation_file', 'metadata'])
      .where('project_id', '=', projectId)
      // Imported jobs and adapters were not trained on data of this cloud.
      .where(sql`json_extract(config, '$.datasetSource')`, 'is not', null)
  );
}
