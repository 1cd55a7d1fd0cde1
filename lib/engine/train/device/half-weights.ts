// Weights in float16, for GPUs. Models are stored in 16 bits, so little or nothing is lost; but float16 has no numbers beyond 65,504,
// which bfloat16 has.
import type { DType } from '../../graph/index.js';
import { halfWeights, type ModelConfig, type ModelSource, weightShapes } from '../../model/index.js';
import { DeviceError } from '../../runtime/index.js';
import { readPieces, withFile } from '../../weights/index.js';
import { bytesOfWeights } from './limits.js';

/** A weight does not fit into float16; in float32, the same run can use the GPU. */
export class HalfRangeError extends DeviceError {}

export const BYTES_PER_HALF = 2;

/** The share of a GPU's memory that weights may take in float32 before `auto` has them in float16. */
const MOST_OF_MEMORY = 0.5;

/** Whether weights in float32 would leave little room for passes, if any. */
export function needsHalf(config: ModelConfig, memory: number): boolean {
  return bytesOfWeights(config) > MOST_OF_MEMORY * memory;
}

/** The model with its matrices in float16. Throws a `HalfRangeError` that names a weight that does not fit. */
export async function openHalf(model: ModelSource): Promise<ModelSource> {
  if (model.folder !== null) await assertFits(model);
  return { ...model, bytesPerWeight: BYTES_PER_HALF, weights: halfWeights(model.weights) };
}

async function assertFits({ config, place }: ModelSource): Promise<void> {
  for (const [name, { length }] of weightShapes(config)) {
    if (length !== 2 || !(await exceedsHalf(place(name)))) continue;
    throw new HalfRangeError(`The base model's weights do not fit into f16 (${name}), so they are in f32.`);
  }
}

type Location = ReturnType<ModelSource['place']>;

/** The bits of the smallest number that rounds to infinity, without its sign; in the upper half, for formats of 16 bits. */
const BEYOND = new Uint32Array(Float32Array.of(65_520).buffer)[0]!;

function exceedsHalf({ dtype, file, offset, length }: Location): Promise<boolean> {
  return withFile(file, async handle => {
    if (dtype === 'float16') return false;
    for await (const piece of readPieces(handle, file, offset, length))
      if (hasBeyond(piece, dtype)) return true;
    return false;
  });
}

function hasBeyond(bytes: Uint8Array, dtype: DType): boolean {
  const [values, limit, unsigned] =
    dtype === 'bfloat16'
      ? [new Uint16Array(bytes.buffer, 0, bytes.length / 2), BEYOND >>> 16, 0x7fff]
      : [new Uint32Array(bytes.buffer, 0, bytes.length / 4), BEYOND, 0x7fffffff];
  for (const value of values) if ((value & unsigned) >= limit) return true;
  return false;
}
