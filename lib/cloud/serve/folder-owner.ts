// Finds out from the system who runs a cloud on a data folder, in case its file does not lead to it.
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { tryLock } from '../disk/own-folder.js';

export interface FolderOwner {
  /** Null if the system does not tell. */
  pid: number | null;
}

/** Null if nobody does. Throws a `FolderLockError` if the lock cannot be checked. */
export function findFolderOwner(folder: string): FolderOwner | null {
  if (!existsSync(join(folder, 'lock.db'))) return null;
  const lock = tryLock(folder);
  lock?.release();
  return lock ? null : { pid: findLockHolder(realpathSync(join(folder, 'lock.db'))) };
}

/** Linux lists locks by file number, which can be ambiguous: the holder must also have this file open. */
function findLockHolder(path: string): number | null {
  try {
    const { ino } = statSync(path);
    const lines = readFileSync('/proc/locks', 'utf8').split('\n');
    const pids = lines
      .map(line => /\bPOSIX\s+\S+\s+WRITE\s+(\d+)\s+\S+:(\d+)\s/.exec(line))
      .filter(found => found?.[2] === String(ino))
      .map(found => Number(found![1]));
    return pids.find(pid => hasOpen(pid, path)) ?? null;
  } catch {
    return null;
  }
}

function hasOpen(pid: number, path: string): boolean {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).some(fd => readlink(join(folder, fd)) === path);
  } catch {
    return false;
  }
}

function readlink(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
