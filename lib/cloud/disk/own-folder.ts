// Ownership of a data folder: one cloud holds its lock, and only one user has access. The system releases the lock when the
// cloud's process ends.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { CloudError } from '../cloud-error.js';
import { acquireLock, type Lock } from '../store/sqlite.js';
import { createFolders } from './folders.js';

const lockFileOf = (folder: string) => join(folder, 'lock.db');

export interface FolderLock extends Lock {
  /**
   * Whether we still own the folder. Someone may have deleted the lock file, and another cloud may have created a new one.
   */
  confirm(): boolean;
}

/** Creates the folder if needed, readable by this user alone. Throws `folder_owned` if another process has it. */
export function ownFolder(folder: string): FolderLock {
  makePrivateFolder(folder);
  const lock = tryLock(folder);
  if (!lock) throw new CloudError('folder_owned', `Another process owns ${folder}.`);
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
function tryLock(folder: string): Lock | null {
  const path = lockFileOf(folder);
  try {
    return acquireLock(path);
  } catch (cause) {
    const { code = '' } = cause as { code?: string };
    const what = FAULTS[code] ?? (code.startsWith('SQLITE_IOERR') ? NO_LOCKS : CANNOT_OPEN);
    throw new CloudError('folder_locked', `${path} ${what}`, { cause });
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

/** `unusable`: if we cannot take the lock, neither can anyone else. */
function tryAgain(folder: string): Lock | 'owned' | 'unusable' {
  try {
    return tryLock(folder) ?? 'owned';
  } catch {
    return 'unusable';
  }
}

/** The inode tells whether it is another file of the same name. */
function identify(folder: string): string | null {
  const found = statSync(lockFileOf(folder), { throwIfNoEntry: false });
  return found ? `${found.dev} ${found.ino}` : null;
}

/** Names that a cloud creates in its folder, also those of files that it was killed at. */
const OURS =
  /^(?:(?:cloud|lock|requests|answers)\.db(?:-\w+)?|\.?(?:cloud|options|device|speeds)\.json.*|stopped|logs|models|backup-[0-9a-f]{12}(?:\.lock(?:-journal)?)?)$/;
const FOLDERS: ReadonlySet<unknown> = new Set(Object.values(createFolders('.')));

/**
 * The data folder holds keys, data sets and adapters, so only its user may read it. If others can, its mode is tightened, or
 * it is refused if it may contain unrelated files. On Windows, profile folders are private.
 */
export function makePrivateFolder(folder: string, { uid = process.getuid?.() } = {}): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (uid === undefined) return;
  const found = statSync(folder);
  if (found.uid !== uid) throw ownedByOther(folder);
  if (!isOpenToOthers(found)) return;
  if (!readdirSync(folder).every(name => OURS.test(name) || FOLDERS.has(name))) throw shared(folder, found);
  chmodSync(folder, 0o700);
  if (isOpenToOthers(statSync(folder))) throw withoutRights(folder);
}

function isOpenToOthers({ mode }: Stats): boolean {
  return (mode & 0o077) !== 0;
}

function ownedByOther(folder: string): CloudError {
  return new CloudError(
    'folder_shared',
    `${folder} belongs to another user, who could read the cloud's data. Use your own folder, such as a new one inside it: --data ${join(folder, 'svc')}`,
  );
}

function shared(folder: string, { mode }: Stats): CloudError {
  const rights = (mode & 0o777).toString(8);
  return new CloudError(
    'folder_shared',
    `Other users can open ${folder} (mode ${rights}), and it holds more than the cloud's data. Use a separate folder: --data ${join(folder, 'svc')}. If only the cloud uses it: chmod 700 ${folder}`,
  );
}

function withoutRights(folder: string): CloudError {
  return new CloudError(
    'folder_shared',
    `${folder} cannot be made private: its file system does not support permissions. Use a folder on another disk.`,
  );
}

export interface FolderOwner {
  /** Null if the system cannot tell. */
  pid: number | null;
}

/**
 * Asks the system which process runs a cloud on a data folder, in case `cloud.json` does not say. Null if there is none.
 * Throws `folder_locked` if the lock cannot be checked.
 */
export function findFolderOwner(folder: string): FolderOwner | null {
  const file = lockFileOf(folder);
  if (!existsSync(file)) return null;
  const lock = tryLock(folder);
  lock?.release();
  return lock ? null : { pid: findLockHolder(realpathSync(file)) };
}

/** Linux lists locks by inode, which can be ambiguous: the holder must also have this file open. */
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
