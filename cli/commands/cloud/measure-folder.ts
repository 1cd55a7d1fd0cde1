// How much disk a folder takes.
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

export interface Sizes {
  total: number;
  /** Sizes by name, largest first. */
  entries: Record<string, number>;
}

/** Sizes in total and per top-level entry. Files deleted while measuring count as 0. */
export async function measureFolder(folder: string): Promise<Sizes> {
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(
    names.map(async name => [name, await measure(join(folder, name))] as const),
  );
  const found = sizes.filter(([, bytes]) => bytes > 0).sort(([, a], [, b]) => b - a);
  return { total: found.reduce((sum, [, bytes]) => sum + bytes, 0), entries: Object.fromEntries(found) };
}

async function measure(path: string): Promise<number> {
  const entry = await lstat(path).catch(() => null);
  if (!entry?.isDirectory()) return entry?.size ?? 0;
  return (await measureFolder(path)).total;
}
