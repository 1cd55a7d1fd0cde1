// Copies of a model with other weights: with outliers, with large activations, or one whose answers do not end.
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openWeights, writeSafetensors } from '../../lib/engine/weights/index.js';
import type { TensorToWrite } from '../../lib/engine/weights/write-safetensors.js';

const FACTOR = 40;
const CHANNELS = [3, 17, 29];

const NORM = /(input|post_attention)_layernorm\.weight$/;
const BEHIND_A_NORM = /\.(q|k|v|gate|up)_proj\.weight$/;

/**
 * As large models have them: three channels of every layer's norms become 40 times as large, and the columns behind them 40
 * times as small. In exact arithmetic, the model computes the same.
 */
export async function copyWithOutliers(from: string, to: string): Promise<void> {
  await copyChanged(from, to, (name, data, width) => {
    const factor = NORM.test(name) ? FACTOR : BEHIND_A_NORM.test(name) ? 1 / FACTOR : 1;
    for (const channel of CHANNELS) for (let i = channel; i < data.length; i += width) data[i]! *= factor;
  });
}

/** These tokens hardly ever come, where the output layer is that of the input: their rows of it are zeros. */
export async function copyWithoutTokens(from: string, to: string, ids: readonly number[]): Promise<void> {
  await copyChanged(from, to, (name, data, width) => {
    if (name === 'model.embed_tokens.weight')
      for (const id of ids) data.fill(0, id * width, (id + 1) * width);
  });
}

/**
 * As Gemma has them: what the first layer computes, and the residual stream behind it, have numbers that float16 does not hold. The
 * norms bring them back.
 */
export async function copyWithLargeActivations(from: string, to: string): Promise<void> {
  await copyChanged(from, to, (name, data) => {
    if (name === 'model.layers.0.mlp.down_proj.weight') for (const i of data.keys()) data[i]! *= 1e5;
    if (name === 'model.layers.0.post_feedforward_layernorm.weight') data.fill(1e5);
  });
}

/** With other values in a type of its own, if one is named. */
export async function copyChanged(
  from: string,
  to: string,
  change: (name: string, data: Float32Array, width: number) => void,
  dtype: TensorToWrite['dtype'] = 'F32',
): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const { name } = entry;
    if (!entry.isDirectory() && !name.endsWith('.safetensors'))
      await copyFile(join(from, name), join(to, name));
  }
  const weights = await openWeights(from);
  const tensors = weights.names().map(async (name): Promise<TensorToWrite> => {
    const data = await weights.readFloat32(name);
    const { shape } = weights.describe(name);
    change(name, data, shape.at(-1)!);
    return { name, dtype, shape, data };
  });
  await writeSafetensors(join(to, 'model.safetensors'), await Promise.all(tensors));
}
