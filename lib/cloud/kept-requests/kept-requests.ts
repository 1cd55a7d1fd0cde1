// Keeps requests and deletes expired ones. Callers of an endpoint never wait for it: answers are saved after they were sent,
// and failed writes are retried for a while.

import { randomUUID } from 'node:crypto';
import type { Clock, Timer } from '../../clock/index.js';
import type { KeptMark, KeptRequest, KeptRequestFilter, KeptRequests } from '../../contract/index.js';
import { createMutex } from '../../system/index.js';
import type { Db } from '../store/db.js';
import { toStorageFault } from '../store/storage-fault.js';
import { createSweeper } from '../store/sweeper.js';
import { createKeptFile, type KeptContent, type KeptDb, type KeptFile, toKeptRequest } from './kept-db.js';
import {
  deleteRow,
  deleteRows,
  findRow,
  insertRows,
  KEPT_LIMITS,
  type Keeping,
  type KeptLimits,
  type KeptScope,
  keptAfter,
  listDeploymentIds,
  listRows,
  markRow,
  type NewRow,
} from './kept-rows.js';

/** An answer to keep. */
interface GivenAnswer {
  deploymentId: string;
  at: Date;
  content: KeptContent;
}

export interface KeptRequestStore {
  /** Returns immediately. */
  keep(given: GivenAnswer): void;
  list(deployment: Keeping, filter: KeptRequestFilter): Promise<KeptRequests>;
  /** Null if it does not exist. */
  find(deployment: Keeping, id: string): Promise<KeptRequest | null>;
  mark(deployment: Keeping, id: string, change: MarkChange): Promise<KeptRequest | null>;
  /** Returns the deleted request. */
  delete(deployment: Keeping, id: string): Promise<KeptRequest | null>;
  /** Deletes expired requests. A failure is logged and retried within a minute. */
  enforce(): Promise<void>;
  /** Enforces now, and then every minute. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Already serialized, so that its size is known and the request itself can be freed. */
interface WaitingRow {
  deploymentId: string;
  /** Null for a request that is too large, which is only counted. */
  row: NewRow | null;
  size: number;
}

interface MarkChange {
  mark: KeptMark | null;
  correction: KeptRequest['correction'];
}

interface KeptRequestOptions {
  limits?: Partial<KeptLimits>;
  folder: string;
  /** Default: the database in the folder. */
  file?: KeptFile;
  log: (line: { message: string; error?: unknown }) => void;
  clock: Clock;
}

/** The pause before a failed write is retried. */
const RETRY_MS = 2000;
/** Maximum writes per transaction. */
const AT_ONCE = 50;
const PAGE = 50;
const NOTHING_KEPT: KeptRequests = {
  requests: [],
  counts: { all: 0, good: 0, bad: 0, corrected: 0 },
  skipped: 0,
  nextCursor: null,
};

export function createKeptRequests(db: Db, options: KeptRequestOptions): KeptRequestStore {
  const { log, clock } = options;
  const limits = { ...KEPT_LIMITS, ...options.limits };
  const file = options.file ?? createKeptFile(options.folder);
  const waiting = createWaitingList(limits);
  const mutex = createMutex();
  let retrying: Timer | undefined;
  let isFailing = false;
  let isWriting = false;

  function writeSoon(): void {
    if (isWriting || retrying) return;
    isWriting = true;
    setImmediate(() => void writeAll());
  }

  async function writeAll(): Promise<void> {
    const isDone = await mutex(writeWaiting);
    isWriting = false;
    if (!isDone)
      retrying = clock.after(RETRY_MS, () => {
        retrying = undefined;
        writeSoon();
      });
    else if (waiting.length > 0) writeSoon();
  }

  /** Whether everything was written. */
  async function writeWaiting(): Promise<boolean> {
    while (waiting.length > 0) {
      const batch = waiting.take(AT_ONCE);
      try {
        await write(batch);
        noteSuccess();
      } catch (error) {
        waiting.putBack(batch);
        noteFailure(error);
        return false;
      }
    }
    return true;
  }

  async function write(batch: readonly WaitingRow[]): Promise<void> {
    const ids = [...new Set(batch.map(({ deploymentId }) => deploymentId))];
    const keeping = new Set(
      (await readKeeping(db, ids)).filter(each => keptFrom(each) !== 'none').map(({ id }) => id),
    );
    const kept = batch.filter(({ deploymentId }) => keeping.has(deploymentId));
    if (kept.length === 0) return;
    const hasDeleted = await insertRows(
      await file.open(),
      kept.flatMap(({ row }) => row ?? []),
      kept.flatMap(({ deploymentId, row }) => (row ? [] : [deploymentId])),
      limits,
    );
    if (hasDeleted) file.noteTraces();
  }

  const keptFrom = (deployment: Keeping | undefined) => keptAfter(deployment, new Date(clock.now()));

  function noteFailure(error: unknown): void {
    const lost = waiting.takeLost();
    const problem = toStorageFault(error)?.message;
    if (!isFailing)
      log({
        message: `Requests to endpoints cannot be kept right now. Answers are not affected.${problem ? ` ${problem}` : ''}`,
        ...(!problem && { error }),
      });
    isFailing = true;
    if (lost > 0) log({ message: `${lost} requests to endpoints were not kept.` });
  }

  function noteSuccess(): void {
    if (isFailing) log({ message: 'Requests to endpoints are kept again.' });
    isFailing = false;
    const lost = waiting.takeLost();
    if (lost > 0) log({ message: `${lost} requests to endpoints were not kept.` });
  }

  const sweeper = createSweeper(file, {
    async remove(kept) {
      const ids = await listDeploymentIds(kept);
      const known = new Map((await readKeeping(db, ids)).map(deployment => [deployment.id, deployment]));
      let hasDeleted = false;
      for (const id of ids) {
        const from = keptFrom(known.get(id));
        if (from !== null && (await deleteRows(kept, id, from === 'none' ? null : from))) hasDeleted = true;
      }
      return hasDeleted;
    },
    inTurn: mutex,
    problem: 'Kept requests could not be deleted yet.',
    ...{ log, clock },
  });

  /** Includes answers from moments ago, unless they cannot be written. */
  async function read<T>(
    deployment: Keeping,
    nothing: T,
    work: (kept: KeptDb, scope: KeptScope) => Promise<T>,
  ) {
    const after = keptFrom(deployment);
    if (after === 'none') return nothing;
    if (!isFailing) await mutex(writeWaiting);
    const kept = await file.openExisting();
    return kept ? work(kept, { deploymentId: deployment.id, after }) : nothing;
  }

  return {
    keep(given) {
      const row = toRow(given, limits.requestBytes);
      waiting.add({ deploymentId: given.deploymentId, row, size: row?.bytes ?? 0 });
      writeSoon();
    },
    list: (deployment, { mark, limit = PAGE, cursor }) =>
      read(deployment, NOTHING_KEPT, (kept, scope) =>
        listRows(kept, scope, { mark, limit, before: cursor === undefined ? null : Number(cursor) }),
      ),
    find: (deployment, id) =>
      read(deployment, null, async (kept, scope) => {
        const row = await findRow(kept, scope, id);
        return row && toKeptRequest(row);
      }),
    mark: (deployment, id, { mark, correction }) =>
      read(deployment, null, async (kept, scope) => {
        const row = (await findRow(kept, scope, id)) && (await markRow(kept, id, mark, correction));
        file.noteTraces();
        return row && toKeptRequest(row);
      }),
    delete: (deployment, id) =>
      read(deployment, null, async (kept, scope) => {
        const row = await findRow(kept, scope, id);
        if (!row) return null;
        await sweeper.delete(() => deleteRow(kept, id));
        return toKeptRequest(row);
      }),
    enforce: sweeper.sweep,
    start: sweeper.start,
    async close() {
      await sweeper.stop();
      retrying?.stop();
      await mutex(writeWaiting);
      await file.close();
    },
  };
}

/** Null if it is too large. */
function toRow({ deploymentId, at, content }: GivenAnswer, requestBytes: number): NewRow | null {
  const written = JSON.stringify(content);
  const bytes = Buffer.byteLength(written);
  if (bytes > requestBytes) return null;
  return {
    id: randomUUID(),
    deployment_id: deploymentId,
    created_at: at.toISOString(),
    bytes,
    content: written,
  };
}

function readKeeping(db: Db, ids: readonly string[]): Promise<Keeping[]> {
  return db
    .selectFrom('deployments')
    .select(['id', 'keep_requests', 'retention_mode', 'retention_days'])
    .where('id', 'in', ids)
    .execute();
}

/** Requests waiting in memory to be written. It never exceeds its limits: the oldest are dropped. */
interface WaitingList {
  readonly length: number;
  add(row: WaitingRow): void;
  /** Removes and returns the oldest ones. */
  take(count: number): WaitingRow[];
  /** Puts back requests that could not be written. */
  putBack(rows: readonly WaitingRow[]): void;
  /** How many were dropped since the last call. */
  takeLost(): number;
}

function createWaitingList(limits: Pick<KeptLimits, 'waiting' | 'waitingBytes'>): WaitingList {
  let rows: WaitingRow[] = [];
  let bytes = 0;
  let lost = 0;

  function dropOldest(): void {
    let dropped = 0;
    while (rows.length - dropped > limits.waiting || bytes > limits.waitingBytes)
      bytes -= rows[dropped++]!.size;
    rows.splice(0, dropped);
    lost += dropped;
  }

  const sizeOf = (some: readonly WaitingRow[]) => some.reduce((sum, { size }) => sum + size, 0);

  return {
    get length() {
      return rows.length;
    },
    add(row) {
      rows.push(row);
      bytes += row.size;
      dropOldest();
    },
    take(count) {
      const taken = rows.splice(0, count);
      bytes -= sizeOf(taken);
      return taken;
    },
    putBack(returned) {
      rows = [...returned, ...rows];
      bytes += sizeOf(returned);
      dropOldest();
    },
    takeLost() {
      const count = lost;
      lost = 0;
      return count;
    },
  };
}
