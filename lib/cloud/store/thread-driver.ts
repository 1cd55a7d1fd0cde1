// Kysely's driver for a database in the thread. A connection is a number; transactions wait for each other in the
// thread.
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { isStorageCode } from './storage-codes.js';
import { StorageFault } from './storage-fault.js';
import type { DatabaseClient } from './thread-client.js';
import type { Work } from './thread-messages.js';

let lastSession = 0;

/** `toFault`: what a failure of the machine means for this database. */
export function createThreadDialect(
  client: DatabaseClient,
  observe: WriteObserver,
  toFault: ToFault = error => new StorageFault(error),
): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => createDriver(client, observe, toFault),
    createIntrospector: db => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** Called for each committed write, and for each statement that failed because of the machine. */
export interface WriteObserver {
  onWritten(): void;
  onFault(fault: StorageFault): void;
}

type ToFault = (error: unknown) => StorageFault;

class ThreadConnection implements DatabaseConnection {
  readonly session = ++lastSession;
  isInTransaction = false;
  readonly #client: DatabaseClient;
  readonly #observer: WriteObserver;
  readonly #toFault: ToFault;

  constructor(client: DatabaseClient, observer: WriteObserver, toFault: ToFault) {
    this.#client = client;
    this.#observer = observer;
    this.#toFault = toFault;
  }

  async ask(work: Work) {
    try {
      return await this.#client.ask(this.session, work);
    } catch (error) {
      if (!isStorageCode(error)) throw error;
      const fault = this.#toFault(error);
      this.#observer.onFault(fault);
      throw fault;
    }
  }

  async executeQuery<R>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<R>> {
    const isRead = SelectQueryNode.is(query) || /^\s*(?:select|with|explain)\b/i.test(sql);
    const { rows, changes } = await this.ask({ kind: 'query', sql, parameters, isRead });
    if (!isRead && !this.isInTransaction) this.#observer.onWritten();
    return { rows: rows as R[], ...(changes !== null && { numAffectedRows: BigInt(changes) }) };
  }

  // biome-ignore lint/correctness/useYield: the tables are read page by page instead.
  async *streamQuery(): AsyncGenerator<never> {
    throw new Error('Queries are not streamed: read them page by page.');
  }

  /** A failure shows up in the next statement, so both need only one message. */
  begin(): void {
    this.isInTransaction = true;
    this.#client.tell(this.session, { kind: 'begin' });
  }

  async commit(): Promise<void> {
    await this.ask({ kind: 'commit' });
    this.isInTransaction = false;
    this.#observer.onWritten();
  }

  async rollback(): Promise<void> {
    this.isInTransaction = false;
    await this.#client.ask(this.session, { kind: 'rollback' });
  }
}

function createDriver(client: DatabaseClient, observer: WriteObserver, toFault: ToFault): Driver {
  return {
    init: async () => {},
    acquireConnection: async () => new ThreadConnection(client, observer, toFault),
    beginTransaction: async connection => (connection as ThreadConnection).begin(),
    commitTransaction: connection => (connection as ThreadConnection).commit(),
    rollbackTransaction: connection => (connection as ThreadConnection).rollback(),
    releaseConnection: async () => {},
    destroy: async () => {},
  };
}
