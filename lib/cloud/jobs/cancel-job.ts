// Cancels a queued or running job. Has no effect on one that has ended.
import type { ProjectScope } from '../access.js';
import type { JobContext } from './job-context.js';
import { endJob } from './job-log.js';
import { findJob, type JobRow } from './job-rows.js';
import type { JobQueue } from './queue.js';

export async function cancelJob(
  context: JobContext & { queue: JobQueue },
  scope: Pick<ProjectScope, 'projectId'>,
  id: string,
): Promise<JobRow> {
  const { db, queue } = context;
  await findJob(db, scope, id);
  await endJob(context, id, 'cancelled');
  const job = await findJob(db, scope, id);
  // Also if it was canceled before: that request may not have reached the trainer.
  if (job.status === 'cancelled') queue.stop(id);
  return job;
}
