// Deletes data that nothing refers to anymore: leftovers of crashes, killed backups and deletions, data sets that no job
// reads, and old downloads. Never touches anything that a row refers to, and so nothing that an endpoint uses.
import { randomUUID } from 'node:crypto';
import { renameSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Collected, isFinalStatus } from '../../contract/index.js';
import { listArtifacts } from '../artifacts/adapter-store.js';
import type { DatasetStore } from '../datasets/dataset-store.js';
import { addUp, listNames, removeAll } from '../disk/files.js';
import { ADAPTERS, stagePrefix, unpackPrefix } from '../disk/folders.js';
import { findBatchLeftovers, findPartLeftovers } from '../disk/leftovers.js';
import { removeLeftFolders } from '../disk/temporary-folder.js';
import { listWork } from '../runs/run-folder.js';
import { forgetOld } from '../store/once.js';
import type { JobContext } from './job-context.js';
import type { JobQueue } from './queue.js';

export interface GarbageContext extends JobContext {
  queue: JobQueue;
  datasets: DatasetStore;
}

/** A younger upload or download may be about to be used. */
const DAY_MS = 24 * 60 * 60 * 1000;

export async function collectGarbage(context: GarbageContext): Promise<Collected> {
  const { datasets, folders, clock } = context;
  const yesterday = new Date(clock.now() - DAY_MS);
  await forgetOld(context.db, new Date(clock.now()));
  return addUp([
    await removeAll(await findJobGarbage(context)),
    await removeAll(await takeOldDownloads(context, yesterday)),
    await removeAll(await findBatchLeftovers(context.db, folders)),
    await removeAll(await findRounded(context)),
    await removeAll(await findPartLeftovers(context.db, folders, new Date(clock.now()))),
    await datasets.release({ uploadedUntil: yesterday.toISOString() }),
    await datasets.sweep(),
    await removeLeftFolders(stagePrefix(folders.root)),
    await removeLeftFolders(unpackPrefix(folders.root)),
  ]);
}

/** Rounded weights of other base models, which are rounded again when they are used. Which ones were faster is kept. */
async function findRounded({ folders, deps }: GarbageContext): Promise<string[]> {
  const own = basename(folders.roundedOf(deps.baseModel));
  const garbage: string[] = [];
  for (const name of await listNames(folders.rounded)) {
    if (name === own) continue;
    const path = join(folders.rounded, name);
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    const files = isFolder ? (await listNames(path)).map(file => join(path, file)) : [path];
    garbage.push(...files.filter(file => !isFolder || !/\.(?:choice|content)$/.test(file)));
  }
  return garbage;
}

async function findJobGarbage(context: GarbageContext): Promise<string[]> {
  const { db, folders, queue, importing } = context;
  const garbage: string[] = [];
  for (const id of await listNames(folders.jobs)) {
    // Checked before the row: a finished import has one.
    if (importing.has(id)) continue;
    const job = await db.selectFrom('jobs').select('status').where('id', '=', id).executeTakeFirst();
    // Checked after the row: a job that has ended and is not running never runs again.
    if (queue.running.has(id)) continue;
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

/**
 * Moves old downloads that no unfinished job refers to out of reach, and returns their new paths. Does nothing while any job
 * is running, since it may be reading them.
 */
async function takeOldDownloads({ db, folders, queue }: GarbageContext, before: Date): Promise<string[]> {
  const rows = await db
    .selectFrom('job_downloads')
    .innerJoin('jobs', 'jobs.id', 'job_downloads.job_id')
    .select('file')
    .where('status', 'in', ['queued', 'running'])
    .execute();
  const needed = new Set(rows.map(({ file }) => file));
  const taken: string[] = [];
  for (const name of await listNames(folders.downloads)) {
    // Synchronous from here on, so that no job can start and find the file before it is gone.
    if (queue.running.size > 0) return taken;
    const path = join(folders.downloads, name);
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found || found.mtime >= before || needed.has(name)) continue;
    const gone = join(folders.downloads, `${randomUUID()}.gone`);
    renameSync(path, gone);
    taken.push(gone);
  }
  return taken;
}
