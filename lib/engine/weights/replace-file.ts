// Files and folders that are there as a whole or not at all: written under a temporary name, synced, renamed.
import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { rename, syncFolder } from '../../system/index.js';
import { WeightsError } from './weights-error.js';

const pieceBytes = 1024 ** 3;

/** Writes these bytes as the file, in place of what was there. Its folder must exist. */
export async function replaceFile(path: string, chunks: Iterable<Uint8Array>): Promise<void> {
  const temporary = besides(path);
  try {
    await writeSynced(temporary, chunks);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/**
 * Makes the folder out of these files. What was there is replaced, if it held nothing but files of these names:
 * nothing that somebody else put there is lost.
 */
export async function replaceFolder(
  path: string,
  files: Record<string, Iterable<Uint8Array>>,
): Promise<void> {
  await checkReplaceable(path, Object.keys(files));
  const temporary = besides(path);
  try {
    await mkdir(temporary, { recursive: true });
    for (const [name, chunks] of Object.entries(files)) await writeSynced(join(temporary, name), chunks);
    await syncFolder(temporary);
    await swapFolder(temporary, path);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

async function checkReplaceable(path: string, ours: string[]): Promise<void> {
  const names = await readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    if (error.code === 'ENOTDIR') throw new WeightsError(path, 'is a file: a folder is to be written there');
    throw error;
  });
  const foreign = names.find(name => !ours.includes(name));
  if (foreign !== undefined)
    throw new WeightsError(path, `is not replaced: it holds ${foreign}, which would be lost`);
}

/** Puts the new folder in the place of the old one, which is deleted only when that is done. */
async function swapFolder(fresh: string, path: string): Promise<void> {
  const old = besides(path);
  const wasThere = await rename(path, old).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
  try {
    await rename(fresh, path);
  } catch (error) {
    if (wasThere) await rename(old, path);
    throw error;
  }
  await rm(old, { recursive: true, force: true });
}

async function writeSynced(path: string, chunks: Iterable<Uint8Array>): Promise<void> {
  const handle = await open(path, 'wx');
  try {
    for (const chunk of chunks) await writeAll(handle, chunk);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function writeAll(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let done = 0; done < chunk.length; ) {
    const length = Math.min(pieceBytes, chunk.length - done);
    done += (await handle.write(chunk, done, length)).bytesWritten;
  }
}

function besides(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomUUID().slice(0, 8)}.tmp`);
}
