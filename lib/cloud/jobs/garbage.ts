// Deletes what nothing refers to any more: what crashes and deletions have left, data sets that no job reads, and old
// downloads. What a row names, and so whatever an endpoint uses, is never touched.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Collected, isFinalStatus } from '../../contract/index.js';
import { listArtifacts } from '../artifacts/artifact-rows.js';
import type { DatasetStore } from '../datasets/dataset-store.js';
import { ADAPTERS } from './folders.js';
import { addUp, listNames, removeAll } from './garbage-files.js';
import type { JobContext } from './job-context.js';
import type { JobQueue } from './queue.js';
import { listWork } from './run-folder.js';

export interface GarbageContext extends JobContext {
  queue: JobQueue;
  datasets: DatasetStore;
}

/** Younger than this, an upload or a download may be about to be used. */
const DAY_MS = 24 * 60 * 60 * 1000;

export async function collectGarbage(context: GarbageContext): Promise<Collected> {
  const { datasets, now } = context;
  const yesterday = new Date(now().getTime() - DAY_MS);
  return addUp([
    await removeAll(await findJobGarbage(context)),
    await removeAll(await findOldDownloads(context, yesterday)),
    await datasets.release({ uploadedUntil: yesterday.toISOString() }),
    await datasets.sweep(),
  ]);
}

async function findJobGarbage(context: GarbageContext): Promise<string[]> {
  const { db, folders, queue } = context;
  const garbage: string[] = [];
  for (const id of await listNames(folders.jobs)) {
    if (queue.running.has(id)) continue;
    const job = await db.selectFrom('jobs').select('status').where('id', '=', id).executeTakeFirst();
    if (!job) garbage.push(join(folders.jobs, id));
    else if (isFinalStatus(job.status)) {
      garbage.push(...(await listWork(folders.job(id))), ...(await findUnknownAdapters(context, id)));
    }
  }
  return garbage;
}

async function findUnknownAdapters({ db, folders }: GarbageContext, jobId: string): Promise<string[]> {
  const folder = join(folders.job(jobId), ADAPTERS);
  const known = new Set((await listArtifacts(db, jobId)).map(({ name }) => name));
  return (await listNames(folder)).filter(name => !known.has(name)).map(name => join(folder, name));
}

/** While a job runs it may be reading any of them. */
async function findOldDownloads({ db, folders, queue }: GarbageContext, before: Date): Promise<string[]> {
  if (queue.running.size > 0) return [];
  const needed = await db
    .selectFrom('job_downloads')
    .innerJoin('jobs', 'jobs.id', 'job_downloads.job_id')
    .select('file')
    .where('status', 'in', ['queued', 'running'])
    .execute();
  const old: string[] = [];
  for (const name of await listNames(folders.downloads)) {
    const path = join(folders.downloads, name);
    const found = await stat(path).catch(() => null);
    if (found && found.mtime < before && !needed.some(({ file }) => file === name)) old.push(path);
  }
  return old;
}
