// Stores the digests of a folder's files next to them, to detect damage later. `sha256sum --check` reads the same format.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findDiskFault } from '../../system/index.js';
import { digestFile } from './digest-file.js';

export const DIGESTS = 'SHA256SUMS';
/** Faults that say nothing about the file. */
const TRANSIENT = /^(?:EMFILE|ENFILE|EAGAIN|ENOMEM|ESTALE)$/;
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
