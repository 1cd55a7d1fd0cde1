// The event log of a job. Events are written in the transaction that changes the job's row, each with the number that
// readers resume from.
import { sql, type Transaction } from 'kysely';
import type { ScoreRecorded } from '../../contract/index.js';
import type { Db } from './db.js';
import type { Tables } from './tables.js';

export interface StoredEvent {
  seq: number;
  type: string;
  /** The event as JSON. */
  payload: string;
}

export interface NewEvent {
  type: string;
  timestamp: string;
  [field: string]: unknown;
}

export type JobChange = Partial<Omit<Tables['jobs'], 'id' | 'last_seq'>>;

/** SQLite allows about 32,000 values per statement; an event has five. */
const EVENTS_AT_ONCE = 500;

/** Writes events and updates the job, inside the caller's transaction. */
export async function writeEvents(
  transaction: Transaction<Tables>,
  job: { id: string; last_seq: number },
  events: readonly NewEvent[],
  change: JobChange,
): Promise<StoredEvent[]> {
  if (events.length === 0) return [];
  const stored = events.map((event, index) => ({
    job_id: job.id,
    seq: job.last_seq + 1 + index,
    type: event.type,
    payload: JSON.stringify(event),
    at: event.timestamp,
  }));
  for (let from = 0; from < stored.length; from += EVENTS_AT_ONCE)
    await transaction
      .insertInto('events')
      .values(stored.slice(from, from + EVENTS_AT_ONCE))
      .execute();
  await transaction
    .updateTable('jobs')
    .set({ ...change, last_seq: stored.at(-1)!.seq })
    .where('id', '=', job.id)
    .execute();
  return stored.map(({ seq, type, payload }) => ({ seq, type, payload }));
}

/** JSON has neither of them. */
const WITHIN = '\t';
const BETWEEN = '\u001e';

/** Up to `limit` events after a number. The database joins them, since many rows take longer to hand over than to read. */
export async function readEvents(
  db: Pick<Db, 'selectFrom'>,
  jobId: string,
  after: number,
  limit: number,
): Promise<StoredEvent[]> {
  const page = db
    .selectFrom('events')
    .select(['seq', 'type', 'payload'])
    .where('job_id', '=', jobId)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit);
  const record = sql`seq || ${WITHIN} || type || ${WITHIN} || payload`;
  const { text } = await db
    .selectFrom(page.as('page'))
    .select(sql<string | null>`group_concat(${record}, ${BETWEEN} ORDER BY seq)`.as('text'))
    .executeTakeFirstOrThrow();
  return text === null ? [] : text.split(BETWEEN).map(toEvent);
}

function toEvent(record: string): StoredEvent {
  const first = record.indexOf(WITHIN);
  const second = record.indexOf(WITHIN, first + 1);
  return {
    seq: Number(record.slice(0, first)),
    type: record.slice(first + 1, second),
    payload: record.slice(second + 1),
  };
}

/**
 * The scores in a job's log, in the order in which they were recorded. They are few, and an index finds them among many
 * events.
 */
export async function readScores(
  db: Pick<Transaction<Tables>, 'selectFrom'>,
  jobId: string,
): Promise<ScoreRecorded[]> {
  const rows = await db
    .selectFrom('events')
    .select('payload')
    .where('job_id', '=', jobId)
    // Not a parameter, so that the index of scores alone can be used.
    .where('type', '=', sql.lit('score.recorded'))
    .orderBy('seq')
    .execute();
  return rows.map(({ payload }) => JSON.parse(payload) as ScoreRecorded);
}
