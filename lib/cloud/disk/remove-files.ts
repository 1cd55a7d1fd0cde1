// Removes files and folders and reports how much space that freed. A file with other hard links frees none.
import { lstat, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Collected } from '../../contract/index.js';

export const noGarbage: Collected = { files: 0, bytes: 0 };

export async function removeAll(paths: readonly string[]): Promise<Collected> {
  const total = { ...noGarbage };
  for (const path of paths) {
    const { files, bytes } = await measure(path);
    await rm(path, { recursive: true, force: true });
    total.files += files;
    total.bytes += bytes;
  }
  return total;
}

export function addUp(parts: readonly Collected[]): Collected {
  return {
    files: parts.reduce((sum, { files }) => sum + files, 0),
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** The names in a folder; empty if it does not exist. */
export async function listNames(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}

async function measure(path: string): Promise<Collected> {
  const found = await lstat(path).catch(() => null);
  if (!found) return noGarbage;
  if (!found.isDirectory()) return { files: 1, bytes: found.nlink > 1 ? 0 : found.size };
  return addUp(await Promise.all((await listNames(path)).map(name => measure(join(path, name)))));
}
