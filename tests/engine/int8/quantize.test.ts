// Numbers in 8 bits, read back by the rule that the runtime reads them by.
import { describe, expect, it } from 'vitest';
import { BLOCK, type Int8Matrix, quantizeColumns, quantizeRows } from '../../../lib/engine/int8/quantize.js';
import { transpose } from '../../../lib/engine/weights/index.js';
import { createRandom } from '../../support/random.js';

const numberAt = ({ blocksPerLine, bytes, scales }: Int8Matrix, line: number, i: number) => {
  const block = line * blocksPerLine + Math.floor(i / BLOCK);
  return (bytes[block * BLOCK + (i % BLOCK)]! - 128) * scales[block]!;
};

/** Rows of very different sizes, and longer than two blocks. */
const [ROWS, COLUMNS] = [150, 2 * BLOCK + 3];
const random = createRandom(3);
const values = Float32Array.from(
  { length: ROWS * COLUMNS },
  (_, i) => random.normal(1)[0]! * 10 ** ((Math.floor(i / COLUMNS) % 7) - 3),
);

describe('a matrix by its rows', () => {
  const matrix = quantizeRows(values, ROWS, COLUMNS);

  it('is off by half a step at most, and by nothing at the largest of a block', () => {
    for (let row = 0; row < ROWS; row++) {
      for (let column = 0; column < COLUMNS; column++) {
        const value = values[row * COLUMNS + column]!;
        const scale = matrix.scales[row * matrix.blocksPerLine + Math.floor(column / BLOCK)]!;
        expect(Math.abs(numberAt(matrix, row, column) - value)).toBeLessThanOrEqual(scale * 0.5001);
        if (Math.abs(value) === scale * 127) expect(numberAt(matrix, row, column)).toBeCloseTo(value, 6);
      }
    }
  });

  it('uses all of the 8 bits: the largest of a block is 1 or 255', () => {
    for (let row = 0; row < ROWS; row++) {
      const bytes = matrix.bytes.subarray(
        row * matrix.blocksPerLine * BLOCK,
        row * matrix.blocksPerLine * BLOCK + BLOCK,
      );
      expect([Math.min(...bytes) === 1, Math.max(...bytes) === 255]).toContain(true);
    }
  });

  it('is filled with zeros to the end of the last block', () => {
    expect(matrix).toMatchObject({ lines: ROWS, length: COLUMNS, blocksPerLine: 3 });
    expect(matrix.bytes).toHaveLength(ROWS * 3 * BLOCK);
    for (let row = 0; row < ROWS; row++)
      for (let i = COLUMNS; i < 3 * BLOCK; i++) expect(numberAt(matrix, row, i)).toBe(0);
  });
});

it('a matrix by its columns is the transposed one by its rows', () => {
  const turned = transpose(values, ROWS, COLUMNS);
  expect(quantizeColumns(values, ROWS, COLUMNS)).toEqual(quantizeRows(turned, COLUMNS, ROWS));
});

it.each([
  ['rows', quantizeRows],
  ['columns', quantizeColumns],
])('zeros stay zeros, by %s', (_, quantize) => {
  const matrix = quantize(new Float32Array(6), 2, 3);
  expect(new Set(matrix.bytes)).toEqual(new Set([128]));
  expect(new Set(matrix.scales)).toEqual(new Set([0]));
});

it.each([
  ['rows', quantizeRows],
  ['columns', quantizeColumns],
])('what is no number is not rounded to one, by %s', (_, quantize) => {
  const broken = Float32Array.of(1, Number.NaN, 2, 4, 5, 6, 7, 8, 9);
  expect([...quantize(broken, 3, 3).scales].filter(Number.isNaN)).toHaveLength(1);
});
