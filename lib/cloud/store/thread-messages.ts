// The messages between the main thread and the database thread. Types only.
import type { QueryResult } from './sqlite.js';

/** A request to a database. Requests of one session, from `begin` to its end, form one transaction. */
export type Work =
  | { kind: 'query'; sql: string; parameters: readonly unknown[]; isRead: boolean }
  | { kind: 'begin' }
  | { kind: 'commit' }
  | { kind: 'rollback' }
  /** A test write, to see whether writing works. */
  | { kind: 'probe' }
  /** Copies the committed content to a file. */
  | { kind: 'copy'; to: string }
  /** Moves the log into the database, so that no deleted data remains in it. The row says whether others kept it `busy`. */
  | { kind: 'checkpoint' }
  | { kind: 'close' };

export interface Settings {
  file: string;
  /** Default: those of the cloud's own database. */
  pragmas?: readonly string[];
}

export interface WorkRequest {
  kind: 'work';
  database: number;
  /** The statements between `begin` and `commit` or `rollback` share a session. */
  session: number;
  id: number;
  work: Work;
}

export type Request = { kind: 'open'; database: number; settings: Settings } | WorkRequest;

export type Reply =
  | { kind: 'done'; id: number; result: QueryResult }
  | { kind: 'failed'; id: number; error: { code: string; message: string } }
  /** A write has been waiting for a while because another process holds the lock. */
  | { kind: 'blocked'; database: number };
