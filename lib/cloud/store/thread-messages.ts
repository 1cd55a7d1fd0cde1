// What the main thread and the thread of the databases say to each other. Types only.
import type { QueryResult } from './sqlite.js';

/** What is asked of a database. Those of one session, from `begin` to its end, are one transaction. */
export type Work =
  | { kind: 'query'; sql: string; parameters: readonly unknown[]; isRead: boolean }
  | { kind: 'begin' }
  | { kind: 'commit' }
  | { kind: 'rollback' }
  /** Writes, to see whether that works. */
  | { kind: 'probe' }
  /** Copies what was committed into a file of its own. */
  | { kind: 'copy'; to: string }
  | { kind: 'close' };

export interface Settings {
  file: string;
  /** How long a statement waits for another process that has locked the file, before it fails. */
  patienceMs: number;
  /** After this long without a write, the write-ahead log is checked in. */
  idleMs: number;
}

export interface WorkRequest {
  kind: 'work';
  database: number;
  /** The statements between a `begin` and its `commit` or `rollback` share one. */
  session: number;
  id: number;
  work: Work;
}

export type Request = { kind: 'open'; database: number; settings: Settings } | WorkRequest;

export type Reply =
  | { kind: 'done'; id: number; result: QueryResult }
  | { kind: 'failed'; id: number; error: { code: string; message: string } }
  /** A write of this database has been waiting for a while: another process holds the lock. */
  | { kind: 'blocked'; database: number };
