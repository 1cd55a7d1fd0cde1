// Turns an unpacked backup into a cloud's data folder. Existing data is moved aside, never deleted.
import { chmod, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { CloudError } from '../cloud-error.js';
import { unpackPrefix } from '../disk/folders.js';
import { ownFolder } from '../disk/own-folder.js';
import { makeTemporaryFolder, removeLeftFolders, type TemporaryFolder } from '../disk/temporary-folder.js';
import { openDb } from '../store/db.js';
import { DAMAGED, toStorageFault } from '../store/storage-fault.js';
import { backupError, DATABASE, takeManifest } from './manifest.js';

interface Installation {
  /** The unpacked backup; it becomes `folder`. */
  unpacked: string;
  folder: string;
  /** Moves existing data aside. */
  replace: boolean;
  now?: Date;
}

/** A folder for unpacking a backup, on the same disk as the data folder. */
export async function makeUnpackFolder(folder: string): Promise<TemporaryFolder> {
  await removeLeftFolders(unpackPrefix(folder));
  return makeTemporaryFolder(unpackPrefix(folder));
}

/**
 * Returns where the previous data is now, or null if there was none. Throws `folder_owned` if a cloud is running
 * on the folder.
 */
export async function installBackup(installation: Installation): Promise<string | null> {
  const { unpacked, folder, replace, now = new Date() } = installation;
  await check(unpacked);
  const lock = ownFolder(folder);
  try {
    const isEmpty = (await readdir(folder)).every(name => name.startsWith('lock.db'));
    if (!isEmpty && !replace) throw folderTaken(folder);
    const aside = `${folder}.before-${now.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
    await rename(folder, aside);
    await rename(unpacked, folder).catch(async error => {
      await rename(aside, folder);
      throw error;
    });
    if (!isEmpty) return aside;
    await rm(aside, { recursive: true });
    return null;
  } finally {
    lock.release();
  }
}

/** Throws if a cloud could not start on it. */
async function check(unpacked: string): Promise<void> {
  await takeManifest(unpacked);
  await chmod(unpacked, 0o700);
  if (!(await isIntact(join(unpacked, DATABASE))))
    throw backupError('The database in this backup is damaged.');
}

async function isIntact(file: string): Promise<boolean> {
  try {
    const db = await openDb(file);
    try {
      const { rows } = await sql<{ integrity_check: string }>`PRAGMA integrity_check(1)`.execute(db);
      return rows[0]?.integrity_check === 'ok';
    } finally {
      await db.destroy();
    }
  } catch (error) {
    if (toStorageFault(error)?.problem === DAMAGED) return false;
    throw error;
  }
}

function folderTaken(folder: string): CloudError {
  return backupError(
    `${folder} holds data already. Pass --replace to move it aside and restore the backup there.`,
  );
}
