// The settings of many jobs at once, for a table that shows those in which they differ.
import type { JobConfig, JobSettings } from '../../contract/index.js';
import type { Db } from '../store/db.js';
import { listCustomSettings } from './custom-settings.js';

/** Of those of the jobs that are the project's. Samples are conversations, which would make the answer long. */
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
