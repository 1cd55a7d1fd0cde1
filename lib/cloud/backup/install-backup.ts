// Turns an unpacked backup into a cloud's data folder. Existing data is moved aside, never deleted; what is the machine's own
// stays in place.
import { chmod, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import { cloudFileIn, stopMarkIn, unlessMissing } from '../../system/index.js';
import type { CloudError } from '../cloud-error.js';
import { createFolders, followLinks, unpackPrefix } from '../disk/folders.js';
import { ownFolder } from '../disk/own-folder.js';
import { makeTemporaryFolder, removeLeftFolders, type TemporaryFolder } from '../disk/temporary-folder.js';
import { openDb } from '../store/db.js';
import { hasOwnTables } from '../store/own-tables.js';
import { DAMAGED, toStorageFault } from '../store/storage-fault.js';
import { backupError, DATABASE, takeManifest } from './manifest.js';

interface Installation {
  /** The unpacked backup; it becomes `folder`. */
  unpacked: string;
  folder: string;
  /** Moves existing data aside. */
  replace: boolean;
  /** Nothing is changed if it is aborted before the backup is checked. */
  signal?: AbortSignal;
  now?: Date;
}

/**
 * What a data folder has of its machine: base models and their rounded weights, what was measured, the port and secret of the
 * cloud, and that it was stopped.
 */
const OF_MACHINE = [
  ...['models', 'device.json', 'speeds.json'],
  ...[createFolders('').rounded, cloudFileIn(''), stopMarkIn('')],
];

/** A folder for unpacking a backup, on the same disk as the data folder. */
export async function makeUnpackFolder(folder: string): Promise<TemporaryFolder> {
  if (await isMountPoint(followLinks(folder))) throw notReplaceable(folder);
  await removeLeftFolders(unpackPrefix(folder));
  return makeTemporaryFolder(unpackPrefix(folder));
}

/**
 * Returns where the previous data is now, or null if there was none. Throws `folder_owned` if a cloud is running
 * on the folder.
 */
export async function installBackup(installation: Installation): Promise<string | null> {
  const { unpacked, replace, signal, now = new Date() } = installation;
  const folder = followLinks(installation.folder);
  await check(unpacked, signal);
  const lock = ownFolder(folder);
  try {
    const isEmpty = (await readdir(folder)).every(name => name.startsWith('lock.db'));
    if (!isEmpty && !replace) throw folderTaken(folder);
    const aside = `${folder}.before-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
    await rename(folder, aside).catch(error => {
      throw (error as NodeJS.ErrnoException).code === 'EBUSY' ? notReplaceable(folder) : error;
    });
    await rename(unpacked, folder).catch(async error => {
      await rename(aside, folder);
      throw error;
    });
    if (isEmpty) {
      await rm(aside, { recursive: true });
      return null;
    }
    // After the exchange, so that a process that is killed leaves each of them with one of the two.
    for (const name of OF_MACHINE) await moveBack(join(aside, name), join(folder, name));
    return aside;
  } finally {
    lock.release();
  }
}

/** What cannot be moved, such as a mounted disk, stays with the data moved aside. */
async function moveBack(from: string, to: string): Promise<void> {
  await rename(from, to).catch(() => {});
}

/** True for a disk that is mounted there: it has another device than the folder above it. */
async function isMountPoint(folder: string): Promise<boolean> {
  const own = await unlessMissing(stat(folder), null);
  return own !== null && own.dev !== (await stat(dirname(folder))).dev;
}

/** Throws if a cloud could not start on it. */
async function check(unpacked: string, signal: AbortSignal | undefined): Promise<void> {
  const { version } = await takeManifest(unpacked, signal);
  await chmod(unpacked, 0o700);
  const tables = await inspect(unpacked);
  if (tables === 'damaged') throw backupError('The database in this backup is damaged.');
  if (tables === 'other')
    throw backupError(
      `This backup was made by svc ${version}, whose database this svc cannot read. Restore it with that version.`,
    );
  signal?.throwIfAborted();
}

async function inspect(unpacked: string): Promise<'whole' | 'damaged' | 'other'> {
  try {
    if (!(await hasOwnTables(unpacked))) return 'other';
    const db = await openDb(join(unpacked, DATABASE));
    try {
      const { rows } = await sql<{ integrity_check: string }>`PRAGMA integrity_check(1)`.execute(db);
      return rows[0]?.integrity_check === 'ok' ? 'whole' : 'damaged';
    } finally {
      await db.destroy();
    }
  } catch (error) {
    if (toStorageFault(error)?.problem === DAMAGED) return 'damaged';
    throw error;
  }
}

function folderTaken(folder: string): CloudError {
  return backupError(
    `${folder} holds data already. Pass --replace to move it aside and restore the backup there.`,
  );
}

function notReplaceable(folder: string): CloudError {
  return backupError(
    `${folder} is a mount point, which cannot be replaced. Restore to a folder in it: --data ${join(folder, 'svc')}`,
  );
}
