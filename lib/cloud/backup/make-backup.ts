// Backs up a data folder to one tar file, whether or not a cloud is running on it. The file gets its final name once it is
// complete.
import { existsSync } from 'node:fs';
import { copyFile, mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UNFINISHED_BATCHES } from '../../contract/index.js';
import {
  ADAPTER_FILES,
  checkpointStep,
  isHubSnapshot,
  RUN_RECORDS,
  STATE_FILES,
} from '../../engine/index.js';
import { isMissing, replaceFile } from '../../system/index.js';
import { archiveFiles } from '../../tar/index.js';
import { hardLinkOrCopy } from '../artifacts/adapter-store.js';
import type { CloudError } from '../cloud-error.js';
import { listNames } from '../disk/files.js';
import { createFolders, stagePrefix } from '../disk/folders.js';
import { makeTemporaryFolder, removeLeftFolders, type TemporaryFolder } from '../disk/temporary-folder.js';
import { listUnfinished } from '../project-api/batches/batch-rows.js';
import { RESULT_FILES } from '../project-api/batches/result-log.js';
import { copyDb, type Db, openDb, queryOnce } from '../store/db.js';
import { FULL, toStorageFault } from '../store/storage-fault.js';
import { backupError, DATABASE, MANIFEST, toPortable, writeManifest } from './manifest.js';

interface Backup {
  files: number;
  bytes: number;
}

export async function makeBackup(
  folder: string,
  file: string,
  version: string,
  signal?: AbortSignal,
): Promise<Backup> {
  if (!existsSync(join(folder, DATABASE))) throw backupError(`There is no cloud data in ${folder}.`);
  if (existsSync(file)) throw backupError(`${file} exists already. Choose another name for the backup.`);
  await removeLeftFolders(stagePrefix(folder));
  const stages: TemporaryFolder[] = [];
  const createStage = async () => {
    const stage = await makeTemporaryFolder(stagePrefix(folder));
    stages.push(stage);
    return stage.path;
  };
  try {
    const { stage, names } = await stageBackup(folder, createStage, copyDb, signal);
    await writeManifest(stage, names, version, signal);
    const files = [MANIFEST, ...names].map(name => ({ name: toPortable(name), path: join(stage, name) }));
    await replaceFile(file, archiveFiles(files, signal), 0o600);
    return { files: names.length, bytes: (await stat(file)).size };
  } finally {
    for (const stage of stages) await stage.remove();
  }
}

/** The options that the cloud was started with. */
const OPTIONS = 'options.json';
const TRIES = 5;
const UNFINISHED = ['queued', 'running'] as const;

/**
 * Collects a backup's content in a folder next to the data: a copy of the database, and hard links to the files that its
 * rows need. Those never change under their names, so the cloud may keep working; the few that grow are copied.
 * @internal
 */
export function stageBackup(
  folder: string,
  createStage: () => Promise<string>,
  copy: typeof copyDb = copyDb,
  signal?: AbortSignal,
): Promise<Staged> {
  return collect(folder, createStage, copy, signal).catch(error => {
    throw toStorageFault(error)?.problem === FULL ? noRoom(folder) : error;
  });
}

async function collect(
  folder: string,
  createStage: () => Promise<string>,
  copy: typeof copyDb,
  signal: AbortSignal | undefined,
): Promise<Staged> {
  for (let tries = 1; ; tries++) {
    const stage = await createStage();
    // Before the database: a run resumes only from a checkpoint that its log knows, and it prunes those as it runs.
    const work = await stageWork(folder, stage, signal);
    await copy(join(folder, DATABASE), join(stage, DATABASE));
    signal?.throwIfAborted();
    const needed = await listNeeded(folder, stage);
    const { missing, staged } = await linkAll(folder, stage, needed, signal);
    const absent = needed.filter(({ name }) => !staged.has(name));
    missing.push(...(await findEnded(folder, absent)));
    // Deleted since the database was copied; the next copy will not name it.
    if (missing.length === 0) return { stage, names: [DATABASE, ...work, ...staged] };
    if (tries === TRIES)
      throw new Error(`${join(folder, missing[0]!)} is missing, so the backup would be incomplete.`);
  }
}

function noRoom(folder: string): CloudError {
  return backupError(
    `The disk of ${folder} is full: a backup needs room there for a copy of the database. Free some space, for example with \`svc cloud gc\`.`,
  );
}

interface Staged {
  stage: string;
  /** Relative to the data folder. */
  names: string[];
}

interface Needed {
  name: string;
  /** The backup is complete without it. */
  isOptional?: boolean;
  /** Its job or batch may still append to it. */
  isGrowing?: boolean;
  /** The batch whose answers they are. They are deleted when it ends. */
  batchId?: string;
}

