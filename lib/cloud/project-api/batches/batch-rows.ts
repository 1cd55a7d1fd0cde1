// The rows of batches. A status only changes from the ones that it can follow, so a cancel and an end cannot both win.
import { sql, type Transaction } from 'kysely';
import {
  ApiError,
  type Batch,
  type BatchEndpoint,
  type BatchError,
  type BatchRequest,
  type BatchStatus,
  type BatchUsage,
  UNFINISHED_BATCHES,
} from '../../../contract/index.js';
import { unknownCursor } from '../../answers/lists.js';
import { newId, toSeconds } from '../../openai-values.js';
import type { Db } from '../../store/db.js';
import type { Tables } from '../../store/tables.js';

export interface BatchRow extends Omit<Tables['batches'], 'endpoint' | 'status'> {
  endpoint: BatchEndpoint;
  status: BatchStatus;
}

export function isUnfinished({ status }: Pick<BatchRow, 'status'>): boolean {
  return UNFINISHED_BATCHES.includes(status);
}

const WINDOW_MS = 24 * 60 * 60 * 1000;
/** Of a project. Each has its files open while it runs. */
const MOST_UNFINISHED = 50;

interface BatchOwner {
  projectId: string;
  caller: string;
}

/** Throws if the project has too many unfinished ones. */
export async function insertBatch(
  transaction: Transaction<Tables>,
  { projectId, caller }: BatchOwner,
  request: BatchRequest,
  now: Date,
): Promise<string> {
  const { count } = await transaction
    .selectFrom('batches')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('project_id', '=', projectId)
    .where('status', 'in', UNFINISHED_BATCHES)
    .executeTakeFirstOrThrow();
  if (count >= MOST_UNFINISHED) throw tooMany();
  const id = newId('batch_');
  await transaction
    .insertInto('batches')
    .values({
      id,
      number: sql<number>`(SELECT coalesce(max(number), 0) + 1 FROM batches)`,
      project_id: projectId,
      caller,
      status: 'validating',
      endpoint: request.endpoint,
      input_file_id: request.input_file_id,
      output_seconds: request.output_expires_after?.seconds ?? null,
      metadata: request.metadata ? JSON.stringify(request.metadata) : null,
      created_at: now.toISOString(),
      expires_at: new Date(now.getTime() + WINDOW_MS).toISOString(),
      times: '{}',
      total: 0,
      completed: 0,
      failed: 0,
    })
    .execute();
  return id;
}

function tooMany(): ApiError {
  return new ApiError(
    'invalid_value',
    `This project has ${MOST_UNFINISHED} unfinished batches. Wait for one to end, or cancel one.`,
  );
}

/** Finds the batch in the project; other projects' batches do not exist for it. */
export async function findBatch(
  db: Pick<Db, 'selectFrom'>,
  projectId: string,
  id: string,
): Promise<BatchRow> {
  const row = await selectBatch(db, projectId, id);
  if (row) return row;
  throw new ApiError('batch_not_found', `There is no batch \`${id.slice(0, 100)}\` in this project.`, {
    param: 'id',
  });
}

async function selectBatch(
  db: Pick<Db, 'selectFrom'>,
  projectId: string,
  id: string,
): Promise<BatchRow | undefined> {
  const row = await db
    .selectFrom('batches')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row as BatchRow | undefined;
}

/** The newest first; one more than the limit, if there are more. */
export async function listBatches(
  db: Db,
  projectId: string,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<BatchRow[]> {
  const cursor = after === undefined ? undefined : await selectBatch(db, projectId, after);
  if (after !== undefined && !cursor) throw unknownCursor(after);
  const rows = await db
    .selectFrom('batches')
    .selectAll()
    .where('project_id', '=', projectId)
    .$if(cursor !== undefined, query => query.where('number', '<', cursor!.number))
    .orderBy('number', 'desc')
    .limit(limit + 1)
    .execute();
  return rows as BatchRow[];
}

/** The IDs of all unfinished batches, the oldest first. */
export async function listUnfinished(db: Pick<Db, 'selectFrom'>): Promise<string[]> {
  const rows = await db
    .selectFrom('batches')
    .select('id')
    .where('status', 'in', UNFINISHED_BATCHES)
    .orderBy('number')
    .execute();
  return rows.map(({ id }) => id);
}

/** Null if it was deleted, with its project. */
export async function readBatch(db: Pick<Db, 'selectFrom'>, id: string): Promise<BatchRow | null> {
  const row = await db.selectFrom('batches').selectAll().where('id', '=', id).executeTakeFirst();
  return (row as BatchRow | undefined) ?? null;
}

interface BatchChange {
  to: BatchStatus;
  from: readonly BatchStatus[];
  at: Date;
  set?: Partial<
    Pick<BatchRow, 'model' | 'total' | 'completed' | 'failed' | 'output_file_id' | 'error_file_id'> & {
      errors: readonly BatchError[];
      usage: BatchUsage;
    }
  >;
}

/** Changes its status, and notes when. False if it has another status than those of `from`, or was deleted. */
export async function changeBatch(
  db: Pick<Db, 'updateTable'>,
  id: string,
  { to, from, at, set: { errors, usage, ...set } = {} }: BatchChange,
): Promise<boolean> {
  const changed = await db
    .updateTable('batches')
    .set({
      ...set,
      ...(errors && { errors: JSON.stringify(errors) }),
      ...(usage && { usage: JSON.stringify(usage) }),
      status: to,
      times: sql<string>`json_set(times, ${`$.${to}_at`}, ${toSeconds(at)})`,
    })
    .where('id', '=', id)
    .where('status', 'in', from)
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}

/** How many requests have been answered. */
export interface BatchCounts {
  completed: number;
  failed: number;
}

/** `live`: while it runs. */
export function toBatch(row: BatchRow, live: BatchCounts | null): Batch {
  const { completed, failed } = live ?? row;
  return {
    id: row.id,
    object: 'batch',
    endpoint: row.endpoint,
    ...(row.model !== null && { model: row.model }),
    ...(row.errors !== null && { errors: { object: 'list', data: JSON.parse(row.errors) as BatchError[] } }),
    input_file_id: row.input_file_id,
    completion_window: '24h',
    status: row.status,
    ...(row.output_file_id !== null && { output_file_id: row.output_file_id }),
    ...(row.error_file_id !== null && { error_file_id: row.error_file_id }),
    created_at: toSeconds(row.created_at),
    expires_at: toSeconds(row.expires_at),
    ...(JSON.parse(row.times) as object),
    request_counts: { total: row.total, completed, failed },
    ...(row.usage !== null && { usage: JSON.parse(row.usage) as BatchUsage }),
    metadata: row.metadata === null ? null : (JSON.parse(row.metadata) as Record<string, string>),
  };
}
