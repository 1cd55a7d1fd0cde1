// The scores in a job's log. They are few, and an index finds them among many events.
import { sql, type Transaction } from 'kysely';
import type { ScoreRecorded } from '../../contract/index.js';
import type { Tables } from './tables.js';

/** In the order in which they were recorded. */
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
