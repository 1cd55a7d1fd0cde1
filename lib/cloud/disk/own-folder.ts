// One cloud per data folder: the one that holds its lock. The system releases the lock when that process ends.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { acquireLock, type Lock } from '../store/sqlite.js';
import { makePrivateFolder } from './private-folder.js';

const lockFileOf = (folder: string) => join(folder, 'lock.db');

/** Another process owns the data folder. */
export class FolderOwnedError extends Error {
  override readonly name = 'FolderOwnedError';

  constructor(folder: string) {
    super(`Another process owns ${folder}.`);
  }
}

/** The lock cannot be taken, although nobody may hold it. The message says why and what to do. @internal */
export class FolderLockError extends Error {
  override readonly name = 'FolderLockError';
}

export interface FolderLock extends Lock {
  /**
   * Whether the folder is still ours. Someone may have deleted the lock file, and another cloud may have made a new
   * one.
   */
  confirm(): boolean;
}

/** Creates the folder if needed, for this user alone. */
export function ownFolder(folder: string): FolderLock {
  makePrivateFolder(folder);
  const lock = tryLock(folder);
  if (!lock) throw new FolderOwnedError(folder);
  return keepLock(folder, lock);
}

const DAMAGED = 'is damaged. It holds no data: delete it and try again.';
const CANNOT_OPEN = 'must be a file you can write to. It holds no data: delete it and try again.';
const NO_LOCKS = 'cannot be locked. Choose a folder on a local disk: --data DIR.';
const FULL = 'cannot be written: the disk is full. Free some space.';
const FAULTS: Readonly<Record<string, string>> = {
  SQLITE_NOTADB: DAMAGED,
  SQLITE_CORRUPT: DAMAGED,
  SQLITE_FULL: FULL,
};

/** Null if another process has it. */
export function tryLock(folder: string): Lock | null {
  const path = lockFileOf(folder);
  try {
    return acquireLock(path);
  } catch (cause) {
    const { code = '' } = cause as { code?: string };
    const what = FAULTS[code] ?? (code.startsWith('SQLITE_IOERR') ? NO_LOCKS : CANNOT_OPEN);
    throw new FolderLockError(`${path} ${what}`, { cause });
  }
}

function keepLock(folder: string, first: Lock): FolderLock {
  let lock = first;
  let held = identify(folder);
  return {
    release: () => lock.release(),
    confirm() {
      try {
        if (identify(folder) === held) return true;
        const next = tryAgain(folder);
        if (next === 'owned') return false;
        if (next === 'unusable') return true;
        lock.release();
        lock = next;
        held = identify(folder);
        return true;
      } catch {
        // An unreadable disk does not mean that another process owns the folder.
        return true;
      }
    },
  };
}

/** If we cannot take the lock, neither can anyone else. */
function tryAgain(folder: string): Lock | 'owned' | 'unusable' {
  try {
    return tryLock(folder) ?? 'owned';
  } catch {
    return 'unusable';
  }
}

/** The file number tells whether it is another file of the same name. */
function identify(folder: string): string | null {
  const found = statSync(lockFileOf(folder), { throwIfNoEntry: false });
  return found ? `${found.dev} ${found.ino}` : null;
}
