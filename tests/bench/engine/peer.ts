// The same rows and labels through PyTorch, where a Python that has it is on the machine.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findPython } from '../../support/python.js';
import { type Measured, startMeasured } from './turns.js';

const script = fileURLToPath(new URL('peer-pytorch.py', import.meta.url));

export interface PeerIntroduction {
  /** What it is, with its version. */
  peer: string;
  tokens: number;
}

/** How PyTorch computes: in float32, in bfloat16 where autocast chooses it, or with weights in bfloat16; or those named. */
export const PRECISIONS = (['float32', 'autocast', 'bfloat16'] as const).filter(
  precision => process.env.SVC_BENCH_PRECISIONS?.split(',').includes(precision) ?? true,
);

/** With the rows in the folder `work`. Null where there is no such Python. */
export async function startPeer(
  modelFolder: string,
  work: string,
  precision: (typeof PRECISIONS)[number],
): Promise<Measured<PeerIntroduction, { stepMs: number }> | null> {
  const python = await findPython('torch');
  if (!python) return null;
  return startMeasured(python, [script, modelFolder, join(work, 'rows.json'), precision]);
}
