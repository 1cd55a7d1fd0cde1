// Makes a folder with those above it. One after the other: Node's own way never returns where the system says of a
// folder that is there that it is not, as it does in /proc.
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { toNotWritable } from './not-writable.js';

/** One that is there is left as it is. `elsewhere` is what else one can do where none can be made. */
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
