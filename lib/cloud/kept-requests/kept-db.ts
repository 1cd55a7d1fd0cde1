// The database of kept requests. It is a separate file, so that it is in no backup, never blocks jobs, and shrinks after
// deletions.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Generated, Kysely, type Selectable } from 'kysely';
import type { KeptAnswer, KeptMark, KeptRequest } from '../../contract/index.js';
import { migrate, type Schema } from '../store/migrate.js';
import { openInThread } from '../store/thread-client.js';
import { createThreadDialect } from '../store/thread-driver.js';

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

export interface KeptFile {
  /** Creates the database if it does not exist. */
  open(): Promise<KeptDb>;
  /** Null if the database does not exist. */
  openExisting(): Promise<KeptDb | null>;
  /** Call it after a deletion. False if deleted data remains because another process is reading the database. */
  checkpoint(): Promise<boolean>;
  close(): Promise<void>;
}

const SCHEMA: Schema = {
  version: 1,
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

/**
 * Overwrites deleted data and returns the space to the system. A killed process loses nothing; a power cut may lose the last
 * requests, which is a fair price for not waiting for the disk.
 */
const PRAGMAS = [
  'busy_timeout = 0',
  'auto_vacuum = FULL',
  'journal_mode = WAL',
  'synchronous = NORMAL',
  'secure_delete = ON',
];
const NOTHING = () => {};

interface Opened {
  db: KeptDb;
  checkpoint(): Promise<boolean>;
  close(): Promise<void>;
}

export function createKeptFile(folder: string, openDatabase = openInThread): KeptFile {
  const file = join(folder, 'requests.db');
  let opening: Promise<Opened> | null = null;

  async function openNow(): Promise<Opened> {
    const client = openDatabase({ file, pragmas: PRAGMAS }, NOTHING);
    async function checkpoint(): Promise<boolean> {
      const { rows } = await client.ask(0, { kind: 'checkpoint' });
      return (rows[0] as { busy: number } | undefined)?.busy === 0;
    }
    const close = async () => void (await client.ask(0, { kind: 'close' }));
    const db = new Kysely<KeptTables>({
      dialect: createThreadDialect(client, { onWritten: NOTHING, onFault: NOTHING }),
    });
    try {
      await migrate(db, SCHEMA);
      return { db, checkpoint, close };
    } catch (error) {
      await close().catch(NOTHING);
      throw error;
    }
  }

  async function open(): Promise<KeptDb> {
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
    checkpoint: async () => (await (await opening)?.checkpoint()) ?? true,
    async close() {
      await opening?.then(({ close }) => close()).catch(NOTHING);
    },
  };
}

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
