// What people call a job, as its row has it, and how they change that.
import type { JobGroup, JobPatch } from '../../contract/index.js';
import type { ProjectScope } from '../access.js';
import type { JobContext } from './job-context.js';
import { findJob, type JobRow } from './job-rows.js';

/** Of a new job. */
export interface JobLabels extends Omit<JobPatch, 'name'> {
  trainer?: string | undefined;
  group?: JobGroup | undefined;
}

/** The columns of what is given. */
export function labelColumns({ tags, note }: Pick<JobPatch, 'tags' | 'note'>) {
  return {
    ...(tags && { tags: tags.length > 0 ? JSON.stringify([...new Set(tags)]) : null }),
    ...(note !== undefined && { note: note || null }),
  };
}

export async function updateJob(
  { db, changes }: JobContext,
  scope: Pick<ProjectScope, 'projectId'>,
  id: string,
  patch: JobPatch,
): Promise<JobRow> {
  const job = await findJob(db, scope, id);
  const columns = { ...(patch.name !== undefined && { name: patch.name }), ...labelColumns(patch) };
  if (Object.keys(columns).length === 0) return job;
  await db.updateTable('jobs').set(columns).where('id', '=', id).execute();
  changes.announce(job);
  return findJob(db, scope, id);
}
