// The database of kept requests.
import { join } from 'node:path';
import type { Generated, Kysely, Selectable } from 'kysely';
import type { KeptAnswer, KeptMark, KeptRequest } from '../../contract/index.js';
import { createOwnFile, type OwnFile } from '../store/own-file.js';
import type { openInThread } from '../store/thread-client.js';

export interface KeptTables {
  requests: {
    /** Increases with each row; used for pagination. */
    number: Generated<number>;
    id: string;
    deployment_id: string;
    created_at: string;
    bytes: number;
    mark: KeptMark | null;
    /** As JSON, without the mark and the correction. */
    content: string;
    /** As JSON. */
    correction: string | null;
  };
  /** Per deployment, the number of requests that were too large. */
  skipped: { deployment_id: string; requests: number };
}

export type KeptRow = Selectable<KeptTables['requests']>;

export type KeptDb = Kysely<KeptTables>;

export type KeptFile = OwnFile<KeptTables>;

const SCHEMA = {
  version: 1,
  holds: 'kept requests of endpoints',
  create: [
    `CREATE TABLE requests (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      deployment_id TEXT NOT NULL,
      created_at TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      mark TEXT CHECK (mark IN ('good', 'bad', 'corrected')),
      content TEXT NOT NULL,
      correction TEXT,
      CHECK ((mark IS 'corrected') = (correction IS NOT NULL))
    )`,
    'CREATE INDEX requests_by_deployment ON requests (deployment_id, number, mark, bytes)',
    'CREATE INDEX requests_by_age ON requests (deployment_id, created_at)',
    'CREATE TABLE skipped (deployment_id TEXT PRIMARY KEY, requests INTEGER NOT NULL) WITHOUT ROWID',
  ],
};

export const createKeptFile = (folder: string, openDatabase?: typeof openInThread): KeptFile =>
  createOwnFile(join(folder, 'requests.db'), SCHEMA, openDatabase);

/** The part of a request that is stored as JSON. */
export type KeptContent = Omit<KeptRequest, 'id' | 'createdAt' | 'mark' | 'correction'>;

export function toKeptRequest(row: KeptRow): KeptRequest {
  return {
    id: row.id,
    createdAt: row.created_at,
    ...(JSON.parse(row.content) as KeptContent),
    mark: row.mark,
    correction: row.correction === null ? null : (JSON.parse(row.correction) as KeptAnswer),
  };
}
