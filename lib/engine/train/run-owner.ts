// Keeps an attempt at a run from saving anything once another one has begun: a trainer that outlived whoever started
// it, or was thought dead, changes nothing.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The name of the file, in a run's folder, that holds the number of the attempt that may save. */
const ATTEMPT_FILE = 'attempt';

/** Throws once the folder belongs to another attempt. Without a number there is nothing to check. */
export function createOwnerCheck(folder: string, attempt: number | undefined): () => Promise<void> {
  if (attempt === undefined) return async () => {};
  return async () => {
    const current = await readFile(join(folder, ATTEMPT_FILE), 'utf8').catch(() => '');
    if (current.trim() !== String(attempt)) {
      throw new Error(`Attempt ${attempt} at this run is not the current one; nothing more is saved.`);
    }
  };
}
