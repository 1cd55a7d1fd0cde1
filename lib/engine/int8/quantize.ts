// Numbers as 8 bits each, in blocks that share a scale: a number is (byte - 128) * scale, and the largest of a block is
// exact up to rounding. A block that a line does not fill is filled with zeros.

/** As many as the runtime's product takes at once. */
export const BLOCK = 128;

const ZERO = 128;
const LARGEST = 127;

/** A matrix of which each line is cut into blocks. */
export interface Int8Matrix {
  lines: number;
  /** Numbers in a line, without what fills its last block. */
  length: number;
  blocksPerLine: number;
  /** [lines, blocksPerLine, BLOCK] */
  bytes: Uint8Array;
  /** [lines, blocksPerLine] */
  scales: Float32Array;
}

/** A matrix [rows, columns], line by line. */
export function quantizeRows(values: Float32Array, rows: number, columns: number): Int8Matrix {
  const matrix = emptyMatrix(rows, columns);
  const { blocksPerLine, bytes, scales } = matrix;
  for (let row = 0; row < rows; row++) {
    for (let block = 0; block < blocksPerLine; block++) {
      const from = row * columns + block * BLOCK;
      const to = Math.min(from + BLOCK, (row + 1) * columns);
      let largest = 0;
      for (let i = from; i < to; i++) largest = Math.max(largest, Math.abs(values[i]!));
      const at = row * blocksPerLine + block;
      scales[at] = largest / LARGEST;
      const factor = largest > 0 ? LARGEST / largest : 0;
      const shift = at * BLOCK - from;
      for (let i = from; i < to; i++) bytes[i + shift] = toByte(values[i]! * factor);
    }
  }
  return matrix;
}

/** The same matrix with its columns as lines. */
export function quantizeColumns(values: Float32Array, rows: number, columns: number): Int8Matrix {
  const matrix = emptyMatrix(columns, rows);
  const { blocksPerLine, bytes, scales } = matrix;
  const largest = new Float32Array(columns);
  for (let block = 0; block < blocksPerLine; block++) {
    const from = block * BLOCK;
    const to = Math.min(from + BLOCK, rows);
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
      const start = at * BLOCK - from;
      for (let row = from; row < to; row++)
        bytes[start + row] = toByte(values[row * columns + column]! * factor);
    }
  }
  return matrix;
}

/** `scaled` is within -127 and 127: what is added before it is cut makes it positive, and rounds. */
function toByte(scaled: number): number {
  return (scaled + ZERO + 0.5) | 0;
}

function emptyMatrix(lines: number, length: number): Int8Matrix {
  const blocksPerLine = Math.ceil(length / BLOCK);
  const blocks = lines * blocksPerLine;
  return {
    lines,
    length,
    blocksPerLine,
    bytes: new Uint8Array(blocks * BLOCK).fill(ZERO),
    scales: new Float32Array(blocks),
  };
}
