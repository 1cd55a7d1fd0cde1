// Where svc keeps what belongs to this user, and whether it can write there.
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { findHome } from '../../../lib/sdk/index.js';
import type { Check } from './check.js';

export { findHome };

export async function checkHome(home: string): Promise<Check> {
  const name = 'home';
  try {
    const existing = await findExisting(home);
    await access(existing, constants.W_OK | constants.X_OK);
    const message = existing === home ? home : `${home} (made at first use)`;
    return { name, status: 'ok', message, hint: null };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return {
      name,
      status: 'problem',
      message: `${home} cannot be written (${code})`,
      hint:
        code === 'ENOTDIR'
          ? 'A file is in its way: move that, or name another folder in SVC_HOME.'
          : 'Make it yours, or name another folder in SVC_HOME.',
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
