// The only file that imports the SQLite driver: connections to a database file, and a lock that the system releases
// when its process ends in any way. Everything here blocks, so the main thread uses only the lock.
import Libsql from 'libsql';

export interface QueryResult {
  rows: unknown[];
  /** How many rows were written; null for a statement that returns rows. */
  changes: number | null;
}

export interface Connection {
  readonly inTransaction: boolean;
  exec(sql: string): void;
  query(sql: string, parameters: readonly unknown[]): QueryResult;
  /** Ends whatever is in progress and reopens the file, at the latest with the next statement. */
  reset(): void;
  close(): void;
}

type Statement = ReturnType<Libsql.Database['prepare']>;

/** Caches the latest prepared statements. */
const STATEMENTS_KEPT = 100;

/** Opens the file with the first statement. Never waits for a lock; the caller decides how to wait. */
export function openConnection(file: string, pragmas: readonly string[]): Connection {
  const statements = new Map<string, Statement>();
  let database: Libsql.Database | null = null;

  function open(): Libsql.Database {
    const opened = new Libsql(file);
    try {
      for (const pragma of pragmas) opened.exec(`PRAGMA ${pragma}`);
    } catch (error) {
      opened.close();
      throw error;
    }
    return opened;
  }

  function use(): Libsql.Database {
    database ??= open();
    return database;
  }

  function prepare(sql: string): Statement {
    const statement = statements.get(sql) ?? use().prepare(sql);
    statements.delete(sql);
    statements.set(sql, statement);
    if (statements.size > STATEMENTS_KEPT) statements.delete(statements.keys().next().value!);
    return statement;
  }

  function close(): void {
    statements.clear();
    const closing = database;
    database = null;
    closing?.close();
  }

  return {
    get inTransaction() {
      return database?.inTransaction ?? false;
    },
    exec: sql => use().exec(sql),
    query(sql, parameters) {
      // The driver ends the process over one.
      if (parameters.some(value => typeof value === 'boolean'))
        throw new TypeError('SQLite has no booleans.');
      const statement = prepare(sql);
      try {
        if (statement.reader) return { rows: statement.all(parameters), changes: null };
        return { rows: [], changes: statement.run(parameters).changes };
      } catch (error) {
        // It may not have been reset, so it is not used again.
        statements.delete(sql);
        throw error;
      }
    },
    reset: close,
    close,
  };
}

export interface Lock {
  release(): void;
}

/** Takes the lock that a file stands for; null if another process holds it. Nobody else may open that file. */
export function acquireLock(file: string): Lock | null {
  const database = new Libsql(file);
  try {
    database.exec('BEGIN EXCLUSIVE');
    return { release: () => database.close() };
  } catch (error) {
    database.close();
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return null;
    throw error;
  }
}
