// What the operators refuse before any session is made, and what the gradients' tests cannot see.
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  add,
  GraphBuilder,
  matMul,
  normalizeRows,
  reshape,
  splitEvenly,
  subtract,
} from '../../../lib/engine/graph/index.js';
import { createSession } from '../../../lib/engine/runtime/index.js';

async function open(graph: GraphBuilder) {
  const session = await createSession(graph);
  onTestFinished(() => session.close());
  return session;
}

describe('shapes that do not fit', () => {
  const graph = new GraphBuilder();
  const tensor = (...shape: number[]) => graph.input(`x${shape.join('x')}`, 'float32', shape);

  it('are refused by products, whichever side is transposed', () => {
    expect(() => matMul(graph, tensor(2, 3), tensor(2, 3))).toThrow('Cannot multiply [2,3] with [2,3].');
    expect(matMul(graph, tensor(2, 3), tensor(2, 3), { transB: true }).shape).toEqual([2, 2]);
    expect(matMul(graph, tensor(2, 3), tensor(2, 3), { transA: true }).shape).toEqual([3, 3]);
  });

  it('are refused where tensors are added or reshaped', () => {
    expect(() => add(graph, tensor(2, 3), tensor(2, 4))).toThrow('Shapes [2,3] and [2,4] do not broadcast.');
    expect(add(graph, tensor(2, 1), tensor(3)).shape).toEqual([2, 3]);
    expect(() => reshape(graph, tensor(2, 3), [4])).toThrow('Cannot reshape [2,3] to [4].');
  });
});

it('the norm of a row adds its own epsilon to the mean of the squares', async () => {
  const graph = new GraphBuilder();
  const row = graph.input('row', 'float32', [1, 2]);
  const [normal] = normalizeRows(graph, row, graph.input('scale', 'float32', [2]), 1.5);
  graph.output('normal', normal);
  const session = await open(graph);
  const { normal: values } = await session.run({ row: Float32Array.of(3, 4), scale: Float32Array.of(1, 2) });
  // (9 + 16) / 2 + 1.5 = 14
  const scaled = [...values!].map(value => value * Math.sqrt(14));
  expect(scaled).toEqual([expect.closeTo(3, 4), expect.closeTo(8, 4)]);
});

describe('dynamic dimensions', () => {
  it('can differ in every run', async () => {
    const graph = new GraphBuilder();
    const a = graph.input('a', 'float32', ['lines', 'width']);
    const [left, right] = splitEvenly(graph, a, 2, 'half');
    graph.output('difference', subtract(graph, left!, right!));
    const session = await open(graph);
    const run = async (values: number[], shape: [number, number]) => [
      ...(await session.run({ a: { values: Float32Array.from(values), shape } })).difference!,
    ];
    expect(await run([1, 2, 5, 7], [1, 4])).toEqual([-4, -5]);
    expect(await run([1, 2, 5, 9], [2, 2])).toEqual([-1, -4]);
  });

  it('stay on their axes when a tensor is reshaped, except for one that can be inferred', () => {
    const graph = new GraphBuilder();
    const a = graph.input('a', 'float32', ['batch', 'tokens', 12]);
    const target = () => {
      const { bytes } = graph.constants.at(-1)!.source as { bytes: Uint8Array };
      return [...new BigInt64Array(bytes.buffer)];
    };
    expect(reshape(graph, a, ['batch', 'tokens', 3, 4]).shape).toEqual(['batch', 'tokens', 3, 4]);
    expect(target()).toEqual([0n, 0n, 3n, 4n]);
    reshape(graph, a, ['batch*tokens', 12]);
    expect(target()).toEqual([-1n, 12n]);
    expect(() => reshape(graph, a, ['tokens', 'batch', 12])).toThrow('Cannot tell how to reshape');
  });
});
