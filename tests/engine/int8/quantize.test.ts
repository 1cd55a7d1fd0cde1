// Quantized matrices, read back by the runtime's rule.
import { describe, expect, it } from 'vitest';
import {
  BLOCK_SIZE,
  type Int8Matrix,
  quantizeColumns,
  quantizeRows,
} from '../../../lib/engine/int8/quantize.js';
import { transpose } from '../../../lib/engine/weights/index.js';
import { createRandom } from '../../support/random.js';

const numberAt = ({ blocksPerLine, bytes, scales }: Int8Matrix, line: number, i: number) => {
  const block = line * blocksPerLine + Math.floor(i / BLOCK_SIZE);
  return (bytes[block * BLOCK_SIZE + (i % BLOCK_SIZE)]! - 128) * scales[block]!;
};

/** Rows of very different magnitudes, longer than two blocks. */
const [ROWS, COLUMNS] = [150, 2 * BLOCK_SIZE + 3];
const random = createRandom(3);
const values = Float32Array.from(
  { length: ROWS * COLUMNS },
  (_, i) => random.normal(1)[0]! * 10 ** ((Math.floor(i / COLUMNS) % 7) - 3),
);

describe('a matrix quantized by rows', () => {
  const matrix = quantizeRows(values, ROWS, COLUMNS);

  it('is off by at most half a step, and exact at the largest value of a block', () => {
    for (let row = 0; row < ROWS; row++) {
      for (let column = 0; column < COLUMNS; column++) {
        const value = values[row * COLUMNS + column]!;
        const scale = matrix.scales[row * matrix.blocksPerLine + Math.floor(column / BLOCK_SIZE)]!;
        expect(Math.abs(numberAt(matrix, row, column) - value)).toBeLessThanOrEqual(scale * 0.5001);
        if (Math.abs(value) === scale * 127) expect(numberAt(matrix, row, column)).toBeCloseTo(value, 6);
      }
    }
  });

  it('uses the full range: the largest value of a block is 1 or 255', () => {
    for (let row = 0; row < ROWS; row++) {
      const bytes = matrix.bytes.subarray(
        row * matrix.blocksPerLine * BLOCK_SIZE,
        row * matrix.blocksPerLine * BLOCK_SIZE + BLOCK_SIZE,
      );
      expect([Math.min(...bytes) === 1, Math.max(...bytes) === 255]).toContain(true);
    }
  });

  it('is padded with zeros to the end of the last block', () => {
    expect(matrix).toMatchObject({ lines: ROWS, length: COLUMNS, blocksPerLine: 3 });
    expect(matrix.bytes).toHaveLength(ROWS * 3 * BLOCK_SIZE);
    for (let row = 0; row < ROWS; row++)
      for (let i = COLUMNS; i < 3 * BLOCK_SIZE; i++) expect(numberAt(matrix, row, i)).toBe(0);
  });
});

it('quantizing by columns equals quantizing the transposed matrix by rows', () => {
  const transposed = transpose(values, ROWS, COLUMNS);
  expect(quantizeColumns(values, ROWS, COLUMNS)).toEqual(quantizeRows(transposed, COLUMNS, ROWS));
});

it.each([
  ['rows', quantizeRows],
  ['columns', quantizeColumns],
])('zeros stay zeros when quantized by %s', (_, quantize) => {
  const matrix = quantize(new Float32Array(6), 2, 3);
  expect(new Set(matrix.bytes)).toEqual(new Set([128]));
  expect(new Set(matrix.scales)).toEqual(new Set([0]));
});

it.each([
  ['rows', quantizeRows],
  ['columns', quantizeColumns],
])('NaN is not turned into a number when quantized by %s', (_, quantize) => {
  const broken = Float32Array.of(1, Number.NaN, 2, 4, 5, 6, 7, 8, 9);
  expect([...quantize(broken, 3, 3).scales].filter(Number.isNaN)).toHaveLength(1);
});
