// The reference models: tiny random weights, and what PyTorch, transformers and PEFT computed with them.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DType } from '../../lib/engine/graph/index.js';
import { type ModelConfig, parseModelConfig, type WeightPlace } from '../../lib/engine/model/index.js';
import { openWeights } from '../../lib/engine/weights/index.js';

export const GOLDEN_MODELS = ['llama', 'llama-untied', 'qwen2', 'qwen3'] as const;

export interface Expected {
  logits_last_position_row0: number[];
  logits_row2_pos5: number[];
  loss_with_adapter_init: number;
  lora_grad_norms: Record<string, number>;
  optimizer: { lr: number; betas: [number, number]; eps: number; weight_decay: number };
  adamw_losses: number[];
  final_logits_last_position_row0: number[];
}

export interface GoldenModel {
  folder: string;
  config: ModelConfig;
  place: (name: string) => WeightPlace;
  expected: Expected;
  batch: { input_ids: number[][]; labels: number[][] };
}

const DTYPES: Readonly<Record<string, DType>> = { F32: 'float32', F16: 'float16', BF16: 'bfloat16' };

export async function openGoldenModel(name: (typeof GOLDEN_MODELS)[number]): Promise<GoldenModel> {
  const folder = fileURLToPath(new URL(`../golden/engine/${name}`, import.meta.url));
  const read = <T>(file: string) => JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as T;
  const weights = await openWeights(folder);
  return {
    folder,
    config: parseModelConfig(read('config.json'), `${folder}/config.json`),
    place: tensor => {
      const { dtype, shape, file, byteOffset, byteLength } = weights.describe(tensor);
      return { dtype: DTYPES[dtype]!, shape, file, offset: byteOffset, length: byteLength };
    },
    expected: read('expected.json'),
    batch: read('batch.json'),
  };
}
