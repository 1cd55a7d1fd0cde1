// Answering, here and in llama.cpp, where SVC_BENCH_LLAMA names it.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { withServingMemory } from '../../../lib/engine/environment.js';
import type { Row } from '../table.js';
import { tsx } from './turns.js';

const script = fileURLToPath(new URL('decode.ts', import.meta.url));

/** Each text gets so many tokens. */
export async function compareDecoding(
  modelFolder: string,
  tokens: number,
  llama = process.env.SVC_BENCH_LLAMA,
): Promise<Row[]> {
  const work = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  try {
    const args = ['--import', tsx, script, modelFolder, work, `${tokens}`];
    const env = withServingMemory({ ...process.env, SVC_BENCH_LLAMA: llama });
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    return JSON.parse(stdout) as Row[];
  } finally {
    await rm(work, { recursive: true });
  }
}
