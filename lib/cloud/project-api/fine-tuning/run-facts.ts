// What the log of a job tells of its run: the tokens it learned, and when it will probably end.
import { sql } from 'kysely';
import type { Db } from '../../store/db.js';
import type { TunedRow } from './job-rows.js';

/** The tokens learned so far; null until all rows have been read. */
export async function countTrainedTokens(db: Db, jobId: string): Promise<number | null> {
  const trainTokens = sql<number | null>`json_extract(payload, '$.trainTokens')`;
  const read = await db
    .selectFrom('events')
    .select(trainTokens.as('tokens'))
    .where('job_id', '=', jobId)
    .where('type', 'in', ['training.started', 'training.preparing'])
    .where(trainTokens, 'is not', null)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst();
  const [last] = await readLastSteps(db, jobId, 1);
  if (!read || last?.epoch == null) return null;
  return Math.round(read.tokens! * last.epoch);
}

/** How many steps the speed is taken from. */
const RECENT_STEPS = 20;

/** Null while too little is known. */
export async function estimateFinish(
  db: Db,
  { id, total_steps }: Pick<TunedRow, 'id' | 'total_steps'>,
): Promise<Date | null> {
  const steps = await readLastSteps(db, id, RECENT_STEPS);
  const [last, first] = [steps[0], steps.at(-1)];
  if (!last || !first || last.step === first.step || total_steps === null) return null;
  const msPerStep = (Date.parse(last.at) - Date.parse(first.at)) / (last.step - first.step);
  return new Date(Date.parse(last.at) + msPerStep * (total_steps - last.step));
}

interface LoggedStep {
  at: string;
  step: number;
  epoch: number | null;
}

/** The last one first. */
function readLastSteps(db: Db, jobId: string, count: number): Promise<LoggedStep[]> {
  return db
    .selectFrom('events')
    .select([
      'at',
      sql<number>`json_extract(payload, '$.step')`.as('step'),
      sql<number | null>`json_extract(payload, '$.epoch')`.as('epoch'),
    ])
    .where('job_id', '=', jobId)
    .where('type', '=', 'training.log')
    .orderBy('seq', 'desc')
    .limit(count)
    .execute();
}
