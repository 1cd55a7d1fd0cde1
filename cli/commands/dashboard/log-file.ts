// What has no place on a screen that is drawn on goes to a file, which tells of this launch and of those before.
import { appendFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, toNotWritable } from '../../../lib/sdk/index.js';

export interface LogFile {
  readonly path: string;
  append(text: string): void;
}

const LIMIT_BYTES = 1024 ** 2;

/** A log that has grown long is put aside, where the one before it was. */
export function openLogFile(folder: string, name: string): LogFile {
  const path = join(folder, `${name}.log`);
  const append = (text: string) => appendFileSync(path, `${new Date().toISOString()} ${text}\n`);
  makeFolder(folder);
  try {
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LIMIT_BYTES)
      renameSync(path, join(folder, `${name}.1.log`));
    append(`svc ${name} begins, process ${process.pid}.`);
  } catch (error) {
    throw toNotWritable(error, path);
  }
  return { path, append };
}
