// `.svc/state.json`: the organization and project a folder belongs to. An existing file is never replaced.
import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { type StateFile, stateFile } from '../../contract/index.js';
import { readJsonFile } from '../files/read-json.js';
import { replaceFile } from '../files/replace-file.js';

export const statePath = (folder: string) => join(folder, '.svc', 'state.json');

/** Null if there is none. */
export async function readState(folder: string): Promise<StateFile | null> {
  return readJsonFile(statePath(folder), stateFile, 'state_invalid');
}

export async function writeState(folder: string, state: StateFile): Promise<void> {
  await replaceFile(statePath(folder), `${JSON.stringify(state, null, 2)}\n`);
}

/** The folder's name plus four hex digits of its path's hash, so that each folder gets its own stable slug. */
export function projectSlugOf(folder: string): string {
  const name = basename(folder)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 45)
    .replace(/-+$/, '');
  const digits = createHash('sha256').update(folder).digest('hex').slice(0, 4);
  return `${name || 'project'}-${digits}`;
}
