// The same rows and labels through PyTorch, where a Python that has it is on the machine.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Example } from '../../../lib/engine/train/packing.js';
import { findPython } from '../../support/python.js';

const run = promisify(execFile);
const script = fileURLToPath(new URL('peer-pytorch.py', import.meta.url));
const ROUNDS = 6;

export interface Peer {
  /** What it is, with its version. */
  peer: string;
  tokensPerSecond: number;
}

/** Null where there is no such Python. */
export async function measurePeer(folder: string, examples: readonly Example[]): Promise<Peer | null> {
  const python = await findPython('torch');
  if (!python) return null;
  const rows = join(folder, 'rows.json');
  const lists = examples.map(({ ids, supervised }) => ({
    ids: Array.from(ids),
    supervised: Array.from(supervised, Number),
  }));
  await writeFile(rows, JSON.stringify(lists));
  const { stdout } = await run(python, [script, folder, rows, String(ROUNDS)], { maxBuffer: 1e7 });
  return JSON.parse(stdout.trim().split('\n').at(-1)!) as Peer;
}
