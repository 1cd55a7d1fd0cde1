// The reference models: tiny random weights, and what PyTorch, transformers and PEFT computed with them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ModelSource, openModel } from '../../lib/engine/model/index.js';
import { repositoryRoot } from './repository-root.js';

const HOME = join(repositoryRoot, 'tests', 'golden', 'engine');

/** Every architecture is one of them, and some are several. */
export const GOLDEN_MODELS: readonly string[] = readdirSync(HOME, { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

interface Expected {
  logits_last_position_row0: number[];
  logits_row2_pos5: number[];
  /** Where texts of up to 32 tokens turn by other positions. */
  logits_of_32_row1?: number[];
  loss_with_adapter_init: number;
  lora_grad_norms: Record<string, number>;
  optimizer: { lr: number; betas: [number, number]; eps: number; weight_decay: number };
  adamw_losses: number[];
  final_logits_last_position_row0: number[];
}

/** How llama.cpp has the model. */
interface LlamaCpp {
  architecture: string;
  /** The rows of queries and keys that positions turn together are neighbors. */
  pairsRows: boolean;
  /** Those that it computes, where the model has others. */
  settings: Readonly<Record<string, unknown>>;
}

export interface GoldenModel extends ModelSource {
  folder: string;
  llamaCpp: LlamaCpp;
  expected: Expected;
  batch: { input_ids: number[][]; labels: number[][] };
}

export async function openGoldenModel(name: string): Promise<GoldenModel> {
  const folder = join(HOME, name);
  const read = <T>(file: string) => JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as T;
  return {
    ...(await openModel(folder)),
    folder,
    llamaCpp: read('llama-cpp.json'),
    expected: read('expected.json'),
    batch: read('batch.json'),
  };
}
