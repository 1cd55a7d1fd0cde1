// Whether a saved adapter is still what its job told, by the digest of its files: looked at when it is first served, and
// again when its files have changed.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileReader } from '../../engine/index.js';
import { ADAPTER_FILES } from './adapter-store.js';

export type IsIntact = (folder: string, sha256: string) => Promise<boolean>;

export function createAdapterVerifier(files: FileReader): IsIntact {
  const known = new Map<string, { version: string; intact: Promise<boolean> }>();

  async function compare(folder: string, sha256: string): Promise<boolean> {
    return (await files.run('digestAdapter', { folder })) === sha256;
  }

  return async (folder, sha256) => {
    const version = await readVersion(folder);
    const last = known.get(folder);
    if (last?.version === version) return last.intact;
    const intact = compare(folder, sha256);
    known.set(folder, { version, intact });
    // What could not be read now may be readable the next time.
    intact.catch(() => known.delete(folder));
    return intact;
  };
}

/** Changes whenever somebody writes to one of the files. */
async function readVersion(folder: string): Promise<string> {
  const stats = await Promise.all(ADAPTER_FILES.map(file => stat(join(folder, file)).catch(() => null)));
  return stats.map(found => (found ? `${found.ino} ${found.size} ${found.mtimeMs}` : 'missing')).join('\n');
}
