// Rounded lines, read back.
import { describe, expect, it } from 'vitest';
import { roundColumns, roundRows } from '../../../lib/engine/int8/round-lines.js';
import { transpose } from '../../../lib/engine/weights/index.js';
import { createRandom } from '../../support/random.js';

const numberAt = ({ lines, integers, scales }: ReturnType<typeof roundRows>, line: number, i: number) =>
  integers[i * lines + line]! * scales[line]!;

/** Rows of very different magnitudes, more than are written together. */
const [ROWS, COLUMNS] = [150, 70];
const random = createRandom(3);
const values = Float32Array.from(
  { length: ROWS * COLUMNS },
  (_, i) => random.normal(1)[0]! * 10 ** ((Math.floor(i / COLUMNS) % 7) - 3),
);

describe('rounded rows', () => {
  const rounded = roundRows(values, ROWS, COLUMNS);

  it('are columns, off by at most half a step', () => {
    expect(rounded).toMatchObject({ length: COLUMNS, lines: ROWS });
    for (let row = 0; row < ROWS; row++)
      for (let i = 0; i < COLUMNS; i++) {
        const off = Math.abs(numberAt(rounded, row, i) - values[row * COLUMNS + i]!);
        expect(off).toBeLessThanOrEqual(rounded.scales[row]! * 0.5001);
      }
  });

  it('use the full range: the largest magnitude of a row is 127', () => {
    for (let row = 0; row < ROWS; row++) {
      const line = Array.from({ length: COLUMNS }, (_, i) => Math.abs(rounded.integers[i * ROWS + row]!));
      expect(Math.max(...line)).toBe(127);
    }
  });
});

it('rounding columns equals rounding the rows of the transposed matrix', () => {
  const transposed = transpose(values, ROWS, COLUMNS);
  expect(roundColumns(values, ROWS, COLUMNS)).toEqual(roundRows(transposed, COLUMNS, ROWS));
});

it.each([
  ['rows', roundRows],
  ['columns', roundColumns],
])('zeros stay zeros in %s', (_, round) => {
  const { integers, scales } = round(new Float32Array(6), 2, 3);
  expect([...integers]).toEqual([0, 0, 0, 0, 0, 0]);
  expect(new Set(scales)).toEqual(new Set([0]));
});

it.each([
  ['rows', roundRows],
  ['columns', roundColumns],
])('NaN is not turned into a number in %s', (_, round) => {
  const broken = Float32Array.of(1, Number.NaN, 2, 4, 5, 6, 7, 8, 9);
  expect([...round(broken, 3, 3).scales].filter(Number.isNaN)).toHaveLength(1);
});
