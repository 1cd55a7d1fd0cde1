import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Found from below, as a test's program may be a bundle elsewhere in the repository. */
export const repositoryRoot = findRoot(import.meta.dirname);

function findRoot(folder: string): string {
  return existsSync(join(folder, 'package-lock.json')) ? folder : findRoot(dirname(folder));
}
