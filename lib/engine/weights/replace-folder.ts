// Writes a folder completely or not at all: under a temporary name, synced, then renamed.
import { mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { rename, syncFolder, temporaryNameFor, writeSynced } from '../../system/index.js';
import { WeightsError } from './weights-error.js';

/**
 * Writes or replaces the folder with these files. A folder with any other file is not replaced, so that nothing else is
 * lost.
 */
export async function replaceFolder(
  path: string,
  files: Record<string, Iterable<Uint8Array>>,
): Promise<void> {
  await checkReplaceable(path, Object.keys(files));
  const temporary = temporaryNameFor(path);
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
    if (error.code === 'ENOTDIR') throw new WeightsError(path, 'is a file, not a folder');
    throw error;
  });
  const foreign = names.find(name => !ours.includes(name));
  if (foreign !== undefined)
    throw new WeightsError(path, `is not replaced: it has ${foreign}, which would be lost`);
}

/** Moves the new folder into place. The old one is deleted only after that. */
async function swapFolder(fresh: string, path: string): Promise<void> {
  const old = temporaryNameFor(path);
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
