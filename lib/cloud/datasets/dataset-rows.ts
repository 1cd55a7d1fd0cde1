// The rows of data sets: one for each organisation and each set of bytes that it has uploaded.
import { randomUUID } from 'node:crypto';
import type { Dataset } from '../../contract/index.js';
import type { Db } from '../store/db.js';
import type { Tables } from '../store/tables.js';

type Row = Tables['datasets'];

/** A new row, or the one there is for the same bytes, under the name and as of the time of the last upload. */
export async function putRow(db: Db, uploaded: Omit<Row, 'id'>): Promise<Dataset> {
  const { id, sha256, bytes, rows, format } = await db
    .insertInto('datasets')
    .values({ id: randomUUID(), ...uploaded })
    .onConflict(conflict =>
      conflict.columns(['org_id', 'sha256', 'format']).doUpdateSet(({ ref }) => ({
        file_name: ref('excluded.file_name'),
        created_at: ref('excluded.created_at'),
      })),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
  return { id, sha256, bytes, rows, format };
}

/** Deletes the rows that no job reads and that were last uploaded by then; gives the digests of their bytes. */
export async function deleteUnread(
  db: Db,
  { ids, uploadedUntil }: { ids?: readonly string[]; uploadedUntil: string },
): Promise<string[]> {
  const deleted = await db
    .deleteFrom('datasets')
    .where('created_at', '<=', uploadedUntil)
    .$if(ids !== undefined, query => query.where('id', 'in', ids!))
    .where('id', 'not in', query => query.selectFrom('job_datasets').select('dataset_id'))
    .returning('sha256')
    .execute();
  return deleted.map(({ sha256 }) => sha256);
}

/** Those of the digests that no row has. */
export async function withoutOwner(db: Db, digests: readonly string[]): Promise<string[]> {
  const ownerless: string[] = [];
  for (const sha256 of digests) {
    const owner = db.selectFrom('datasets').select('id').where('sha256', '=', sha256).limit(1);
    if (!(await owner.executeTakeFirst())) ownerless.push(sha256);
  }
  return ownerless;
}
