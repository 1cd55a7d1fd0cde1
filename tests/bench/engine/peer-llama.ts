// The same model through llama.cpp, in q8_0, where SVC_BENCH_LLAMA names a folder with node-llama-cpp in its node_modules.
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeLlamaFile } from './llama-file.js';
import type { LlamaIntroduction, LlamaRound } from './measure-llama.js';
import { type Measured, startMeasured, tsx } from './turns.js';

const script = fileURLToPath(new URL('measure-llama.ts', import.meta.url));

export type LlamaPeer = Measured<LlamaIntroduction, LlamaRound>;

/** Writes its file to `path`. Null where no folder is named. */
export async function startLlama(
  folder: string,
  path: string,
  vocabulary: number,
  tokens: number,
): Promise<LlamaPeer | null> {
  const installed = process.env.SVC_BENCH_LLAMA;
  if (!installed) return null;
  await writeLlamaFile(folder, path);
  const args = [resolve(installed), path, `${vocabulary}`, `${tokens}`];
  return startMeasured(process.execPath, ['--import', tsx, script, ...args]);
}
