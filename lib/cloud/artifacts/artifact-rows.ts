// The rows of offered adapters.
import { sql, type Transaction } from 'kysely';
import type { Artifact } from '../../contract/index.js';
import type { Tables } from '../store/tables.js';

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
