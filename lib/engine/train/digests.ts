// SHA-256 digests of files, of everything in a folder, and of a saved adapter.
import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { findDiskFault } from '../../system/index.js';
import { ADAPTER_FILES, DIGESTS } from '../run-layout.js';

export async function digestFile(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await addFile(hash, path, signal);
  return hash.digest('hex');
}

async function addFile(hash: Hash, path: string, signal?: AbortSignal): Promise<void> {
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024, ...(signal && { signal }) }))
    hash.update(chunk as Buffer);
}

/** Faults that say nothing about the file. */
const TRANSIENT = /^(?:EMFILE|ENFILE|EAGAIN|ENOMEM|ESTALE)$/;

/**
 * Stores the digests of a folder's files next to them, to detect damage later. `sha256sum --check` reads the same
 * format.
 */
export async function writeDigests(folder: string): Promise<void> {
  const lines: string[] = [];
  for (const name of await listFiles(folder)) lines.push(toLine(name, await digestFile(join(folder, name))));
  await writeFile(join(folder, DIGESTS), lines.join(''), { flush: true });
}

/** Whether the folder holds exactly the files whose digests were written, all unchanged. */
export async function isIntact(folder: string): Promise<boolean> {
  try {
    const lines = new Set((await readFile(join(folder, DIGESTS), 'utf8')).split(/(?<=\n)/));
    const names = await listFiles(folder);
    if (names.length !== lines.size) return false;
    for (const name of names)
      if (!lines.has(toLine(name, await digestFile(join(folder, name))))) return false;
    return true;
  } catch (error) {
    if (TRANSIENT.test(findDiskFault(error) ?? '')) throw error;
    // A file that cannot be read counts as damaged.
    return false;
  }
}

async function listFiles(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter(name => name !== DIGESTS).sort();
}

function toLine(name: string, sha256: string): string {
  return `${sha256}  ${name}\n`;
}

export interface SavedAdapter {
  name: string;
  kind: 'final' | 'checkpoint';
  step: number;
  bytes: number;
  sha256: string;
}

/**
 * Describes a saved adapter by its size and the digest of its files. Covers the adapter alone, without a checkpoint's
 * optimizer state.
 */
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
