// Tensors in q8_0: blocks of 32 numbers, which are their scale as float16, and 32 int8.
import type { GgufTensor } from '../../../lib/engine/export/gguf-adapter.js';
import { narrow } from '../../../lib/engine/weights/convert.js';

const GGML_Q8_0 = 8;
const BLOCK = 32;
const BLOCK_BYTES = 2 + BLOCK;

export function q8Tensor(name: string, shape: readonly number[]): GgufTensor {
  if (shape.at(-1)! % BLOCK !== 0) throw new Error(`The rows of ${name} are not whole blocks of ${BLOCK}.`);
  const count = shape.reduce((product, size) => product * size, 1);
  return { name, type: GGML_Q8_0, shape, bytes: (count / BLOCK) * BLOCK_BYTES };
}

/** The blocks of a tensor whose rows are whole blocks. */
export function toQ8(values: Float32Array): Uint8Array {
  const scales = Float32Array.from({ length: values.length / BLOCK }, (_, i) => {
    let largest = 0;
    for (let at = i * BLOCK; at < (i + 1) * BLOCK; at++) largest = Math.max(largest, Math.abs(values[at]!));
    return largest / 127;
  });
  const halves = narrow('F16', scales);
  const view = new DataView(new ArrayBuffer(scales.length * BLOCK_BYTES));
  for (let i = 0; i < scales.length; i++) {
    const begin = i * BLOCK_BYTES;
    view.setUint16(begin, halves[i]!, true);
    const inverse = scales[i] === 0 ? 0 : 1 / scales[i]!;
    for (let at = 0; at < BLOCK; at++)
      view.setInt8(begin + 2 + at, Math.round(values[i * BLOCK + at]! * inverse));
  }
  return new Uint8Array(view.buffer);
}
