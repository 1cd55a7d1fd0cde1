// The rows of queries and keys as llama.cpp has them for Llama. Positions turn pairs of rows: row i and i + headDim / 2 of a
// head in Hugging Face layout, neighbors there. For Qwen, both have the first order.

/** [heads, 2, headDim / 2, columns] -> [heads, headDim / 2, 2, columns] */
export function pairRows(values: Float32Array, headDim: number, columns: number): Float32Array {
  const paired = new Float32Array(values.length);
  for (let row = 0; row < values.length / columns; row++) {
    const at = row % headDim;
    const source = row - at + (at % 2) * (headDim / 2) + Math.floor(at / 2);
    paired.set(values.subarray(source * columns, (source + 1) * columns), row * columns);
  }
  return paired;
}
