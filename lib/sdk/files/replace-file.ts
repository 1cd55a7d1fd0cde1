// Writes a small file atomically, in a folder that is made if needed.
import { dirname } from 'node:path';
import { replaceFile as replace } from '../../system/index.js';
import { makeFolder } from './make-folder.js';
import { toNotWritable } from './not-writable.js';

export async function replaceFile(path: string, content: string, mode?: number): Promise<void> {
  makeFolder(dirname(path), { mode: 0o700 });
  await replace(path, content, mode).catch(error => {
    throw toNotWritable(error, path);
  });
}
