// Handmade adapter folders: two layers, one projection, and the changes of a test.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeSafetensors } from '../../../lib/engine/weights/index.js';
import type { TensorToWrite } from '../../../lib/engine/weights/write-safetensors.js';
import { folderWith, golden } from './sample-files.js';

export const plainConfig: Record<string, unknown> = {
  ...JSON.parse(readFileSync(join(golden, 'llama/adapter_init/adapter_config.json'), 'utf8')),
  r: 2,
  target_modules: ['q_proj'],
};

export const nameOf = (layer: number, path: string, half: 'A' | 'B') =>
  `base_model.model.model.layers.${layer}.${path}.lora_${half}.weight`;

/** The halves of a pair with 3 inputs and 4 outputs. */
export function pair(layer: number, path: string, rank = 2): TensorToWrite[] {
  const half = (name: string, shape: [number, number]): TensorToWrite => {
    const data = Float32Array.from({ length: shape[0] * shape[1] }, (_, i) => layer + i);
    return { name, dtype: 'F32', shape, data };
  };
  return [half(nameOf(layer, path, 'A'), [rank, 3]), half(nameOf(layer, path, 'B'), [4, rank])];
}

export const plainTensors = [...pair(0, 'self_attn.q_proj'), ...pair(1, 'self_attn.q_proj')];

interface Changes {
  config?: object | string;
  tensors?: TensorToWrite[];
}

/** An adapter with the plain settings and `config`, or only `config` if it is a string. */
export async function adapterFolder({ config = {}, tensors = plainTensors }: Changes = {}): Promise<string> {
  const settings = typeof config === 'string' ? config : { ...plainConfig, ...config };
  const folder = folderWith({ 'adapter_config.json': settings });
  await writeSafetensors(join(folder, 'adapter_model.safetensors'), tensors, { format: 'pt' });
  return folder;
}
