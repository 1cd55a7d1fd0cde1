// Creates a folder and its parents, one at a time: Node's recursive mkdir never returns if the system reports an
// existing folder as missing, as it does in /proc.
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { toNotWritable } from './not-writable.js';

/** Leaves an existing folder alone. `elsewhere`: the alternative to suggest if the folder cannot be created. */
export function makeFolder(
  folder: string,
  { mode, elsewhere }: { mode?: number; elsewhere?: string | undefined } = {},
): void {
  try {
    make(folder, mode);
  } catch (error) {
    throw toNotWritable(error, folder, elsewhere);
  }
}

function make(folder: string, mode: number | undefined): void {
  try {
    mkdirSync(folder, mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && !existsSync(dirname(folder))) {
      make(dirname(folder), mode);
      make(folder, mode);
    } else if (code !== 'EEXIST' || !statSync(folder).isDirectory()) throw error;
  }
}
