// Keeps an attempt at a run from saving after a newer attempt has started, so that a trainer that was presumed dead
// changes nothing.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OWNER_FILE } from '../run-layout.js';

/** The check throws once the folder belongs to another attempt; without an attempt number, it never does. */
export function createOwnerCheck(folder: string, attempt: number | undefined): () => Promise<void> {
  if (attempt === undefined) return async () => {};
  return async () => {
    const current = await readFile(join(folder, OWNER_FILE), 'utf8').catch(() => '');
    if (current.trim() !== String(attempt)) {
      throw new Error(`Attempt ${attempt} at this run was superseded, so it saves nothing more.`);
    }
  };
}
