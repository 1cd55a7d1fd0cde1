// Symmetric int8 quantization in blocks that share a scale: value = (byte - 128) * scale. The largest value of a block
// maps to ±127. The last block of a line is padded with zeros.

/** How many values the runtime's int8 product takes at once. */
export const BLOCK_SIZE = 128;

const ZERO_POINT = 128;
const LARGEST = 127;

/** A matrix whose lines are cut into blocks; a line holds the weights of one output. */
export interface Int8Matrix {
  lines: number;
  /** Values in a line, without the padding. */
  length: number;
  blocksPerLine: number;
  /** [lines, blocksPerLine, BLOCK_SIZE] */
  bytes: Uint8Array;
  /** [lines, blocksPerLine] */
  scales: Float32Array;
}

/** Quantizes a matrix [rows, columns]; its rows become the lines. */
export function quantizeRows(values: Float32Array, rows: number, columns: number): Int8Matrix {
  const matrix = emptyMatrix(rows, columns);
  const { blocksPerLine, bytes, scales } = matrix;
  for (let row = 0; row < rows; row++) {
    for (let block = 0; block < blocksPerLine; block++) {
      const from = row * columns + block * BLOCK_SIZE;
      const to = Math.min(from + BLOCK_SIZE, (row + 1) * columns);
      let largest = 0;
      for (let i = from; i < to; i++) largest = Math.max(largest, Math.abs(values[i]!));
      const at = row * blocksPerLine + block;
      scales[at] = largest / LARGEST;
      const factor = largest > 0 ? LARGEST / largest : 0;
      const shift = at * BLOCK_SIZE - from;
      for (let i = from; i < to; i++) bytes[i + shift] = toByte(values[i]! * factor);
    }
  }
  return matrix;
}

/** Quantizes a matrix [rows, columns]; its columns become the lines. */
export function quantizeColumns(values: Float32Array, rows: number, columns: number): Int8Matrix {
  const matrix = emptyMatrix(columns, rows);
  const { blocksPerLine, bytes, scales } = matrix;
  const largest = new Float32Array(columns);
  for (let block = 0; block < blocksPerLine; block++) {
    const from = block * BLOCK_SIZE;
    const to = Math.min(from + BLOCK_SIZE, rows);
    largest.fill(0);
    for (let row = from; row < to; row++) {
      const line = row * columns;
      for (let column = 0; column < columns; column++)
        largest[column] = Math.max(largest[column]!, Math.abs(values[line + column]!));
    }
    for (let column = 0; column < columns; column++) {
      const at = column * blocksPerLine + block;
      scales[at] = largest[column]! / LARGEST;
      const factor = largest[column]! > 0 ? LARGEST / largest[column]! : 0;
      const start = at * BLOCK_SIZE - from;
      for (let row = from; row < to; row++)
        bytes[start + row] = toByte(values[row * columns + column]! * factor);
    }
  }
  return matrix;
}

/** `scaled` is between -127 and 127, so the sum is positive and truncating it rounds to the nearest. */
function toByte(scaled: number): number {
  return (scaled + ZERO_POINT + 0.5) | 0;
}

function emptyMatrix(lines: number, length: number): Int8Matrix {
  const blocksPerLine = Math.ceil(length / BLOCK_SIZE);
  const blocks = lines * blocksPerLine;
  return {
    lines,
    length,
    blocksPerLine,
    bytes: new Uint8Array(blocks * BLOCK_SIZE).fill(ZERO_POINT),
    scales: new Float32Array(blocks),
  };
}
