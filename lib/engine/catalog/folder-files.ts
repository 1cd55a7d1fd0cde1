// The files of a model's folder with their sizes. Links, as in the Hub's cache, count as what they lead to.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** More than any model has. */
const MOST_IN_FOLDER = 1000;

export async function listModelFiles(folder: string): Promise<{ name: string; size: number }[]> {
  const names = (await readdir(folder)).slice(0, MOST_IN_FOLDER);
  const found = await Promise.all(
    names.map(async name => ({ name, stats: await stat(join(folder, name)).catch(() => null) })),
  );
  return found.flatMap(({ name, stats }) => (stats?.isFile() ? [{ name, size: stats.size }] : []));
}
