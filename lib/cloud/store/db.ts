// A cloud's database, with its tables. It runs in its own thread, so nothing here blocks.
import { Kysely } from 'kysely';
import type { Clock, Timer } from '../../clock/index.js';
import type { Health } from '../health.js';
import { createTables, SCHEMA } from './schema.js';
import type { QueryResult } from './sqlite.js';
import { LOCKED, StorageFault, toStorageFault } from './storage-fault.js';
import type { Tables } from './tables.js';
import { openInThread } from './thread-client.js';
import { createThreadDialect, type WriteObserver } from './thread-driver.js';
import type { Settings, Work } from './thread-messages.js';

export type Db = Kysely<Tables>;

export interface Store {
  db: Db;
  /** Writes, and throws a `StorageFault` if that fails. */
  probe(): Promise<void>;
  /** Checkpoints the write-ahead log and closes the file. */
  close(): Promise<void>;
}

export interface StoreOptions extends Partial<WriteObserver> {
  /** Called when a write has been waiting for another process for a while. */
  onBlocked?: () => void;
  /** Default: the database thread. */
  open?: typeof openInThread;
}

const NOTHING = () => {};
/** Statements outside transactions each have their own session. */
const NO_SESSION = 0;

/** Opens the database, and creates its tables in an empty file. `:memory:` opens a private one. @internal */
export async function openStore(file: string, options: StoreOptions = {}): Promise<Store> {
  const { onBlocked = NOTHING, onWritten = NOTHING, onFault = NOTHING } = options;
  const { open = openInThread } = options;
  const client = open({ file }, onBlocked);
  const db = new Kysely<Tables>({ dialect: createThreadDialect(client, { onWritten, onFault }) });
  const close = async () => {
    await client.ask(NO_SESSION, { kind: 'close' });
  };
  try {
    await createTables(db, SCHEMA);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    db,
    async probe() {
      await client.ask(NO_SESSION, { kind: 'probe' }).catch(error => {
        throw new StorageFault(error);
      });
    },
    close,
  };
}

/** Wraps only the database; close it with `destroy`. */
export async function openDb(file: string): Promise<Db> {
  const { db, close } = await openStore(file);
  db.destroy = close;
  return db;
}

/** The rows of one query, even while the database is in use. Its tables stay as they are. */
export async function queryOnce<Row>(
  file: string,
  sql: string,
  parameters: readonly unknown[],
): Promise<Row[]> {
  const work = { kind: 'query', sql, parameters, isRead: true } as const;
  return (await askOnce({ file, pragmas: [] }, work)).rows as Row[];
}

/** Copies a database's committed content to a file, even while the database is in use. */
export async function copyDb(file: string, to: string): Promise<void> {
  await askOnce({ file }, { kind: 'copy', to });
}

async function askOnce(settings: Settings, work: Work): Promise<QueryResult> {
  const client = openInThread(settings, NOTHING);
  try {
    return await client.ask(NO_SESSION, work);
  } catch (error) {
    throw toStorageFault(error) ?? error;
  } finally {
    await client.ask(NO_SESSION, { kind: 'close' });
  }
}

const PROBE_MS = 1000;
const WHO = 'database';

/**
 * Reports the database's state to the cloud's health. After a failure it retries until the database works, since there may
 * be no other writes.
 */
export async function openWatchedStore(
  file: string,
  health: Pick<Health, 'report'>,
  clock: Clock,
  options: Pick<StoreOptions, 'open'> = {},
): Promise<Store> {
  let timer: Timer | undefined;
  let isClosed = false;

  function report(problem: string | null): void {
    if (isClosed) return;
    health.report(WHO, problem);
    timer?.stop();
    if (problem !== null) timer = clock.after(PROBE_MS, probe);
  }

  function probe(): void {
    opening
      .then(store => store.probe())
      .then(
        () => report(null),
        error => report(error.problem),
      );
  }

  function settle(): void {
    isClosed = true;
    timer?.stop();
  }

  const opening = openStore(file, {
    ...options,
    onBlocked: () => report(LOCKED),
    onFault: ({ problem }) => report(problem),
    onWritten: () => report(null),
  });
  opening.catch(settle);
  const store = await opening;
  return {
    ...store,
    async close() {
      settle();
      await store.close();
    },
  };
}
