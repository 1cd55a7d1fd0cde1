// The only place that names the SQLite driver: a database in a file, with its tables up to date, and a lock that the
// system frees when its process ends, however it ends.

import { CompiledQuery, Kysely, SqliteDialect } from 'kysely';
import Libsql from 'libsql';
import { migrate } from './migrate.js';
import type { Tables } from './tables.js';

export type Db = Kysely<Tables>;

/** How long a write waits for another process, such as a backup, before it fails. */
const BUSY_MS = 5000;

/** Opens the database, and brings its tables up to date. `:memory:` is one that nobody else sees. */
export async function openDb(file: string): Promise<Db> {
  const database = new Libsql(file);
  const db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: database as never }) });
  // Every commit reaches the disk before it is told: a log that forgets is none.
  for (const pragma of [
    'journal_mode = WAL',
    'synchronous = FULL',
    'foreign_keys = ON',
    `busy_timeout = ${BUSY_MS}`,
  ])
    await db.executeQuery(CompiledQuery.raw(`PRAGMA ${pragma}`));
  await migrate(db);
  return db;
}

export interface Lock {
  release(): void;
}

/** Takes the lock that a file stands for; null while another holds it. Nobody else may open that file. */
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
