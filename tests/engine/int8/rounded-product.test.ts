// Products of rounded rows with a rounded matrix, compared with exact ones.
import { expect, it } from 'vitest';
import { GraphBuilder } from '../../../lib/engine/graph/index.js';
import { roundColumns } from '../../../lib/engine/int8/round-lines.js';
import { type RoundedOperand, RoundedProducts } from '../../../lib/engine/int8/rounded-product.js';
import { createSession, exactIntegerForm } from '../../../lib/engine/runtime/index.js';
import { createRandom } from '../../support/random.js';

const FORM = await exactIntegerForm();
const ZERO = FORM === 'uint8' ? 128 : 0;
const [ROWS, INNER, COLUMNS] = [5, 64, 24];
const weights = createRandom(1).normal(INNER * COLUMNS);

function operandIn(graph: GraphBuilder): RoundedOperand {
  const { integers, scales } = roundColumns(weights, INNER, COLUMNS);
  const bytes = Uint8Array.from(integers, value => value + ZERO);
  return {
    integers: graph.constant('w', FORM, [INNER, COLUMNS], { bytes }),
    scales: graph.constant('scales', 'float32', [COLUMNS], { bytes: new Uint8Array(scales.buffer) }),
    zero: ZERO,
  };
}

async function multiply(
  rows: Float32Array,
  options: Parameters<RoundedProducts['multiply']>[2] = {},
): Promise<Float32Array> {
  const graph = new GraphBuilder();
  const x = graph.input('x', 'float32', [ROWS, INNER]);
  graph.output('y', new RoundedProducts(graph).multiply(x, operandIn(graph), options));
  const session = await createSession(graph, { threads: 1 });
  try {
    return (await session.run({ x: rows })).y!;
  } finally {
    await session.close();
  }
}

function exactly(rows: Float32Array): Float32Array {
  return Float32Array.from({ length: ROWS * COLUMNS }, (_, i) => {
    const [row, column] = [Math.floor(i / COLUMNS), i % COLUMNS];
    let sum = 0;
    for (let k = 0; k < INNER; k++) sum += rows[row * INNER + k]! * weights[k * COLUMNS + column]!;
    return sum;
  });
}

const normOf = (values: Float32Array) => Math.hypot(...values);

function errorOfRow(found: Float32Array, wanted: Float32Array, row: number): number {
  const [a, b] = [found, wanted].map(values => values.subarray(row * COLUMNS, (row + 1) * COLUMNS));
  return normOf(a!.map((value, i) => value - b![i]!)) / normOf(b!);
}

it('are close for rows of every magnitude, since each row has its own scale', async () => {
  const rows = createRandom(2)
    .normal(ROWS * INNER)
    .map((value, i) => value * 10 ** (3 * Math.floor(i / INNER) - 6));
  const [found, wanted] = [await multiply(rows), exactly(rows)];
  for (let row = 0; row < ROWS; row++) expect(errorOfRow(found, wanted, row)).toBeLessThan(0.02);
  expect(errorOfRow(found, wanted, 0)).toBeGreaterThan(1e-4);
});

it('use the whole range for rows that are never negative', async () => {
  const rows = createRandom(3)
    .normal(ROWS * INNER)
    .map(Math.abs);
  const wanted = exactly(rows);
  const total = (found: Float32Array) => normOf(found.map((value, i) => value - wanted[i]!));
  expect(total(await multiply(rows, { range: 'positive' }))).toBeLessThan(total(await multiply(rows)));
});

it('are zero for rows of zeros', async () => {
  const rows = createRandom(2)
    .normal(ROWS * INNER)
    .fill(0, INNER, 2 * INNER);
  for (const options of [{}, { keepsNaN: false }, { terms: 2 }] as const)
    expect([...(await multiply(rows, options)).subarray(COLUMNS, 2 * COLUMNS)].map(Math.abs)).toEqual(
      Array(COLUMNS).fill(0),
    );
});

it.each([
  [Number.NaN, true],
  [Number.POSITIVE_INFINITY, true],
  [Number.POSITIVE_INFINITY, false],
])('do not hide %s, if NaN is kept: %s', async (value, keepsNaN) => {
  const rows = createRandom(2).normal(ROWS * INNER);
  rows[INNER + 3] = value;
  const found = await multiply(rows, { keepsNaN });
  expect(found.subarray(COLUMNS, 2 * COLUMNS).every(Number.isFinite)).toBe(false);
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
  const rows = createRandom(2)
    .normal(ROWS * INNER)
    .map((value, i) => (i % INNER === 7 ? 100 * value : value));
  const wanted = exactly(rows);
  const lost = async (terms: 1 | 2) => {
    const found = await multiply(rows, { terms });
    return normOf(found.map((value, i) => value - wanted[i]!)) / normOf(wanted);
  };
  expect(await lost(1)).toBeGreaterThan(0.005);
  expect(await lost(2)).toBeLessThan(0.005);
});
