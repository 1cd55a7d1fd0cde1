// A database file next to the cloud's own, for conversations: it is in no backup, never blocks jobs, and shrinks after
// deletions. It is created when something is first stored.
import { existsSync } from 'node:fs';
import { Kysely } from 'kysely';
import { migrate, type Schema } from './migrate.js';
import { openInThread } from './thread-client.js';
import { createThreadDialect } from './thread-driver.js';

export interface OwnFile<Tables> {
  /** Creates the database if it does not exist. */
  open(): Promise<Kysely<Tables>>;
  /** Null if the database does not exist. */
  openExisting(): Promise<Kysely<Tables> | null>;
  /** Call it after a deletion. False if deleted data remains because another process is reading the database. */
  checkpoint(): Promise<boolean>;
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

export function createOwnFile<Tables>(
  file: string,
  schema: Schema,
  openDatabase = openInThread,
): OwnFile<Tables> {
  let opening: Promise<Opened<Tables>> | null = null;

  async function openNow(): Promise<Opened<Tables>> {
    const client = openDatabase({ file, pragmas: PRAGMAS }, NOTHING);
    async function checkpoint(): Promise<boolean> {
      const { rows } = await client.ask(0, { kind: 'checkpoint' });
      return (rows[0] as { busy: number } | undefined)?.busy === 0;
    }
    const close = async () => void (await client.ask(0, { kind: 'close' }));
    const db = new Kysely<Tables>({
      dialect: createThreadDialect(client, { onWritten: NOTHING, onFault: NOTHING }),
    });
    try {
      await migrate(db, schema);
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
    checkpoint: async () => (await (await opening)?.checkpoint()) ?? true,
    async close() {
      await opening?.then(({ close }) => close()).catch(NOTHING);
    },
  };
}
