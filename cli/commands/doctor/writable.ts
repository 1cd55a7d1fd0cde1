// Whether svc can write to its home folder and to the project's folder.
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { explainNotWritable, findExisting, findHome, IN_HOME } from '../../../lib/sdk/index.js';
import type { Check } from './check.js';

export { findHome };

export function checkHome(home: string): Promise<Check> {
  return checkWritable('home', home, IN_HOME);
}

export async function checkFolder(cwd: string): Promise<Check> {
  const check = await checkWritable('folder', join(cwd, '.svc'), 'work in another folder');
  return check.status === 'ok' ? { ...check, message: `${cwd} is writable` } : check;
}

async function checkWritable(name: string, folder: string, elsewhere: string): Promise<Check> {
  const existing = findExisting(folder);
  try {
    // The `/.` makes this fail for anything but a folder.
    await access(`${existing}/.`, constants.W_OK | constants.X_OK);
  } catch (error) {
    const told = explainNotWritable(error, folder, elsewhere);
    if (!told) throw error;
    return { name, status: 'problem', message: told.fault, hint: told.remedy };
  }
  const message = existing === folder ? folder : `${folder} (created on first use)`;
  return { name, status: 'ok', message, hint: null };
}
