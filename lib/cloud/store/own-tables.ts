// Whether this svc can open the database of a data folder, even while a cloud of another version runs on it.
import { join } from 'node:path';
import { queryOnce } from './db.js';
import { SCHEMA } from './schema.js';

export async function hasOwnTables(folder: string): Promise<boolean> {
  const file = join(folder, 'cloud.db');
  const [found] = await queryOnce<{ user_version: number }>(file, 'PRAGMA user_version', []);
  return found!.user_version === SCHEMA.version;
}
