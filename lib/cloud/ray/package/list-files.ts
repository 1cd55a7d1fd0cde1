// The files below a folder, sorted, as paths with forward slashes.
import { readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

export async function listFiles(folder: string, isWanted: (path: string) => boolean): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter(entry => entry.isFile())
    .map(entry => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter(isWanted)
    .sort();
}
