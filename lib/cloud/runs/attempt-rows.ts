// The rows of attempts that remote workers claim: the state that a restarted cloud needs. Tokens are stored as digests.
import type { Transaction } from 'kysely';
import type { Db } from '../store/db.js';
import type { Tables } from '../store/tables.js';

type AttemptRow = Tables['attempts'];

export interface AttemptKey {
  jobId: string;
  attempt: number;
}

export async function findAttempt(db: Db, { jobId, attempt }: AttemptKey): Promise<AttemptRow | null> {
  const row = await db
    .selectFrom('attempts')
    .selectAll()
    .where('job_id', '=', jobId)
    .where('attempt', '=', attempt)
    .executeTakeFirst();
  return row ?? null;
}

/** Earlier attempts are over. */
export async function insertAttempt(
  db: Db,
  { jobId, attempt }: AttemptKey,
  claim_hash: string,
): Promise<AttemptRow> {
  const row = { job_id: jobId, attempt, claim_hash, run_hash: null, worker: null, next: 0 };
  await db.transaction().execute(async transaction => {
    await transaction.deleteFrom('attempts').where('job_id', '=', jobId).execute();
    await transaction.insertInto('attempts').values(row).execute();
  });
  return row;
}

/** From now on, only the new run token is valid, and events are numbered from 0. */
export async function takeAttempt(
  db: Db,
  { jobId, attempt }: AttemptKey,
  claim: Pick<AttemptRow, 'run_hash' | 'worker'>,
): Promise<void> {
  await db
    .updateTable('attempts')
    .set({ ...claim, next: 0 })
    .where('job_id', '=', jobId)
    .where('attempt', '=', attempt)
    .execute();
}

export async function removeAttempt(db: Db, { jobId, attempt }: AttemptKey): Promise<void> {
  await db.deleteFrom('attempts').where('job_id', '=', jobId).where('attempt', '=', attempt).execute();
}

/** In the same transaction as the events, so that none is recorded twice. */
export async function noteRecorded(
  transaction: Transaction<Tables>,
  { id, number }: { id: string; number: number },
  next: number,
): Promise<void> {
  await transaction
    .updateTable('attempts')
    .set({ next })
    .where('job_id', '=', id)
    .where('attempt', '=', number)
    .execute();
}
