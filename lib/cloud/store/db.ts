// The database of a cloud, with its tables up to date. It lies in a thread of its own: nothing here blocks.
import { Kysely } from 'kysely';
import { migrate } from './migrate.js';
import { StorageFault } from './storage-fault.js';
import type { Tables } from './tables.js';
import { openInThread } from './thread-client.js';
import { createThreadDialect, type WriteObserver } from './thread-driver.js';

export type Db = Kysely<Tables>;

export interface Store {
  db: Db;
  /** Writes, and throws a `StorageFault` when that is not possible. */
  probe(): Promise<void>;
  /** Checks the write-ahead log in, and closes the file. */
  close(): Promise<void>;
}

export interface StoreOptions extends Partial<WriteObserver> {
  /** A write has been waiting for another process for a while. */
  onBlocked?: () => void;
  /** How long a write waits for another process, such as a backup, before it fails. */
  patienceMs?: number;
  /** After this long without a write, the write-ahead log is checked in. */
  idleMs?: number;
}

const NOTHING = () => {};
/** Statements outside of transactions have sessions of their own. */
const NO_SESSION = 0;

/** Opens the database, and brings its tables up to date. `:memory:` is one that no one else sees. */
export async function openStore(file: string, options: StoreOptions = {}): Promise<Store> {
  const { onBlocked = NOTHING, onWritten = NOTHING, onFault = NOTHING } = options;
  const { patienceMs = 5000, idleMs = 2000 } = options;
  const client = openInThread({ file, patienceMs, idleMs }, onBlocked);
  const db = new Kysely<Tables>({ dialect: createThreadDialect(client, { onWritten, onFault }) });
  const close = async () => {
    await client.ask(NO_SESSION, { kind: 'close' });
  };
  try {
    await migrate(db);
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

/** The database alone, to be closed by `destroy`. */
export async function openDb(file: string): Promise<Db> {
  const { db, close } = await openStore(file);
  db.destroy = close;
  return db;
}

/** Copies what is committed in a database, which may be in use, into a file of its own. */
export async function copyDb(file: string, to: string): Promise<void> {
  const client = openInThread({ file, patienceMs: 5000, idleMs: 2000 }, NOTHING);
  try {
    await client.ask(NO_SESSION, { kind: 'copy', to });
  } finally {
    await client.ask(NO_SESSION, { kind: 'close' });
  }
}
