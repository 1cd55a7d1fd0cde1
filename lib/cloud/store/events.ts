// A job's event log: steps are rows with a column per metric, other events are rows with JSON. Both are written in the
// transaction that changes the job's row, and share one gapless numbering, from which readers resume.
import { CompiledQuery, sql, type Transaction } from 'kysely';
import {
  type EventFrame,
  type JobEvent,
  LoggedSteps,
  type LogPart,
  type ScoreRecorded,
  STEP_MEASURES,
  type StepLogged,
  type StepMeasure,
} from '../../contract/index.js';
import { numberText } from './columns.js';
import type { Db } from './db.js';
import type { Tables } from './tables.js';

/** A log's change as its readers need to know it: the number of the last event, and whether that is `end`. */
export interface LogNews {
  readonly lastSeq: number;
  readonly isOver: boolean;
}

export type JobChange = Partial<Omit<Tables['jobs'], 'id' | 'last_seq'>>;

/** SQLite allows about 32,000 values per statement; a step has about twenty. */
const EVENTS_AT_ONCE = 500;

/** Writes events and updates the job, inside the caller's transaction. Returns the last event's number. */
export async function writeEvents(
  transaction: Transaction<Tables>,
  job: { id: string; last_seq: number },
  events: readonly JobEvent[],
  change: JobChange,
): Promise<number> {
  if (events.length === 0) return job.last_seq;
  const steps: unknown[][] = [];
  const others: Tables['events'][] = [];
  events.forEach((event, index) => {
    const seq = job.last_seq + 1 + index;
    if (event.type === 'training.log') steps.push([job.id, seq, ...toStep(event)]);
    else {
      const { type, timestamp: at } = event;
      others.push({ job_id: job.id, seq, type, payload: JSON.stringify(event), at });
    }
  });
  for (const rows of slices(steps)) await transaction.executeQuery(insertSteps(rows));
  for (const values of slices(others)) await transaction.insertInto('events').values(values).execute();
  const last_seq = job.last_seq + events.length;
  await transaction
    .updateTable('jobs')
    .set({ ...change, last_seq })
    .where('id', '=', job.id)
    .execute();
  return last_seq;
}

function slices<Row>(rows: readonly Row[]): Row[][] {
  const count = Math.ceil(rows.length / EVENTS_AT_ONCE);
  return Array.from({ length: count }, (_, at) => rows.slice(at * EVENTS_AT_ONCE, (at + 1) * EVENTS_AT_ONCE));
}

const STEP_COLUMNS = ['job_id', 'seq', 'at', ...STEP_MEASURES, 'payload'];

/**
 * Written by hand: compiling a query with a thousand values takes longer than running it. Without the columns that are empty
 * in all rows, which most are: each value is copied to the database's thread and bound.
 */
function insertSteps(rows: readonly unknown[][]): CompiledQuery {
  const filled = STEP_COLUMNS.flatMap((_, at) => (rows.some(row => row[at] !== null) ? [at] : []));
  const row = `(${filled.map(() => '?').join(', ')})`;
  return CompiledQuery.raw(
    `INSERT INTO steps (${filled.map(at => STEP_COLUMNS[at])}) VALUES ${rows.map(() => row).join(', ')}`,
    rows.flatMap(values => filled.map(at => values[at])),
  );
}

/** The columns of a step, except its number. */
function toStep(event: StepLogged): unknown[] {
  const at = Date.parse(event.timestamp);
  let isUsual = new Date(at).toISOString() === event.timestamp;
  for (const name in event)
    isUsual &&= MEASURES.has(name) ? Number.isFinite(event[name as StepMeasure]) : COMMON.has(name);
  return [at, ...STEP_MEASURES.map(name => event[name] ?? null), isUsual ? null : JSON.stringify(event)];
}

const COMMON: ReadonlySet<string> = new Set(['type', 'jobId', 'timestamp']);
const MEASURES: ReadonlySet<string> = new Set(STEP_MEASURES);

/** The events after one number, up to another that must not exceed the last event's. */
export async function readLog(db: Db, jobId: string, after: number, to: number): Promise<LogPart[]> {
  const rows = <Table extends 'events' | 'steps'>(table: Table) =>
    sql`${sql.table(table)} WHERE job_id = ${jobId} AND seq > ${after} AND seq <= ${to}`;
  const others = sql<{ seq: number; type: string; payload: string }>`
    SELECT seq, type, payload FROM ${rows('events')} UNION ALL
    SELECT seq, 'training.log', payload FROM ${rows('steps')} AND payload IS NOT NULL`;
  // The database joins each column, because transferring many rows takes longer than reading them.
  const columns = sql<Record<string, string | null>>`
    SELECT json_group_array(seq) AS seq, json_group_array(at) AS at, ${sql.join(STEP_MEASURES.map(joinNumbers))}
    FROM (SELECT * FROM ${rows('steps')} AND payload IS NULL ORDER BY seq)`;
  const [singles, steps] = await Promise.all([others.execute(db), columns.execute(db)]);
  const frames = singles.rows.map(
    ({ seq, type, payload }): EventFrame => ({ id: String(seq), event: type, data: payload }),
  );
  return [...frames, ...toSteps(jobId, steps.rows[0]!)].sort((a, b) => Number(a.id) - Number(b.id));
}

/** As a JSON array; null if empty. */
function joinNumbers(name: string) {
  const number = sql.ref(name);
  const text = sql.raw(numberText(`"${name}"`));
  return sql`iif(count(${number}) = 0, NULL, '[' || group_concat(${text}) || ']') AS ${number}`;
}

/** Split where other events come between them, which shows as a gap in the numbers. */
function toSteps(jobId: string, { seq, at, ...joined }: Record<string, string | null>): LoggedSteps[] {
  const numbers: number[] = JSON.parse(seq!);
  const times: number[] = JSON.parse(at!);
  const columns = Object.entries(joined).flatMap(([name, text]) =>
    text === null ? [] : [[name, JSON.parse(text) as (number | null)[]] as const],
  );
  const runs: LoggedSteps[] = [];
  let from = 0;
  for (let end = 1; end <= numbers.length; end++) {
    if (numbers[end] === numbers[end - 1]! + 1) continue;
    const part = columns.map(([name, values]) => [name, values.slice(from, end)]);
    runs.push(
      new LoggedSteps({
        jobId,
        first: numbers[from]!,
        times: times.slice(from, end),
        columns: Object.fromEntries(part),
      }),
    );
    from = end;
  }
  return runs;
}

/** The scores in a job's log, in recorded order. They are few, and an index finds them among many events. */
export async function readScores(
  db: Pick<Transaction<Tables>, 'selectFrom'>,
  jobId: string,
): Promise<ScoreRecorded[]> {
  const rows = await db
    .selectFrom('events')
    .select('payload')
    .where('job_id', '=', jobId)
    // Not a parameter, because SQLite then could not use the partial index of scores.
    .where('type', '=', sql.lit('score.recorded'))
    .orderBy('seq')
    .execute();
  return rows.map(({ payload }) => JSON.parse(payload) as ScoreRecorded);
}
