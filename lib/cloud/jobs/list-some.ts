// The few jobs of a project that its overview shows.
import type { JobSummary } from '../../contract/index.js';
import type { JobContext } from './job-context.js';
import { toJob } from './job-rows.js';

const STATUSES = { running: ['running', 'queued'], ended: ['completed', 'failed', 'cancelled'] } as const;

/** At most so many: those under way in the order of the queue, or those that ended, the newest first. */
export async function listSomeJobs(
  { db, waits }: Pick<JobContext, 'db' | 'waits'>,
  projectId: string,
  which: keyof typeof STATUSES,
  most: number,
): Promise<JobSummary[]> {
  const all = db.selectFrom('jobs').selectAll().where('project_id', '=', projectId);
  const some = all.where('status', 'in', STATUSES[which]).limit(most);
  const ordered =
    which === 'running'
      ? some.orderBy('status', 'desc').orderBy('number', 'asc')
      : some.orderBy('number', 'desc');
  const rows = await ordered.execute();
  return rows.map(row => {
    const { config: _config, customSettings: _custom, ...summary } = toJob(row, waits);
    return summary;
  });
}
