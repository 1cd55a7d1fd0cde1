// Deletes an ended job that no endpoint uses, with everything that belongs only to it.
import { rm } from 'node:fs/promises';
import type { Transaction } from 'kysely';
import { ApiError, isFinalStatus, type Job } from '../../contract/index.js';
import type { ProjectScope } from '../access.js';
import { listArtifacts } from '../artifacts/artifact-rows.js';
import type { DatasetStore } from '../datasets/dataset-store.js';
import type { Tables } from '../store/tables.js';
import type { EventHub } from './events/event-hub.js';
import type { JobContext } from './job-context.js';
import { findJob, type JobRow, toJob } from './job-rows.js';
import type { JobQueue } from './queue.js';

export interface DeletionContext extends JobContext {
  queue: JobQueue;
  hub: EventHub;
  datasets: DatasetStore;
}

export async function deleteJob(
  context: DeletionContext,
  scope: Pick<ProjectScope, 'projectId'>,
  id: string,
): Promise<Job> {
  const { db, deps, queue, hub, folders, datasets, changes } = context;
  requireEnded(await findJob(db, scope, id));
  // A canceled trainer may still be in its last pass.
  await queue.clear(id);
  const { job, datasetIds, digests } = await db.transaction().execute(async transaction => {
    const found = await findJob(transaction, scope, id);
    await requireUnused(transaction, found);
    const read = await transaction
      .deleteFrom('job_datasets')
      .where('job_id', '=', id)
      .returning('dataset_id')
      .execute();
    const adapters = await listArtifacts(transaction, id);
    await transaction.deleteFrom('jobs').where('id', '=', id).execute();
    const digests = adapters.map(({ sha256 }) => sha256);
    return { job: found, datasetIds: read.map(({ dataset_id }) => dataset_id), digests };
  });
  hub.forget(id);
  changes.announce(job);
  // A trainer that outlived its cloud may be writing there; what remains is collected as garbage.
  await rm(folders.job(id), { recursive: true, force: true, maxRetries: 3 }).catch(error =>
    deps.log({ message: `The files of job ${id} could not be deleted.`, error }),
  );
  await datasets.release({ ids: datasetIds });
  await unloadAdapters(context, digests);
  return toJob(job, context.waits);
}

/** An equal one of another job is loaded again when it is next used. */
async function unloadAdapters({ deps }: DeletionContext, digests: readonly string[]): Promise<void> {
  for (const sha256 of digests)
    await deps.backend
      ?.unload(sha256)
      .catch(error => deps.log({ message: `The adapter ${sha256} could not be unloaded.`, error }));
}

function requireEnded({ id, status }: JobRow): void {
  if (isFinalStatus(status)) return;
  throw new ApiError('job_in_use', `Job ${id} is ${status}. Cancel it first, then delete it.`);
}

async function requireUnused(transaction: Transaction<Tables>, { id }: JobRow): Promise<void> {
  const users = await transaction
    .selectFrom('deployments')
    .select('slug')
    .where('target_job_id', '=', id)
    .orderBy('slug')
    .execute();
  if (users.length === 0) return;
  const slugs = users.map(({ slug }) => `\`${slug}\``).join(', ');
  const what = users.length === 1 ? `the endpoint ${slugs} uses` : `the endpoints ${slugs} use`;
  throw new ApiError(
    'job_in_use',
    `Job ${id} stays: ${what} its adapter. Give ${users.length === 1 ? 'it' : 'them'} another target first, or delete ${
      users.length === 1 ? 'it' : 'them'
    }.`,
  );
}
