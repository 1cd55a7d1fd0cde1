// Rounds the lines of a matrix to integers of 8 bits, each with a scale of its own: value = integer × scale. The largest
// value of a line becomes ±127. Pure.

const LARGEST = 127;

/** A matrix of integers whose columns are the rounded lines: the second operand of a product. */
interface RoundedLines {
  /** Values in a line. */
  length: number;
  lines: number;
  /** [length, lines] */
  integers: Int8Array;
  /** One for each line. */
  scales: Float32Array;
}

/** How many lines are written next to each other at once, so that writing stays within a few cache lines. */
const TOGETHER = 64;

/** The rows of [rows, columns] are the lines. */
export function roundRows(values: Float32Array, rows: number, columns: number): RoundedLines {
  const integers = new Int8Array(rows * columns);
  const scales = new Float32Array(rows);
  const factors = new Float32Array(TOGETHER);
  for (let first = 0; first < rows; first += TOGETHER) {
    const end = Math.min(first + TOGETHER, rows);
    for (let row = first; row < end; row++) {
      let largest = 0;
      for (let i = row * columns; i < (row + 1) * columns; i++)
        largest = Math.max(largest, Math.abs(values[i]!));
      scales[row] = largest / LARGEST;
      factors[row - first] = largest > 0 ? LARGEST / largest : 0;
    }
    for (let column = 0; column < columns; column++) {
      for (let row = first; row < end; row++)
        integers[column * rows + row] = toInteger(values[row * columns + column]! * factors[row - first]!);
    }
  }
  return { length: columns, lines: rows, integers, scales };
}

/** The columns of [rows, columns] are the lines. */
export function roundColumns(values: Float32Array, rows: number, columns: number): RoundedLines {
  const integers = new Int8Array(rows * columns);
  const largest = new Float32Array(columns);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++)
      largest[column] = Math.max(largest[column]!, Math.abs(values[row * columns + column]!));
  }
  const factors = largest.map(value => (value > 0 ? LARGEST / value : 0));
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      integers[at] = toInteger(values[at]! * factors[column]!);
    }
  }
  return { length: rows, lines: columns, integers, scales: largest.map(value => value / LARGEST) };
}

/** `scaled` is between -127 and 127, so the sum is positive and truncating it rounds to the nearest. */
function toInteger(scaled: number): number {
  return ((scaled + 128.5) | 0) - 128;
}
