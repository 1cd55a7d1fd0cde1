// `.svc/state.json`: which organisation and project of the cloud a folder is. Nobody's file is ever replaced.
import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import { type StateFile, stateFile } from '../../contract/index.js';
import { readJsonFile } from '../files/read-json.js';
import { replaceFile } from '../files/replace-file.js';

export const statePath = (folder: string) => join(folder, '.svc', 'state.json');

/** Null when there is none. */
export async function readState(folder: string): Promise<StateFile | null> {
  return readJsonFile(statePath(folder), stateFile, 'state_invalid');
}

export async function writeState(folder: string, state: StateFile): Promise<void> {
  await replaceFile(statePath(folder), `${JSON.stringify(state, null, 2)}\n`);
}

/** The folder's name and four digits of its path: the same folder gives the same slug, another one another. */
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
