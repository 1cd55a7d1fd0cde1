// Whether svc can write where it has to: in the folder of this user's things, and in that of the project.
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { findHome } from '../../../lib/sdk/index.js';
import type { Check } from './check.js';

export { findHome };

export function checkHome(home: string): Promise<Check> {
  return checkWritable('home', home, 'name another folder in SVC_HOME');
}

export async function checkFolder(cwd: string): Promise<Check> {
  const check = await checkWritable('folder', join(cwd, '.svc'), 'work in another folder');
  return check.status === 'ok' ? { ...check, message: `${cwd} can be written` } : check;
}

async function checkWritable(name: string, folder: string, elsewhere: string): Promise<Check> {
  let existing = folder;
  try {
    existing = await findExisting(folder);
    await access(existing, constants.W_OK | constants.X_OK);
    const message = existing === folder ? folder : `${folder} (made at first use)`;
    return { name, status: 'ok', message, hint: null };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return {
      name,
      status: 'problem',
      message: `${folder} cannot be written (${code})`,
      hint:
        code === 'ENOTDIR'
          ? `A file is in its way: move that, or ${elsewhere}.`
          : `Make ${existing} yours, or ${elsewhere}.`,
    };
  }
}

/** The folder, or the nearest one above it that is there: what must be writable for it to be made. */
async function findExisting(folder: string): Promise<string> {
  try {
    if ((await stat(folder)).isDirectory()) return folder;
    throw Object.assign(new Error(folder), { code: 'ENOTDIR' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return findExisting(dirname(folder));
  }
}
