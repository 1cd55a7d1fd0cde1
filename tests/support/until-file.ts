// Waits until a file is there with something in it, and reads it.
import { existsSync, watch } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { unlessMissing } from '../../lib/system/index.js';
import { untilFound } from './in-time.js';

export function untilFile(path: string): Promise<string> {
  const folder = dirname(path);
  return untilFound(() => unlessMissing(readFile(path, 'utf8'), ''), {
    // Without a folder there is nothing to watch: it is polled.
    ...(existsSync(folder) && { on: (look: () => void) => onChange(folder, look) }),
    beside: async () => `in ${folder}: ${(await readdir(folder)).join(', ') || 'nothing'}`,
  });
}

function onChange(folder: string, look: () => void): () => void {
  const watcher = watch(folder, look);
  return () => watcher.close();
}
