// Matrix products with frozen int8 matrices, compared with float32.
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  add,
  cast,
  type Graph,
  GraphBuilder,
  gatherRows,
  gemm,
  matMul,
  sizeOf,
  slice,
  type Tensor,
} from '../../../lib/engine/graph/index.js';
import { withInt8Weights } from '../../../lib/engine/int8/index.js';
import { createSession } from '../../../lib/engine/runtime/index.js';
import { createRandom } from '../../support/random.js';

const [TOKENS, IN, OUT] = [6, 200, 40];

let folder: string;
let former: string | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-int8-test-'));
  former = process.env.TMPDIR;
  process.env.TMPDIR = folder;
});

afterEach(async () => {
  if (former === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = former;
  await rm(folder, { recursive: true });
});

const numbers = (seed: number, shape: readonly number[]) => createRandom(seed).normal(sizeOf(shape));

function frozen(graph: GraphBuilder, name: string, shape: readonly number[]): Tensor {
  const values = numbers(name.length, shape);
  return graph.constant(name, 'float32', shape, { bytes: new Uint8Array(values.buffer) });
}

type Build = (graph: GraphBuilder, x: Tensor) => Tensor;

function graphOf(build: Build): GraphBuilder {
  const graph = new GraphBuilder();
  graph.output('y', build(graph, graph.input('x', 'float32', [TOKENS, IN])));
  return graph;
}

async function compute(graph: Graph, weights: 'f32' | 'int8'): Promise<Float32Array> {
  const session = await createSession(graph, { weights, threads: 1 });
  try {
    return (await session.run({ x: numbers(9, [TOKENS, IN]) })).y!;
  } finally {
    await session.close();
  }
}

/** The relative error. */
async function errorOf(build: Build): Promise<number> {
  const [exact, rounded] = [await compute(graphOf(build), 'f32'), await compute(graphOf(build), 'int8')];
  const norm = (values: Float32Array) => Math.hypot(...values);
  return norm(exact.map((value, i) => value - rounded[i]!)) / norm(exact);
}

const opsOf = (graph: Graph) =>
  withInt8Weights(graph, async ({ nodes }) => nodes.map(({ op }) => op).filter(op => op !== 'Identity'));

describe('a product with a frozen matrix', () => {
  const products: [string, Build][] = [
    ['plain', (graph, x) => matMul(graph, x, frozen(graph, 'w', [IN, OUT]))],
    ['transposed', (graph, x) => matMul(graph, x, frozen(graph, 'w', [OUT, IN]), { transB: true })],
    [
      'with a matrix added',
      (graph, x) => gemm(graph, x, frozen(graph, 'w', [IN, OUT]), frozen(graph, 'added', [TOKENS, OUT])),
    ],
    [
      'with a bias',
      (graph, x) =>
        gemm(graph, x, frozen(graph, 'w', [OUT, IN]), frozen(graph, 'bias', [OUT]), { transB: true }),
    ],
    [
      'with a slice of its rows',
      (graph, x) =>
        matMul(graph, x, slice(graph, frozen(graph, 'w', [100, IN]), 0, 30, 71), { transB: true }),
    ],
    [
      'twice with the same matrix, plain and transposed',
      (graph, x) => {
        const w = frozen(graph, 'w', [OUT, IN]);
        return matMul(graph, matMul(graph, x, w, { transB: true }), w);
      },
    ],
  ];

  it.each(products)('is slightly off: %s', async (_, build) => {
    const error = await errorOf(build);
    expect(error).toBeLessThan(0.02);
    expect(error).toBeGreaterThan(1e-4);
  });

  it.each(['float16', 'bfloat16'] as const)('reads %s weights from their file', async dtype => {
    const halves = Uint16Array.from({ length: OUT * IN }, (_, i) => 0x3c00 + (i % 512)); // 1 to 1.5, or 0.008 to 0.03
    const file = join(folder, 'halves');
    await writeFile(file, new Uint8Array([7, 7, ...new Uint8Array(halves.buffer)]));
    const source = { file, offset: 2, length: halves.byteLength };
    const error = await errorOf((graph, x) => {
      const w = cast(graph, graph.constant('w', dtype, [OUT, IN], source), 'float32');
      return matMul(graph, x, slice(graph, w, 0, 7, 33), { transB: true });
    });
    expect(error).toBeLessThan(0.05);
    expect(error).toBeGreaterThan(1e-5);
  });

  it('removes the original matrix from the graph, and its temporary file', async () => {
    const build: Build = (graph, x) =>
      matMul(graph, x, slice(graph, frozen(graph, 'w', [OUT, IN]), 0, 0, 9), { transB: true });
    const names = await withInt8Weights(graphOf(build), async ({ constants, nodes }) => [
      ...constants.map(({ tensor }) => tensor.name),
      ...nodes.map(({ op }) => op),
    ]);
    expect(names).toEqual([
      expect.stringMatching(/\.rows\.bytes$/),
      expect.stringMatching(/\.rows\.scales$/),
      'MatMulNBits',
      'Identity',
    ]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('removes its temporary file when the session fails', async () => {
    const graph = graphOf((g, x) => matMul(g, x, frozen(g, 'w', [IN, OUT])));
    await expect(withInt8Weights(graph, () => Promise.reject(new Error('No.')))).rejects.toThrow('No.');
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('the rest of the graph stays unchanged', () => {
  it('products of computed matrices, scaled products, and products with the frozen matrix on the left', async () => {
    const graph = graphOf((g, x) => {
      const own = matMul(g, x, x, { transB: true });
      const scaled = matMul(g, x, frozen(g, 'w', [TOKENS, IN]), { transB: true, alpha: 0.5 });
      const left = matMul(g, frozen(g, 'left', [TOKENS, IN]), x, { transB: true });
      return add(g, add(g, own, scaled), left);
    });
    expect(await opsOf(graph)).toEqual(['FusedMatMul', 'FusedMatMul', 'FusedMatMul', 'Add', 'Add']);
  });

  it('a matrix whose rows are also gathered, next to its quantized copy', async () => {
    const graph = graphOf((g, x) => {
      const table = frozen(g, 'table', [TOKENS, IN]);
      const picked = gatherRows(g, table, g.values('int64', [TOKENS], [0, 5, 4, 3, 2, 1]));
      return matMul(g, add(g, x, picked), table, { transB: true });
    });
    expect(await opsOf(graph)).toEqual(['Gather', 'Add', 'MatMulNBits']);
    await withInt8Weights(graph, async ({ constants }) => {
      expect(constants.find(({ tensor }) => tensor.name === 'table')).toBeDefined();
    });
  });
});
