// Tracks adapters that cannot be used. Missing files and changed sizes are cheap to detect; damage that only the engine
// finds when it reads the files is remembered until they change.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError } from '../../contract/index.js';
import { ADAPTER_FILES, type FileReader } from '../../engine/index.js';
import { isMissing } from '../../system/index.js';

/** `seen` by checking sizes, or `found` by the engine; null if no damage is known. */
export type Damage = 'seen' | 'found' | null;

export function watchDamage() {
  const found = new Map<string, string>();
  return {
    /** `bytes`: the total size of its files. */
    async look(folder: string, bytes: number): Promise<Damage> {
      const files = await statAdapter(folder);
      if (files?.bytes !== bytes) return 'seen';
      return found.get(folder) === files.version ? 'found' : null;
    },
    /** Records that the engine could not read it. */
    async note(folder: string): Promise<void> {
      const files = await statAdapter(folder);
      if (files) found.set(folder, files.version);
    },
  };
}

/** Null if a file is missing. The version changes whenever a file is written. */
export async function statAdapter(folder: string): Promise<{ bytes: number; version: string } | null> {
  try {
    const stats = await Promise.all(ADAPTER_FILES.map(file => stat(join(folder, file))));
    return {
      bytes: stats.reduce((sum, { size }) => sum + size, 0),
      version: stats.map(({ ino, size, mtimeMs }) => `${ino} ${size} ${mtimeMs}`).join('\n'),
    };
  } catch {
    return null;
  }
}

/** Retries get the same answer until someone repairs the adapter. */
export function adapterDamaged(): ApiError {
  return new ApiError(
    'adapter_damaged',
    'This adapter cannot be used: its files are damaged or missing in the cloud, or its values are too large. Use another checkpoint, or train again.',
    { headers: { 'x-should-retry': 'false' } },
  );
}

/** `caller` is the organization waiting for it. */
export type IsIntact = (folder: string, sha256: string, caller: string) => Promise<boolean>;

/** Compares an adapter with the digest that its job reported, when it is first served and whenever its files change. */
export function createAdapterVerifier(files: FileReader): IsIntact {
  const known = new Map<string, { version: string; intact: Promise<boolean> }>();

  async function compare(folder: string, sha256: string, caller: string): Promise<boolean> {
    try {
      return (await files.run('digestAdapter', { folder }, { caller })) === sha256;
    } catch (error) {
      // Deleted since the lookup.
      if (isMissing(error)) return false;
      throw error;
    }
  }

  return async (folder, sha256, caller) => {
    const version = (await statAdapter(folder))?.version ?? 'missing';
    const last = known.get(folder);
    if (last?.version === version) return last.intact;
    const intact = compare(folder, sha256, caller);
    known.set(folder, { version, intact });
    // A failed read may succeed next time.
    intact.catch(() => known.delete(folder));
    return intact;
  };
}
