// What cannot be printed over the dashboard goes to a log file, which also keeps earlier launches.
import { appendFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, toNotWritable } from '../../../lib/sdk/index.js';

interface LogFile {
  readonly path: string;
  append(text: string): void;
}

const LIMIT_BYTES = 1024 ** 2;

/** Rotates a long log, replacing the previously rotated one. */
export function openLogFile(folder: string, name: string): LogFile {
  const path = join(folder, `${name}.log`);
  const append = (text: string) => appendFileSync(path, `${new Date().toISOString()} ${text}\n`);
  makeFolder(folder);
  try {
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LIMIT_BYTES)
      renameSync(path, join(folder, `${name}.1.log`));
    append(`svc ${name} started (process ${process.pid}).`);
  } catch (error) {
    throw toNotWritable(error, path);
  }
  return { path, append };
}
