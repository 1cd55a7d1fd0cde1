// The reference models: tiny random weights, and what PyTorch, transformers and PEFT computed with them.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ModelSource, openModel } from '../../lib/engine/model/index.js';

export const GOLDEN_MODELS = [
  'llama',
  'llama-untied',
  'qwen2',
  'qwen3',
  'gemma3',
  'smollm3',
  'granite',
  'mistral',
  'ministral',
  'granite4',
  'phi3',
  'qwen3_5',
  'lfm2',
] as const;

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

export interface GoldenModel extends ModelSource {
  folder: string;
  expected: Expected;
  batch: { input_ids: number[][]; labels: number[][] };
}

export async function openGoldenModel(name: (typeof GOLDEN_MODELS)[number]): Promise<GoldenModel> {
  const folder = fileURLToPath(new URL(`../golden/engine/${name}`, import.meta.url));
  const read = <T>(file: string) => JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as T;
  return {
    ...(await openModel(folder)),
    folder,
    expected: read('expected.json'),
    batch: read('batch.json'),
  };
}
