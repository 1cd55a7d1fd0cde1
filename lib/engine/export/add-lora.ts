// Adds what a LoRA pair computes to some rows of its projection's weight.
import type { LoraPair } from '../weights/index.js';

/**
 * rows + scaling * B A, in place. `rows`: [rows, inputs] of the weight, from row `first` on. Sums in 64 bits, so that the
 * result is rounded once.
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
