// Describes a saved adapter by its size and the digest of its files.
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ADAPTER_FILES } from '../run-layout.js';
import { addFile } from './digest-file.js';

export interface SavedAdapter {
  name: string;
  kind: 'final' | 'checkpoint';
  step: number;
  bytes: number;
  sha256: string;
}

/** Covers the adapter alone, without a checkpoint's optimizer state. */
export async function describeAdapter(
  folder: string,
  kind: SavedAdapter['kind'],
  step: number,
): Promise<SavedAdapter> {
  const hash = createHash('sha256');
  let bytes = 0;
  for (const file of ADAPTER_FILES) {
    const path = join(folder, file);
    hash.update(`${file}\0`);
    await addFile(hash, path);
    bytes += (await stat(path)).size;
  }
  return { name: basename(folder), kind, step, bytes, sha256: hash.digest('hex') };
}
