// Reads and writes kept requests, and computes when they expire. It knows nothing about permissions.
import { sql, type Transaction } from 'kysely';
import type { KeptAnswer, KeptMark, KeptRequests } from '../../contract/index.js';
import { deleteBeyond } from '../store/own-file.js';
import type { Tables } from '../store/tables.js';
import { type KeptDb, type KeptRow, type KeptTables, toKeptRequest } from './kept-db.js';

export type NewRow = Omit<KeptRow, 'number' | 'mark' | 'correction'>;

/** Storage limits. Marking answers is work, so marked ones are deleted last. */
export interface KeptLimits {
  /** Per deployment. */
  requests: number;
  /** Total per deployment. */
  bytes: number;
  /** A larger request is skipped: training on half a conversation would teach the wrong thing. */
  requestBytes: number;
  /** Limits on requests waiting in memory. */
  waiting: number;
  waitingBytes: number;
}

export const KEPT_LIMITS: KeptLimits = {
  requests: 10_000,
  bytes: 64 * 1024 ** 2,
  requestBytes: 256 * 1024,
  waiting: 2000,
  waitingBytes: 32 * 1024 ** 2,
};

/** The deployment's requests that a reader may see. */
export interface KeptScope {
  deploymentId: string;
  /** Older ones count as deleted; null if all are kept. */
  after: string | null;
}

interface Page {
  mark?: KeptMark | 'none' | undefined;
  limit: number;
  /** The number of the last request of the previous page. */
  before: number | null;
}

/** A page stops at this size, but has at least one request. */
const PAGE_BYTES = 2 * 1024 ** 2;

/** Whether others were deleted to make room. */
export function insertRows(
  db: KeptDb,
  rows: readonly NewRow[],
  tooLarge: readonly string[],
  limits: Pick<KeptLimits, 'requests' | 'bytes'>,
): Promise<boolean> {
  return db.transaction().execute(async transaction => {
    if (rows.length > 0)
      await transaction
        .insertInto('requests')
        .values([...rows])
        .execute();
    for (const id of tooLarge) await countSkipped(transaction, id);
    let hasDeleted = false;
    for (const id of new Set(rows.map(row => row.deployment_id)))
      if (await makeRoom(transaction, id, limits)) hasDeleted = true;
    return hasDeleted;
  });
}

async function countSkipped(transaction: Transaction<KeptTables>, deploymentId: string): Promise<void> {
  await transaction
    .insertInto('skipped')
    .values({ deployment_id: deploymentId, requests: 1 })
    .onConflict(conflict =>
      conflict
        .column('deployment_id')
        .doUpdateSet(({ eb }) => ({ requests: eb('skipped.requests', '+', 1) })),
    )
    .execute();
}

/** Deletes the oldest first, and marked ones only after all others. Returns whether any were deleted. */
function makeRoom(
  transaction: Transaction<KeptTables>,
  deploymentId: string,
  { requests, bytes }: Pick<KeptLimits, 'requests' | 'bytes'>,
): Promise<boolean> {
  const where = sql`deployment_id = ${deploymentId}`;
  const order = sql`mark IS NULL, number DESC`;
  return deleteBeyond(transaction, { table: 'requests', where, order }, { rows: requests, bytes });
}

export async function listRows(db: KeptDb, scope: KeptScope, page: Page): Promise<KeptRequests> {
  const found = await inScope(db, scope)
    .select(['number', 'bytes'])
    .$if(page.before !== null, query => query.where('number', '<', page.before!))
    .$if(page.mark === 'none', query => query.where('mark', 'is', null))
    .$if(page.mark !== undefined && page.mark !== 'none', query =>
      query.where('mark', '=', page.mark as KeptMark),
    )
    .orderBy('number', 'desc')
    .limit(page.limit + 1)
    .execute();
  const numbers = fitPage(found, page.limit);
  const rows = await db
    .selectFrom('requests')
    .selectAll()
    .where('number', 'in', numbers)
    .orderBy('number', 'desc')
    .execute();
  return {
    requests: rows.map(toKeptRequest),
    counts: await countRows(db, scope),
    skipped: await readSkipped(db, scope),
    nextCursor: numbers.length < found.length ? String(numbers.at(-1)) : null,
  };
}

