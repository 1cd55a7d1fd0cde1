// The adapters that a job offers: their files and their rows. The trainer's own folder is removed when the job ends.
// Offered adapters are hard links next to it and stay as long as the job, because a slow callback may ask for a
// checkpoint much later. Imported ones are hard links to their upload.
import { copyFile, link } from 'node:fs/promises';
import { join } from 'node:path';
import { sql, type Transaction } from 'kysely';
import type { Artifact } from '../../contract/index.js';
import { ADAPTER_FILES, STATE_FILES } from '../../engine/index.js';
import { isMissing, unlessMissing } from '../../system/index.js';
import { listNames, replaceFolder } from '../disk/files.js';
import { type AdapterPlace, adapterName, type Folders } from '../disk/folders.js';
import type { Tables } from '../store/tables.js';

/**
 * Hard-links the trainer's output; false if it is missing. With the final adapter, also the state that another run may go on
 * from, if the trainer saved it.
 */
export async function publishAdapter(
  folders: Folders,
  jobId: string,
  adapter: AdapterPlace,
): Promise<boolean> {
  const source = join(folders.job(jobId), adapterName(adapter));
  const names = new Set(adapter.kind === 'final' ? await listNames(source) : []);
  const state = STATE_FILES.every(name => names.has(name)) ? STATE_FILES : [];
  return linkAdapter(source, folders.adapter(jobId, adapter), state);
}

/** Survives a power cut once it returns. False if a file is not there. */
export function linkAdapter(
  source: string,
  target: string,
  others: readonly string[] = [],
): Promise<boolean> {
  const linked = replaceFolder(target, async partial => {
    for (const file of [...ADAPTER_FILES, ...others])
      await hardLinkOrCopy(join(source, file), join(partial, file));
    return true;
  });
  return unlessMissing(linked, false);
}

/** Copies where the file system has no hard links. */
export async function hardLinkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (isMissing(error)) throw error;
    await copyFile(from, to);
  }
}

/** Checkpoints in the order they were saved, then the final adapter. */
export function listArtifacts(
  db: Pick<Transaction<Tables>, 'selectFrom'>,
  jobId: string,
): Promise<Artifact[]> {
  return db
    .selectFrom('artifacts')
    .select(['name', 'kind', 'step', 'bytes', 'sha256'])
    .where('job_id', '=', jobId)
    .orderBy('step')
    .orderBy('kind')
    .execute();
}

export async function insertArtifacts(
  transaction: Transaction<Tables>,
  jobId: string,
  artifacts: readonly Artifact[],
): Promise<void> {
  if (artifacts.length === 0) return;
  await transaction
    .insertInto('artifacts')
    .values(
      artifacts.map(({ name, kind, step, bytes, sha256 }) => ({
        job_id: jobId,
        name,
        kind,
        step,
        bytes,
        sha256,
      })),
    )
    .onConflict(conflict => conflict.columns(['job_id', 'name']).doNothing())
    .execute();
  await countAgain(transaction, jobId);
}

async function countAgain(transaction: Transaction<Tables>, jobId: string): Promise<void> {
  const count = sql<number>`(SELECT count(*) FROM artifacts WHERE job_id = ${jobId})`;
  await transaction.updateTable('jobs').set({ artifact_count: count }).where('id', '=', jobId).execute();
}
