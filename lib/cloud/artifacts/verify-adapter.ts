// Checks a saved adapter against the digest that its job reported: when it is first served, and again when its files
// change.
import type { FileReader } from '../../engine/index.js';
import { statAdapter } from './adapter-damage.js';

/** `caller` is the organization that waits for it. */
export type IsIntact = (folder: string, sha256: string, caller: string) => Promise<boolean>;

export function createAdapterVerifier(files: FileReader): IsIntact {
  const known = new Map<string, { version: string; intact: Promise<boolean> }>();

  async function compare(folder: string, sha256: string, caller: string): Promise<boolean> {
    return (await files.run('digestAdapter', { folder }, { caller })) === sha256;
  }

  return async (folder, sha256, caller) => {
    const version = (await statAdapter(folder))?.version ?? 'missing';
    const last = known.get(folder);
    if (last?.version === version) return last.intact;
    const intact = compare(folder, sha256, caller);
    known.set(folder, { version, intact });
    // A read that failed now may succeed next time.
    intact.catch(() => known.delete(folder));
    return intact;
  };
}