function fitPage(found: readonly Pick<KeptRow, 'number' | 'bytes'>[], limit: number): number[] {
  let total = 0;
  const fitting = found.slice(0, limit).filter(({ bytes }, index) => {
    total += bytes;
    return index === 0 || total <= PAGE_BYTES;
  });
  return fitting.map(({ number }) => number);
}

async function countRows(db: KeptDb, scope: KeptScope): Promise<KeptRequests['counts']> {
  const found = await inScope(db, scope)
    .select(({ fn }) => ['mark', fn.countAll<number>().as('requests')])
    .groupBy('mark')
    .execute();
  const of = (mark: KeptMark) => found.find(row => row.mark === mark)?.requests ?? 0;
  const all = found.reduce((sum, row) => sum + row.requests, 0);
  return { all, good: of('good'), bad: of('bad'), corrected: of('corrected') };
}

async function readSkipped(db: KeptDb, { deploymentId }: KeptScope): Promise<number> {
  const row = await db
    .selectFrom('skipped')
    .select('requests')
    .where('deployment_id', '=', deploymentId)
    .executeTakeFirst();
  return row?.requests ?? 0;
}

export async function findRow(db: KeptDb, scope: KeptScope, id: string): Promise<KeptRow | null> {
  return (await inScope(db, scope).selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

export async function markRow(
  db: KeptDb,
  id: string,
  mark: KeptMark | null,
  correction: KeptAnswer | null,
): Promise<KeptRow | null> {
  const written = correction && JSON.stringify(correction);
  const bytes = sql<number>`length(CAST(content AS BLOB)) + ${written === null ? 0 : Buffer.byteLength(written)}`;
  const changed = await db
    .updateTable('requests')
    .set({ mark, correction: written, bytes })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return changed ?? null;
}

export async function deleteRow(db: KeptDb, id: string): Promise<void> {
  await db.deleteFrom('requests').where('id', '=', id).execute();
}

/** If everything goes, also deletes other data about the deployment. Returns whether there was anything. */
export async function deleteRows(db: KeptDb, deploymentId: string, until: string | null): Promise<boolean> {
  const oldest = await db
    .selectFrom('requests')
    .select(({ fn }) => fn.min<string | null>('created_at').as('at'))
    .where('deployment_id', '=', deploymentId)
    .executeTakeFirstOrThrow();
  if (until !== null && (oldest.at === null || oldest.at > until)) return false;
  await db.transaction().execute(async transaction => {
    await transaction
      .deleteFrom('requests')
      .where('deployment_id', '=', deploymentId)
      .$if(until !== null, query => query.where('created_at', '<=', until!))
      .execute();
    if (until === null)
      await transaction.deleteFrom('skipped').where('deployment_id', '=', deploymentId).execute();
  });
  return true;
}

/** Deployments with stored requests. */
export async function listDeploymentIds(db: KeptDb): Promise<string[]> {
  const rows = await db
    .selectFrom('requests')
    .select('deployment_id')
    .union(db.selectFrom('skipped').select('deployment_id'))
    .execute();
  return rows.map(row => row.deployment_id);
}

function inScope(db: KeptDb, { deploymentId, after }: KeptScope) {
  return db
    .selectFrom('requests')
    .where('deployment_id', '=', deploymentId)
    .$if(after !== null, query => query.where('created_at', '>', after!));
}

const DAY_MS = 24 * 60 * 60 * 1000;

export type Keeping = Pick<
  Tables['deployments'],
  'id' | 'keep_requests' | 'retention_mode' | 'retention_days'
>;

/** `none` if nothing is kept, null if everything is; otherwise the time after which requests are kept. */
export function keptAfter(deployment: Keeping | undefined, now: Date): string | null | 'none' {
  if (!deployment || deployment.keep_requests === 0 || deployment.retention_mode === 'disabled')
    return 'none';
  if (deployment.retention_mode === 'unlimited') return null;
  // So many days may lead to before year 0, which is as good as forever.
  const time = now.getTime() - deployment.retention_days! * DAY_MS;
  return time > 0 ? new Date(time).toISOString() : null;
}
