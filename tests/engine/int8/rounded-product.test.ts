// Products of rounded rows with a rounded matrix, compared with exact ones.
import { describe, expect, it, onTestFinished } from 'vitest';
import { GraphBuilder } from '../../../lib/engine/graph/index.js';
import { roundColumns, roundRows } from '../../../lib/engine/int8/rounded-file.js';
import { type RoundedOperand, RoundedProducts } from '../../../lib/engine/int8/rounded-product.js';
import { createSession, exactIntegerForm } from '../../../lib/engine/runtime/index.js';
import { transpose } from '../../../lib/engine/weights/index.js';
import { createRandom } from '../../support/random.js';

const FORM = await exactIntegerForm();
const ZERO = FORM === 'uint8' ? 128 : 0;
const [ROWS, INNER, COLUMNS] = [5, 64, 24];
const weights = createRandom(1).normal(INNER * COLUMNS);
const randomRows = (seed = 2) => createRandom(seed).normal(ROWS * INNER);

function operandIn(graph: GraphBuilder): RoundedOperand {
  const { integers, scales } = roundColumns(weights, INNER, COLUMNS);
  const bytes = Uint8Array.from(integers, value => value + ZERO);
  return {
    integers: graph.constant('w', FORM, [INNER, COLUMNS], { bytes }),
    scales: graph.constant('scales', 'float32', [COLUMNS], { bytes: new Uint8Array(scales.buffer) }),
    zero: ZERO,
  };
}

type Options = Parameters<RoundedProducts['multiply']>[2];

async function multiply(rows: Float32Array, options: Options = {}): Promise<Float32Array> {
  const graph = new GraphBuilder();
  const x = graph.input('x', 'float32', [ROWS, INNER]);
  graph.output('y', new RoundedProducts(graph).multiply(x, operandIn(graph), options));
  const session = await createSession(graph, { threads: 1 });
  onTestFinished(() => session.close());
  return (await session.run({ x: rows })).y!;
}

function exactly(rows: Float32Array): Float32Array {
  return Float32Array.from({ length: ROWS * COLUMNS }, (_, i) => {
    const [row, column] = [Math.floor(i / COLUMNS), i % COLUMNS];
    let sum = 0;
    for (let k = 0; k < INNER; k++) sum += rows[row * INNER + k]! * weights[k * COLUMNS + column]!;
    return sum;
  });
}

/** The difference, relative to the length of what is wanted. */
const errorOf = (found: Float32Array, wanted: Float32Array) =>
  Math.hypot(...found.map((value, i) => value - wanted[i]!)) / Math.hypot(...wanted);
const rowOf = (values: Float32Array, row: number) => values.subarray(row * COLUMNS, (row + 1) * COLUMNS);

it('are close for rows of every magnitude, since each row has its own scale', async () => {
  const rows = randomRows().map((value, i) => value * 10 ** (3 * Math.floor(i / INNER) - 6));
  const [found, wanted] = [await multiply(rows), exactly(rows)];
  const errors = Array.from({ length: ROWS }, (_, row) => errorOf(rowOf(found, row), rowOf(wanted, row)));
  for (const error of errors) expect(error).toBeLessThan(0.02);
  expect(errors[0]).toBeGreaterThan(1e-4);
});

it('use the whole range for rows that are never negative', async () => {
  const rows = randomRows(3).map(Math.abs);
  const wanted = exactly(rows);
  const error = errorOf(await multiply(rows, { range: 'positive' }), wanted);
  expect(error).toBeLessThan(errorOf(await multiply(rows), wanted));
});

it('are zero for rows of zeros', async () => {
  const rows = randomRows().fill(0, INNER, 2 * INNER);
  for (const options of [{}, { keepsNaN: false }, { terms: 2 }] as const)
    expect(rowOf(await multiply(rows, options), 1).map(Math.abs)).toEqual(new Float32Array(COLUMNS));
});

it.each([
  [Number.NaN, true],
  [Number.POSITIVE_INFINITY, true],
  [Number.POSITIVE_INFINITY, false],
])('do not hide %s, if NaN is kept: %s', async (value, keepsNaN) => {
  const rows = randomRows();
  rows[INNER + 3] = value;
  const found = await multiply(rows, { keepsNaN });
  expect(rowOf(found, 1).every(Number.isFinite)).toBe(false);
  expect(found.subarray(2 * COLUMNS).every(Number.isFinite)).toBe(true);
});

it('round rows once for several products', () => {
  const graph = new GraphBuilder();
  const x = graph.input('x', 'float32', [ROWS, INNER]);
  const products = new RoundedProducts(graph);
  const operand = operandIn(graph);
  for (let i = 0; i < 3; i++) products.multiply(x, operand);
  const count = (op: string) => graph.nodes.filter(node => node.op === op).length;
  expect([count('QuantizeLinear'), count('MatMulIntegerToFloat')]).toEqual([1, 3]);
});

it('with two terms lose next to nothing, even with outliers in a row', async () => {
  const rows = randomRows().map((value, i) => (i % INNER === 7 ? 100 * value : value));
  const wanted = exactly(rows);
  expect(errorOf(await multiply(rows, { terms: 1 }), wanted)).toBeGreaterThan(0.005);
  expect(errorOf(await multiply(rows, { terms: 2 }), wanted)).toBeLessThan(0.005);
});

const numberAt = ({ integers, scales }: ReturnType<typeof roundRows>, line: number, i: number) =>
  integers[i * scales.length + line]! * scales[line]!;

/** Rows of very different magnitudes, more than are written together. */
const [LINES, WIDTH] = [150, 70];
const { normal } = createRandom(3);
const values = Float32Array.from(
  { length: LINES * WIDTH },
  (_, i) => normal(1)[0]! * 10 ** ((Math.floor(i / WIDTH) % 7) - 3),
);

describe('rounded rows', () => {
  const rounded = roundRows(values, LINES, WIDTH);

  it('are columns, off by at most half a step', () => {
    expect([rounded.integers.length, rounded.scales.length]).toEqual([WIDTH * LINES, LINES]);
    for (let row = 0; row < LINES; row++)
      for (let i = 0; i < WIDTH; i++) {
        const off = Math.abs(numberAt(rounded, row, i) - values[row * WIDTH + i]!);
        expect(off).toBeLessThanOrEqual(rounded.scales[row]! * 0.5001);
      }
  });

  it('use the full range: the largest magnitude of a row is 127', () => {
    for (let row = 0; row < LINES; row++) {
      const line = Array.from({ length: WIDTH }, (_, i) => Math.abs(rounded.integers[i * LINES + row]!));
      expect(Math.max(...line)).toBe(127);
    }
  });
});

it('rounding columns equals rounding the rows of the transposed matrix', () => {
  const transposed = transpose(values, LINES, WIDTH);
  expect(roundColumns(values, LINES, WIDTH)).toEqual(roundRows(transposed, WIDTH, LINES));
});

it.each([
  ['rows', roundRows],
  ['columns', roundColumns],
])('in %s, zeros stay zeros, and NaN is not turned into a number', (_, round) => {
  const { integers, scales } = round(new Float32Array(6), 2, 3);
  expect([...integers]).toEqual([0, 0, 0, 0, 0, 0]);
  expect(new Set(scales)).toEqual(new Set([0]));
  const broken = Float32Array.of(1, Number.NaN, 2, 4, 5, 6, 7, 8, 9);
  expect([...round(broken, 3, 3).scales].filter(Number.isNaN)).toHaveLength(1);
});
