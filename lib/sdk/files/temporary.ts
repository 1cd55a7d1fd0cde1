// Temporary files, with errors that say what to do where there is no room for them.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toNotWritable } from './not-writable.js';

/** Runs `use` in a new folder, which is deleted afterward. */
export async function inTemporaryFolder<T>(name: string, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await explainTemporary(mkdtemp(join(tmpdir(), `${name}-`)));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The result of something that writes there. Errors that name a path elsewhere, such as one that is read, stay as they are. */
export async function explainTemporary<T>(written: Promise<T>): Promise<T> {
  return written.catch((error: NodeJS.ErrnoException) => {
    if (error.path && !error.path.startsWith(tmpdir())) throw error;
    throw toNotWritable(error, tmpdir(), 'set TMPDIR to another folder');
  });
}
