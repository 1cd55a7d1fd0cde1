// Injects outliers into a model, as large models have them: three channels of every layer's norms become 40 times as
// large, and the columns behind them 40 times as small. In exact arithmetic, the model computes the same.
import { copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openWeights, writeSafetensors } from '../../lib/engine/weights/index.js';
import type { TensorToWrite } from '../../lib/engine/weights/write-safetensors.js';

const FACTOR = 40;
const CHANNELS = [3, 17, 29];

const NORM = /(input|post_attention)_layernorm\.weight$/;
const BEHIND_A_NORM = /\.(q|k|v|gate|up)_proj\.weight$/;

/** Copies the model's folder to another one, with its weights changed. */
export async function copyWithOutliers(from: string, to: string): Promise<void> {
  for (const name of await readdir(from))
    if (!name.endsWith('.safetensors')) await copyFile(join(from, name), join(to, name));
  const weights = await openWeights(from);
  const tensors = weights.names().map(async (name): Promise<TensorToWrite> => {
    const data = await weights.readFloat32(name);
    const { shape } = weights.describe(name);
    const width = shape.at(-1)!;
    const factor = NORM.test(name) ? FACTOR : BEHIND_A_NORM.test(name) ? 1 / FACTOR : 1;
    for (const channel of CHANNELS) for (let i = channel; i < data.length; i += width) data[i]! *= factor;
    return { name, dtype: 'F32', shape, data };
  });
  await writeSafetensors(join(to, 'model.safetensors'), await Promise.all(tensors));
}
