// The files that svc keeps for a user and in a project: where they are, and how they are written.
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { replaceFile as replace } from '../../system/index.js';
import { toNotWritable } from './not-writable.js';

export type Env = Readonly<Record<string, string | undefined>>;

/** `SVC_HOME`, or `.svc` in the home folder. */
export function findHome({ SVC_HOME }: Env): string {
  return SVC_HOME ? resolve(SVC_HOME) : join(homedir(), '.svc');
}

interface FolderOptions {
  mode?: number;
  /** The alternative to suggest if it cannot be created. */
  elsewhere?: string | undefined;
  /** A folder around it that has to exist. Default: none; all missing parents are made. */
  within?: string | undefined;
}

/** Creates a folder, and leaves an existing one alone. */
export function makeFolder(folder: string, { mode, elsewhere, within }: FolderOptions = {}): void {
  try {
    make(folder, mode, within);
  } catch (error) {
    throw toNotWritable(error, folder, elsewhere);
  }
}

/**
 * One folder at a time: Node's recursive mkdir never returns if the system reports an existing folder as missing, as it
 * does in /proc.
 */
function make(folder: string, mode: number | undefined, within: string | undefined): void {
  try {
    mkdirSync(folder, mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const parent = dirname(folder);
    if (code === 'ENOENT' && parent !== within && !existsSync(parent)) {
      make(parent, mode, within);
      make(folder, mode, within);
    } else if (code !== 'EEXIST' || !statSync(folder).isDirectory()) throw error;
  }
}

/** Writes a small file atomically, in a folder that is made if needed. `within`: see `FolderOptions`. */
export async function replaceFile(
  path: string,
  content: string,
  mode?: number,
  within?: string,
): Promise<void> {
  makeFolder(dirname(path), { mode: 0o700, within });
  await replace(path, content, mode).catch(error => {
    throw toNotWritable(error, path);
  });
}
