// What batches and uploads in parts leave behind when the cloud is killed as they end.
import { join } from 'node:path';
import { UNFINISHED_BATCHES } from '../../contract/index.js';
import type { Db } from '../store/db.js';
import { listNames } from './files.js';
import type { Folders } from './folders.js';

/** Results of ended batches, which are files now. */
export async function findBatchLeftovers(db: Db, folders: Folders): Promise<string[]> {
  const names = await listNames(folders.batches);
  if (names.length === 0) return [];
  const rows = await db
    .selectFrom('batches')
    .select('id')
    .where('status', 'in', UNFINISHED_BATCHES)
    .execute();
  return without(names, rows).map(folders.batch);
}

/** The parts of uploads that have ended or expired. */
export async function findPartLeftovers(db: Db, folders: Folders, now: Date): Promise<string[]> {
  const names = await listNames(folders.parts);
  if (names.length === 0) return [];
  const rows = await db
    .selectFrom('uploads')
    .select('id')
    .where('status', '=', 'pending')
    .where('expires_at', '>', now.toISOString())
    .execute();
  return without(names, rows).map(name => join(folders.parts, name));
}

function without(names: readonly string[], rows: readonly { id: string }[]): string[] {
  const needed = new Set(rows.map(({ id }) => id));
  return names.filter(name => !needed.has(name));
}