async function listNeeded(folder: string, stage: string): Promise<Needed[]> {
  const db = await openDb(join(stage, DATABASE));
  try {
    return [
      ...(await listAdapters(db)),
      ...(await listRecords(folder, db)),
      ...(await listData(db)),
      ...(await listBatchResults(db)),
      { name: OPTIONS, isOptional: true },
    ];
  } finally {
    await db.destroy();
  }
}

async function listAdapters(db: Db): Promise<Needed[]> {
  const adapters = await db.selectFrom('artifacts').select(['job_id', 'kind', 'step']).execute();
  return adapters.flatMap(adapter => {
    const path = createFolders('').adapter(adapter.job_id, adapter);
    return [
      ...ADAPTER_FILES.map(file => ({ name: join(path, file) })),
      ...(adapter.kind === 'final' ? STATE_FILES : []).map(file => ({
        name: join(path, file),
        isOptional: true,
      })),
    ];
  });
}

/** The state from which unfinished jobs resume; ended ones have none. Returns the names of the files. */
async function stageWork(folder: string, stage: string, signal: AbortSignal | undefined): Promise<string[]> {
  const { jobs } = createFolders('');
  const work: string[] = [];
  for (const job of await listNames(join(folder, jobs)))
    for (const name of await listNames(join(folder, jobs, job))) {
      if (checkpointStep(name) === null) continue;
      const checkpoint = join(jobs, job, name);
      const files = await listNames(join(folder, checkpoint));
      const { staged } = await linkAll(
        folder,
        stage,
        files.map(file => ({ name: join(checkpoint, file) })),
        signal,
      );
      // A checkpoint loses its name before its files, so these are all that it has.
      if (existsSync(join(folder, checkpoint))) work.push(...staged);
    }
  return work;
}

/** What runs have recorded: their rows' losses, their manifests, and the snapshots of data sets on the Hub that they read. */
async function listRecords(folder: string, db: Db): Promise<Needed[]> {
  const jobs = await db.selectFrom('jobs').select(['id', 'status']).execute();
  const records: Needed[] = [];
  for (const { id, status } of jobs) {
    const job = createFolders('').job(id);
    const snapshots = (await listNames(join(folder, job))).filter(isHubSnapshot);
    // The trainer of a job that was canceled may not have ended yet.
    const isGrowing = status !== 'completed';
    records.push(
      ...RUN_RECORDS.map(file => ({ name: join(job, file), isOptional: true, isGrowing })),
      ...snapshots.map(file => ({ name: join(job, file), isOptional: true })),
    );
  }
  return records;
}

/** Data sets, and downloads of unfinished jobs. */
async function listData(db: Db): Promise<Needed[]> {
  const folders = createFolders('');
  const datasets = await db.selectFrom('datasets').select('sha256').distinct().execute();
  const downloads = await db
    .selectFrom('job_downloads')
    .innerJoin('jobs', 'jobs.id', 'job_downloads.job_id')
    .select('file')
    .where('status', 'in', UNFINISHED)
    .execute();
  return [
    ...datasets.map(({ sha256 }) => ({ name: join(folders.datasets, sha256) })),
    ...downloads.flatMap(({ file }) => (file === null ? [] : { name: join(folders.downloads, file) })),
  ];
}

/** What unfinished batches have been answered so far. */
async function listBatchResults(db: Db): Promise<Needed[]> {
  const folders = createFolders('');
  return (await listUnfinished(db)).flatMap(id =>
    Object.values(RESULT_FILES).map(file => ({
      name: join(folders.batch(id), file),
      isOptional: true,
      isGrowing: true,
      batchId: id,
    })),
  );
}

/** Of these files, those whose batch has ended by now. A restored cloud would take the batch for unanswered without them. */
async function findEnded(folder: string, absent: readonly Needed[]): Promise<string[]> {
  const results = absent.filter(({ batchId }) => batchId !== undefined);
  if (results.length === 0) return [];
  const places = UNFINISHED_BATCHES.map(() => '?').join(', ');
  const sql = `select id from batches where status in (${places})`;
  const rows = await queryOnce<{ id: string }>(join(folder, DATABASE), sql, UNFINISHED_BATCHES);
  const unfinished = new Set(rows.map(({ id }) => id));
  return results.filter(({ batchId }) => !unfinished.has(batchId!)).map(({ name }) => name);
}

async function linkAll(
  folder: string,
  stage: string,
  needed: readonly Needed[],
  signal: AbortSignal | undefined,
) {
  const staged = new Set<string>();
  const missing: string[] = [];
  for (const { name, isOptional, isGrowing } of needed) {
    signal?.throwIfAborted();
    if (staged.has(name)) continue;
    await mkdir(dirname(join(stage, name)), { recursive: true });
    try {
      await (isGrowing ? copyFile : hardLinkOrCopy)(join(folder, name), join(stage, name));
      staged.add(name);
    } catch (error) {
      if (!isMissing(error)) throw error;
      if (!isOptional) missing.push(name);
    }
  }
  return { staged, missing };
}
