// Lets go of checkpoints that the trainer has pruned and no endpoint uses. The row goes first, in a transaction in which
// nobody can begin to use it; files without a row are garbage, a row without its files would be a lie.
import { rm } from 'node:fs/promises';
import type { JobContext } from '../jobs/job-context.js';
import { isHeldByTrainer } from './adapter-store.js';
import { releaseCheckpoints } from './artifact-rows.js';

export async function pruneAdapters(
  { db, folders, changes }: Pick<JobContext, 'db' | 'folders' | 'changes'>,
  job: { id: string; project_id: string },
): Promise<void> {
  const rows = await db
    .selectFrom('artifacts')
    .select('step')
    .where('job_id', '=', job.id)
    .where('kind', '=', 'checkpoint')
    .execute();
  const pruned: number[] = [];
  for (const { step } of rows) if (!(await isHeldByTrainer(folders, job.id, step))) pruned.push(step);
  if (pruned.length === 0) return;
  const released = await db
    .transaction()
    .execute(transaction => releaseCheckpoints(transaction, job.id, pruned));
  if (released.length === 0) return;
  changes.announce(job);
  for (const step of released)
    await rm(folders.adapter(job.id, { kind: 'checkpoint', step }), { recursive: true, force: true });
}
