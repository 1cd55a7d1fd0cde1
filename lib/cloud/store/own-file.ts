// A database file next to the cloud's own, for conversations: it is in no backup, never blocks jobs, and shrinks after
// deletions. It is created when something is first stored.
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { createTables, type Schema } from './schema.js';
import { DAMAGED, StorageFault } from './storage-fault.js';
import { openInThread } from './thread-client.js';
import { createThreadDialect } from './thread-driver.js';

export interface OwnFile<Tables> {
  /** Creates the database if it does not exist. */
  open(): Promise<Kysely<Tables>>;
  /** Null if the database does not exist. */
  openExisting(): Promise<Kysely<Tables> | null>;
  /** Call it after each deletion and change: the database's log may hold what was there before. */
  noteTraces(): void;
  /** Overwrites deleted data, if there may be any. If another process is reading the database, the next call tries again. */
  removeTraces(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Overwrites deleted data and returns the space to the system. A killed process loses nothing; a power cut may lose the last
 * entries, which is a fair price for not waiting for the disk.
 */
const PRAGMAS = [
  'busy_timeout = 0',
  'auto_vacuum = FULL',
  'journal_mode = WAL',
  'synchronous = NORMAL',
  'secure_delete = ON',
  'foreign_keys = ON',
];
const NOTHING = () => {};

interface Opened<Tables> {
  db: Kysely<Tables>;
  checkpoint(): Promise<boolean>;
  close(): Promise<void>;
}

interface OwnSchema extends Schema {
  /** Such as "stored answers". */
  holds: string;
}

export function createOwnFile<Tables>(
  file: string,
  schema: OwnSchema,
  openDatabase = openInThread,
): OwnFile<Tables> {
  const name = basename(file);
  const moveAway = `It holds ${schema.holds} and nothing else: stop the cloud, move the file out of its data folder, and start it again.`;
  const unusable = (what: string, cause: unknown) =>
    new StorageFault(cause, { problem: `The cloud's ${name} ${what}`, remedy: moveAway });

  function toFault(error: unknown): StorageFault {
    const fault = new StorageFault(error);
    return fault.problem === DAMAGED ? unusable('is damaged.', error) : fault;
  }

  let opening: Promise<Opened<Tables>> | null = null;
  /** At first, too: the process before may have been killed. */
  let hasTraces = true;

  async function openNow(): Promise<Opened<Tables>> {
    const client = openDatabase({ file, pragmas: PRAGMAS }, NOTHING);
    async function checkpoint(): Promise<boolean> {
      const { rows } = await client.ask(0, { kind: 'checkpoint' });
      return (rows[0] as { busy: number } | undefined)?.busy === 0;
    }
    const close = async () => void (await client.ask(0, { kind: 'close' }));
    const db = new Kysely<Tables>({
      dialect: createThreadDialect(client, { onWritten: NOTHING, onFault: NOTHING }, toFault),
    });
    try {
      await createTables(db, schema, versions => unusable(versions, undefined));
      return { db, checkpoint, close };
    } catch (error) {
      await close().catch(NOTHING);
      throw error;
    }
  }

  async function open(): Promise<Kysely<Tables>> {
    opening ??= openNow();
    try {
      return (await opening).db;
    } catch (error) {
      opening = null;
      throw error;
    }
  }

  return {
    open,
    openExisting: async () => (opening || existsSync(file) ? open() : null),
    noteTraces() {
      hasTraces = true;
    },
    async removeTraces() {
      const opened = await opening;
      if (!opened || !hasTraces) return;
      // Before the checkpoint, so that traces noted during it count.
      hasTraces = false;
      const isDone = await opened.checkpoint().catch(error => {
        hasTraces = true;
        throw error;
      });
      if (!isDone) hasTraces = true;
    },
    async close() {
      await opening?.then(({ close }) => close()).catch(NOTHING);
    },
  };
}

interface Ranked {
  /** Its rows have a `number` and their `bytes`. */
  table: string;
  where: RawBuilder<unknown>;
  /** What is kept longest comes first. */
  order: RawBuilder<unknown>;
}

/** Keeps as many rows as the limits allow. Returns whether any were deleted. */
export async function deleteBeyond<Tables>(
  transaction: Transaction<Tables>,
  { table, where, order }: Ranked,
  limits: { rows: number; bytes: number },
): Promise<boolean> {
  const rows = sql`FROM ${sql.table(table)} WHERE ${where}`;
  const counted = sql<{
    count: number;
    bytes: number;
  }>`SELECT count(*) AS count, sum(bytes) AS bytes ${rows}`;
  const { count, bytes } = (await counted.execute(transaction)).rows[0]!;
  if (count <= limits.rows && bytes <= limits.bytes) return false;
  await sql`
    DELETE FROM ${sql.table(table)} WHERE number IN (
      SELECT number FROM (
        SELECT number, row_number() OVER kept AS place, sum(bytes) OVER kept AS total
        ${rows} WINDOW kept AS (ORDER BY ${order})
      ) WHERE place > ${limits.rows} OR total > ${limits.bytes}
    )`.execute(transaction);
  return true;
}
