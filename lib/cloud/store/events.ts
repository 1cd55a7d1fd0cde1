// The event log of a job. An event is written in the same transaction that changes the job's row, under the number
// that readers resume from.
import type { Transaction } from 'kysely';
import type { Db } from './db.js';
import type { Tables } from './tables.js';

export interface StoredEvent {
  seq: number;
  type: string;
  /** The event as JSON. */
  payload: string;
}

type JobChange = Partial<Omit<Tables['jobs'], 'id' | 'last_seq'>>;

/** Writes an event and changes the job with it, inside the caller's transaction. */
export async function writeEvent(
  transaction: Transaction<Tables>,
  job: { id: string; last_seq: number },
  event: { type: string; timestamp: string; [field: string]: unknown },
  change: JobChange = {},
): Promise<StoredEvent> {
  const stored = { seq: job.last_seq + 1, type: event.type, payload: JSON.stringify(event) };
  await transaction
    .insertInto('events')
    .values({ job_id: job.id, at: event.timestamp, ...stored })
    .execute();
  await transaction
    .updateTable('jobs')
    .set({ ...change, last_seq: stored.seq })
    .where('id', '=', job.id)
    .execute();
  return stored;
}

/** Up to `limit` events behind a number. */
export function readEvents(db: Db, jobId: string, after: number, limit: number): Promise<StoredEvent[]> {
  return db
    .selectFrom('events')
    .select(['seq', 'type', 'payload'])
    .where('job_id', '=', jobId)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute();
}
