// Writes a small file atomically: to a temporary file next to it, which is then renamed.
import { randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { rename } from '../../system/index.js';
import { makeFolder } from './make-folder.js';
import { toNotWritable } from './not-writable.js';

export async function replaceFile(path: string, content: string, mode = 0o644): Promise<void> {
  makeFolder(dirname(path), { mode: 0o700 });
  const partial = join(dirname(path), `.${basename(path)}.${randomBytes(4).toString('hex')}.tmp`);
  try {
    const file = await open(partial, 'wx', mode);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw toNotWritable(error, path);
  }
}
