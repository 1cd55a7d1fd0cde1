// Rows of a base model's weights with an adapter added to them.
import {
  type FloatDtype,
  type LoraPair,
  type LoraSite,
  narrow,
  type OpenedAdapter,
  readNumbers,
  WeightsError,
  type WeightTensor,
} from '../weights/index.js';

/** How many bytes of 32-bit floats are in memory at once. */
export const PIECE_BYTES = 4 * 1024 ** 2;

/** Reads some rows of a tensor. */
type ReadRows = (first: number, count: number) => Promise<Float32Array<ArrayBuffer>>;

/** Without a site, nothing is added to them. */
export async function mergedRows(
  tensor: WeightTensor,
  adapter: OpenedAdapter | undefined,
  site: LoraSite | undefined,
): Promise<ReadRows> {
  const pair = site && (await adapter?.readPair(site));
  const rowBytes = tensor.byteLength / tensor.shape[0]!;
  return async (first, count) => {
    const byteOffset = tensor.byteOffset + first * rowBytes;
    const rows = await readNumbers({ ...tensor, byteOffset, byteLength: count * rowBytes });
    if (adapter && pair) addLora(rows, first, pair, { rank: adapter.config.rank, scaling: adapter.scaling });
    return rows;
  };
}

const LARGEST: Record<FloatDtype, number> = { F32: 3.4028235e38, BF16: 3.38e38, F16: 65504 };

/** Numbers of a tensor as bytes of its type. */
export function toStored(
  rows: Float32Array,
  { file, name, dtype }: Pick<WeightTensor, 'file' | 'name' | 'dtype'>,
): Uint8Array {
  const type = dtype as FloatDtype;
  requireRange(rows, { file, name, type });
  const { buffer, byteOffset, byteLength } = type === 'F32' ? rows : narrow(type, rows);
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
}

/** Throws unless all numbers are finite and small enough for the type; a quantized one has scales in F16. */
export function requireRange(
  rows: Float32Array,
  { file, name, type }: { file: string; name: string; type: string },
): void {
  const largest = LARGEST[type as FloatDtype] ?? LARGEST.F16;
  if (rows.every(value => Math.abs(value) <= largest)) return;
  throw new WeightsError(file, `is too large for ${type} with the adapter added`, { tensor: name });
}

/**
 * Adds what a LoRA pair computes to some rows of its projection's weight: rows + scaling * B A, in place. `rows` is
 * [rows, inputs] of the weight, from row `first` on. Sums in 64 bits, so that the result is rounded once.
 * @internal
 */
export function addLora(
  rows: Float32Array,
  first: number,
  { a, b }: Pick<LoraPair, 'a' | 'b'>,
  { rank, scaling }: { rank: number; scaling: number },
): void {
  const inputs = a.length / rank;
  const sums = new Float64Array(inputs);
  for (let row = 0; row < rows.length / inputs; row++) {
    const own = rows.subarray(row * inputs, (row + 1) * inputs);
    sums.set(own);
    for (let k = 0; k < rank; k++) {
      const factor = scaling * b[(first + row) * rank + k]!;
      const start = k * inputs;
      for (let i = 0; i < inputs; i++) sums[i]! += factor * a[start + i]!;
    }
    own.set(sums);
  }
}
