// The rows of data sets: one per organization and distinct content.
import { randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import type { Dataset } from '../../contract/index.js';
import type { Db } from '../store/db.js';
import type { Tables } from '../store/tables.js';

type Row = Tables['datasets'];

/** A new row, or the existing one for the same bytes, with the name and time of this upload. */
export async function putRow(db: Db, uploaded: Omit<Row, 'id'>): Promise<Dataset> {
  const { id, sha256, bytes, rows, format } = await db
    .insertInto('datasets')
    .values({ id: randomUUID(), ...uploaded })
    .onConflict(conflict =>
      conflict.columns(['org_id', 'sha256', 'format']).doUpdateSet(({ eb, ref }) => ({
        file_name: ref('excluded.file_name'),
        created_at: ref('excluded.created_at'),
        unclaimed: eb('datasets.unclaimed', '+', ref('excluded.unclaimed')),
      })),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  return { id, sha256, bytes, rows, format };
}

/**
 * Counts one upload as used by the job or file that names it. False if it does not exist or belongs to another organization.
 */
export async function claimUpload(
  transaction: Transaction<Tables>,
  orgId: string,
  datasetId: string,
): Promise<boolean> {
  const claimed = await transaction
    .updateTable('datasets')
    .set({ unclaimed: sql`max(unclaimed - 1, 0)` })
    .where('id', '=', datasetId)
    .where('org_id', '=', orgId)
    .returning('id')
    .executeTakeFirst();
  return claimed !== undefined;
}

/** The same, without counting a use. */
export async function isUploaded(
  transaction: Transaction<Tables>,
  orgId: string,
  datasetId: string,
): Promise<boolean> {
  const found = await transaction
    .selectFrom('datasets')
    .select('id')
    .where('id', '=', datasetId)
    .where('org_id', '=', orgId)
    .executeTakeFirst();
  return found !== undefined;
}

/** The names of the files that a job reads, by the IDs of their data sets. */
export async function fileNamesOf(
  db: Pick<Db, 'selectFrom'>,
  jobId: string,
): Promise<Record<string, string>> {
  const rows = await db
    .selectFrom('job_datasets')
    .innerJoin('datasets', 'datasets.id', 'job_datasets.dataset_id')
    .where('job_datasets.job_id', '=', jobId)
    .select(['datasets.id', 'datasets.file_name'])
    .execute();
  return Object.fromEntries(rows.map(({ id, file_name }) => [id, file_name]));
}

/** Whether the organization has a data set of these bytes. */
export async function isOwned(db: Db, orgId: string, sha256: string): Promise<boolean> {
  const found = db
    .selectFrom('datasets')
    .select('id')
    .where('org_id', '=', orgId)
    .where('sha256', '=', sha256)
    .limit(1);
  return (await found.executeTakeFirst()) !== undefined;
}

/** Selects data sets that may be deleted if no job reads them and no file names them. */
export type Releasable =
  /** These, except for uploads that no job has named yet. */
  | { ids: readonly string[] }
  /** All that were last uploaded by this time. */
  | { uploadedUntil: string };

/** Deletes the rows and returns their content digests. */
export async function deleteUnread(db: Db, which: Releasable): Promise<string[]> {
  const unread = db
    .deleteFrom('datasets')
    .where('id', 'not in', query => query.selectFrom('job_datasets').select('dataset_id'))
    .where('id', 'not in', query => query.selectFrom('files').select('dataset_id'));
  const releasable =
    'ids' in which
      ? unread.where('id', 'in', which.ids).where('unclaimed', '=', 0)
      : unread.where('created_at', '<=', which.uploadedUntil);
  const deleted = await releasable.returning('sha256').execute();
  return deleted.map(({ sha256 }) => sha256);
}

/** The digests without a row. */
export async function withoutOwner(db: Db, digests: readonly string[]): Promise<string[]> {
  const ownerless: string[] = [];
  for (const sha256 of digests) {
    const owner = db.selectFrom('datasets').select('id').where('sha256', '=', sha256).limit(1);
    if (!(await owner.executeTakeFirst())) ownerless.push(sha256);
  }
  return ownerless;
}
