// One cloud a data folder: whoever holds its lock, which the system frees when that process ends.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { acquireLock, type Lock } from '../store/sqlite.js';

/** Another process owns the data folder. */
export class FolderOwnedError extends Error {
  override readonly name = 'FolderOwnedError';

  constructor(folder: string) {
    super(`Another process owns ${folder}.`);
  }
}

/** Makes the folder where there is none, for this user alone. */
export function ownFolder(folder: string): Lock {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = acquireLock(join(folder, 'lock.db'));
  if (!lock) throw new FolderOwnedError(folder);
  return lock;
}
