// Writes keys. If the answer with a key's plaintext is lost, nobody can use that key, so it must not stay.
import { randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import type { Db } from '../store/db.js';
import { type Asked, forgetRequest, mismatch } from '../store/once.js';
import type { Tables } from '../store/tables.js';

type KeyRow = Tables['keys'];

/** The deployment or project that keys are for. */
export interface KeyOwner {
  column: 'deployment_id' | 'project_id';
  id: string;
}

interface NewKey extends Pick<KeyRow, 'label' | 'prefix' | 'hash' | 'created_at'> {
  owner: KeyOwner;
}

export function insertKey(transaction: Transaction<Tables>, { owner, ...key }: NewKey): Promise<KeyRow> {
  return transaction
    .insertInto('keys')
    .values({
      id: randomUUID(),
      number: sql<number>`(SELECT coalesce(max(number), 0) + 1 FROM keys)`,
      ...key,
      deployment_id: null,
      project_id: null,
      [owner.column]: owner.id,
      enabled: 1,
      last_used_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Revokes the key that an earlier attempt at this request issued, whose plaintext nobody has, and issues another. */
export async function issueAgain(
  transaction: Transaction<Tables>,
  formerId: string,
  key: NewKey,
): Promise<KeyRow> {
  const former = await transaction
    .updateTable('keys')
    .set({ enabled: 0 })
    .where('id', '=', formerId)
    .returning('last_used_at')
    .executeTakeFirst();
  if (former && former.last_used_at !== null) throw used();
  return insertKey(transaction, key);
}

/** Deletes a key whose answer could not be delivered. The request can then be repeated as if it were the first. */
export async function withdrawKey(db: Db, id: string, asked: Asked): Promise<void> {
  await db.transaction().execute(async transaction => {
    await transaction.deleteFrom('keys').where('id', '=', id).execute();
    await forgetRequest(transaction, asked, id);
  });
}

function used() {
  return mismatch(
    'The key that this request issued has been used since, so its plaintext was received. Use a new `Idempotency-Key` to issue another one.',
  );
}
