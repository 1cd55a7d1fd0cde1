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

/**
 * Creates a folder, and leaves an existing one alone. `elsewhere`: the alternative to suggest if it cannot be created.
 */
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

/**
 * One folder at a time: Node's recursive mkdir never returns if the system reports an existing folder as missing, as it
 * does in /proc.
 */
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

/** Writes a small file atomically, in a folder that is made if needed. */
export async function replaceFile(path: string, content: string, mode?: number): Promise<void> {
  makeFolder(dirname(path), { mode: 0o700 });
  await replace(path, content, mode).catch(error => {
    throw toNotWritable(error, path);
  });
}
