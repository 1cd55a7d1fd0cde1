// Temporary files, with errors that say what to do where there is no room for them.
import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hasEnded, nameProcess } from '../processes.js';
import { toNotWritable } from './not-writable.js';

/** Runs `use` in a new folder, which is deleted afterward. */
export async function inTemporaryFolder<T>(name: string, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await makeTemporaryFolder(name);
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Also removes what processes left there that ended before they could. */
export async function makeTemporaryFolder(name: string): Promise<string> {
  await removeLeftFolders(`${name}-`);
  return explainTemporary(mkdtemp(join(tmpdir(), `${name}-${nameProcess()}-`)));
}

/** What `mkdtemp` adds. */
const UNIQUE = /-\w{6}$/;

/** Others may use the temporary folder, too: what is not this user's, or cannot be removed, stays. */
async function removeLeftFolders(start: string): Promise<void> {
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    if (!name.startsWith(start) || !hasEnded(name.slice(start.length).replace(UNIQUE, ''))) continue;
    const path = join(tmpdir(), name);
    const found = await lstat(path).catch(() => null);
    const isOwn = found?.isDirectory() && (!process.getuid || found.uid === process.getuid());
    if (isOwn) await rm(path, { recursive: true, force: true }).catch(() => {});
  }
}

/** The result of something that writes there. Errors that name a path elsewhere, such as one that is read, stay as they are. */
export async function explainTemporary<T>(written: Promise<T>): Promise<T> {
  return written.catch((error: NodeJS.ErrnoException) => {
    if (error.path && !error.path.startsWith(tmpdir())) throw error;
    throw toNotWritable(error, tmpdir(), 'set TMPDIR to another folder');
  });
}
