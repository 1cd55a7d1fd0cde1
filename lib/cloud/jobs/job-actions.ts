// User actions on a job: pause, resume, cancel, delete, and edit.
import { rm } from 'node:fs/promises';
import { sql, type Transaction } from 'kysely';
import { ApiError, isFinalStatus, type Job, type JobPatch } from '../../contract/index.js';
import { listArtifacts } from '../artifacts/adapter-store.js';
import type { ProjectScope } from '../auth/authorize.js';
import type { DatasetStore } from '../datasets/dataset-store.js';
import { forgetEarlier } from '../deployments/targets.js';
import { clearWork } from '../runs/run-folder.js';
import type { Tables } from '../store/tables.js';
import type { EventHub } from './event-hub.js';
import type { JobContext } from './job-context.js';
import { endJob } from './job-log.js';
import { findJob, type JobRow, toJob, toJobColumns } from './job-rows.js';
import type { JobQueue } from './queue.js';

type JobOwner = Pick<ProjectScope, 'projectId'>;

interface QueueContext extends JobContext {
  queue: JobQueue;
}

/**
 * Pauses a job after its current step, with a checkpoint to resume from. A paused job keeps its status: the queue skips it.
 * Throws for a job that has ended.
 */
export async function pauseJob(context: QueueContext, scope: JobOwner, id: string): Promise<void> {
  await setPaused(context, scope, id, new Date(context.clock.now()).toISOString());
  context.queue.pause(id);
}

/** Throws for a job that has ended. Has no effect on a job that is not paused. */
export async function resumeJob(context: QueueContext, scope: JobOwner, id: string): Promise<void> {
  await setPaused(context, scope, id, null);
  context.queue.wake();
}

async function setPaused(
  { db, changes }: QueueContext,
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

/** Cancels a queued or running job. Has no effect on one that has ended. */
export async function cancelJob(context: QueueContext, scope: JobOwner, id: string): Promise<JobRow> {
  const { db, deps, folders, queue } = context;
  await findJob(db, scope, id);
  await endJob(context, id, 'cancelled');
  const job = await findJob(db, scope, id);
  if (job.status !== 'cancelled') return job;
  // Even if it was canceled before: that request may not have reached the trainer.
  if (queue.running.has(id)) queue.stop(id);
  else
    await clearWork(folders.job(id)).catch(error =>
      deps.log({ message: `The checkpoints of job ${id} could not be deleted.`, error }),
    );
  return job;
}

export interface DeletionContext extends QueueContext {
  hub: EventHub;
  datasets: DatasetStore;
}

/** Deletes an ended job that no endpoint uses or follows, with everything that belongs only to it. */
export async function deleteJob(context: DeletionContext, scope: JobOwner, id: string): Promise<Job> {
  const { db, deps, queue, hub, folders, datasets, changes } = context;
  requireEnded(await findJob(db, scope, id));
  // A canceled trainer may still be finishing its last pass.
  await queue.clear(id);
  const { job, datasetIds, digests } = await db.transaction().execute(async transaction => {
    const found = await findJob(transaction, scope, id);
    await requireUnused(transaction, found);
    await forgetEarlier(transaction, id);
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
  // A trainer that outlived its cloud may be writing there; leftovers are collected as garbage.
  await rm(folders.job(id), { recursive: true, force: true, maxRetries: 3 }).catch(error =>
    deps.log({ message: `The files of job ${id} could not be deleted.`, error }),
  );
  await datasets.release({ ids: datasetIds });
  await unloadAdapters(context, digests);
  return toJob(job, context.waits);
}

/** If another job has an identical adapter, it is loaded again on next use. */
async function unloadAdapters({ deps }: DeletionContext, digests: readonly string[]): Promise<void> {
  for (const sha256 of digests)
    await deps.backend
      ?.unload(sha256)
      .catch(error => deps.log({ message: `The adapter ${sha256} could not be unloaded.`, error }));
}

function requireEnded({ id, status }: JobRow): void {
  if (isFinalStatus(status)) return;
  throw jobInUse(`Job ${id} is ${status}. Cancel it first, then delete it.`);
}

/** OpenAI's clients would retry a 409. */
function jobInUse(message: string): ApiError {
  return new ApiError('job_in_use', message, { headers: { 'x-should-retry': 'false' } });
}

async function requireUnused(transaction: Transaction<Tables>, { id }: JobRow): Promise<void> {
  const follower = await transaction
    .selectFrom('jobs')
    .select('id')
    .where('status', 'in', ['queued', 'running'])
    .where(sql`json_extract(config, '$.from.jobId')`, '=', id)
    .executeTakeFirst();
  if (follower)
    throw jobInUse(
      `Job ${id} cannot be deleted yet: job ${follower.id} continues from its adapter. Cancel that job first, or wait until it ends.`,
    );
  for (const tie of TIES) await requireNoEndpoint(transaction, id, tie);
}

/** Where an endpoint names a job, and what one or several endpoints do with it. */
const TIES = [
  {
    places: ['target_job_id', "json_extract(canary, '$.target.adapter.jobId')"],
    verbs: ['uses its adapter', 'use its adapter'],
  },
  // With the gate, it may serve another job's adapter until this one has passed.
  { places: ["json_extract(follows, '$.jobId')"], verbs: ['follows it', 'follow it'] },
];

async function requireNoEndpoint(
  transaction: Transaction<Tables>,
  id: string,
  { places, verbs: [one, several] }: (typeof TIES)[number],
): Promise<void> {
  const endpoints = await transaction
    .selectFrom('deployments')
    .select('slug')
    .where(({ or, eb }) => or(places.map(place => eb(sql.raw(place), '=', id))))
    .orderBy('slug')
    .execute();
  if (endpoints.length === 0) return;
  const slugs = endpoints.map(({ slug }) => `\`${slug}\``).join(', ');
  const [which, them] =
    endpoints.length === 1 ? [`endpoint ${slugs} ${one}`, 'it'] : [`endpoints ${slugs} ${several}`, 'them'];
  throw jobInUse(`Job ${id} stays: the ${which}. Give ${them} another target first, or delete ${them}.`);
}

export async function updateJob(
  { db, changes }: JobContext,
  scope: JobOwner,
  id: string,
  patch: JobPatch,
): Promise<JobRow> {
  const job = await findJob(db, scope, id);
  const columns = toJobColumns(patch);
  if (Object.keys(columns).length === 0) return job;
  await db.updateTable('jobs').set(columns).where('id', '=', id).execute();
  changes.announce(job);
  return findJob(db, scope, id);
}
