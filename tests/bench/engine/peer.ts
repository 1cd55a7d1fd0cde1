// The same rows and labels through PyTorch and PEFT, where a Python that has them is on the machine.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Example } from '../../../lib/engine/train/packing.js';

const run = promisify(execFile);
const script = fileURLToPath(new URL('peer-pytorch.py', import.meta.url));

/** Tokens a second, or null where there is no such Python. */
export async function measurePeer(folder: string, examples: readonly Example[]): Promise<number | null> {
  try {
    await run('python3', ['-c', 'import torch, transformers, peft']);
  } catch {
    return null;
  }
  const rows = join(folder, 'rows.json');
  const lists = examples.map(({ ids, supervised }) => ({
    ids: Array.from(ids),
    supervised: Array.from(supervised),
  }));
  await writeFile(rows, JSON.stringify(lists));
  const { stdout } = await run('python3', [script, folder, rows, '6'], { maxBuffer: 1e7 });
  return (JSON.parse(stdout.trim().split('\n').at(-1)!) as { tokensPerSecond: number }).tokensPerSecond;
}
