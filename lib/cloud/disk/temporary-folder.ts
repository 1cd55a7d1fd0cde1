// Folders that exist while a process works in them. Each has a lock file next to it, which the system releases when
// that process ends. Folders without an owner were left by a killed process and are removed.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Collected } from '../../contract/index.js';
import { acquireLock, type Lock } from '../store/sqlite.js';
import { addUp, listNames, noGarbage, removeAll } from './files.js';

export interface TemporaryFolder {
  path: string;
  /** Removes it if it still exists. */
  remove(): Promise<void>;
}

const LOCK = '.lock';
const ID = /^[0-9a-f]{12}$/;

/** `start`: its path up to the unique part. */
export async function makeTemporaryFolder(start: string): Promise<TemporaryFolder> {
  for (;;) {
    const path = `${start}${randomBytes(6).toString('hex')}`;
    await mkdir(dirname(path), { recursive: true });
    const lock = acquireLock(path + LOCK);
    // Another process removed it as a leftover between creation and locking.
    if (!lock || !existsSync(path + LOCK)) {
      lock?.release();
      continue;
    }
    try {
      await mkdir(path, { mode: 0o700 });
    } catch (error) {
      await removeLock(path, lock);
      throw error;
    }
    return {
      path,
      async remove() {
        await rm(path, { recursive: true, force: true });
        await removeLock(path, lock);
      },
    };
  }
}

/** Removes folders with this prefix that no process is using. */
export async function removeLeftFolders(start: string): Promise<Collected> {
  const prefix = basename(start);
  const names = (await listNames(dirname(start))).filter(name => name.startsWith(prefix));
  const ids = new Set(names.map(name => name.slice(prefix.length).replace(/\.lock(?:-journal)?$/, '')));
  const removed: Collected[] = [];
  for (const id of ids) if (ID.test(id)) removed.push(await removeIfLeft(start + id));
  return addUp(removed);
}

async function removeIfLeft(path: string): Promise<Collected> {
  const lock = tryLock(path);
  if (!lock) return noGarbage;
  const removed = await removeAll([path]);
  await removeLock(path, lock);
  return removed;
}

/** Without file locks, it is unknown whether the folder has an owner. */
function tryLock(path: string): Lock | null {
  try {
    return acquireLock(path + LOCK);
  } catch {
    return null;
  }
}

async function removeLock(path: string, lock: Lock): Promise<void> {
  lock.release();
  for (const ending of [LOCK, `${LOCK}-journal`]) await rm(path + ending, { force: true });
}
