// Waits until a file is there with something in it, and reads it.
import { existsSync, watch } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { untilFound } from './in-time.js';

export function untilFile(path: string): Promise<string> {
  const folder = dirname(path);
  return untilFound(() => readFile(path, 'utf8').catch(unlessMissing), {
    // Without a folder there is nothing to watch: it is polled.
    ...(existsSync(folder) && { on: (look: () => void) => onChange(folder, look) }),
    beside: async () => `in ${folder}: ${(await readdir(folder)).join(', ') || 'nothing'}`,
  });
}

function onChange(folder: string, look: () => void): () => void {
  const watcher = watch(folder, look);
  return () => watcher.close();
}

function unlessMissing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '';
  throw error;
}
