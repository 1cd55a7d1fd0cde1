// Pauses a job after its current step, with a checkpoint, and lets it continue from there. A paused job keeps its status:
// it waits, and the queue passes it over.
import { ApiError, isFinalStatus } from '../../contract/index.js';
import type { ProjectScope } from '../access.js';
import type { JobContext } from './job-context.js';
import { findJob } from './job-rows.js';
import type { JobQueue } from './queue.js';

type PauseContext = JobContext & { queue: JobQueue };
type JobOwner = Pick<ProjectScope, 'projectId'>;

/** Throws for a job that has ended. */
export async function pauseJob(context: PauseContext, scope: JobOwner, id: string): Promise<void> {
  await setPaused(context, scope, id, new Date(context.clock.now()).toISOString());
  context.queue.pause(id);
}

/** Throws for a job that has ended. Has no effect on a job that is not paused. */
export async function resumeJob(context: PauseContext, scope: JobOwner, id: string): Promise<void> {
  await setPaused(context, scope, id, null);
  context.queue.wake();
}

async function setPaused(
  { db, changes }: PauseContext,
  scope: JobOwner,
  id: string,
  paused_at: string | null,
): Promise<void> {
  const job = await findJob(db, scope, id);
  if (isFinalStatus(job.status)) throw hasEnded(id, job.status, paused_at === null ? 'resumed' : 'paused');
  await db.updateTable('jobs').set({ paused_at }).where('id', '=', id).execute();
  changes.announce(job);
}

function hasEnded(id: string, status: string, what: string): ApiError {
  return new ApiError('invalid_value', `Job ${id} is ${status}, so it cannot be ${what}.`, { param: 'id' });
}
