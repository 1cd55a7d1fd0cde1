// What the operators refuse before any session is made, and what the gradients' tests cannot see.
import { describe, expect, it } from 'vitest';
import { add, GraphBuilder, matMul, normalizeRows, reshape } from '../../../lib/engine/graph/index.js';
import { createSession } from '../../../lib/engine/runtime/index.js';

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

describe('the norm of a row', () => {
  it('adds its own epsilon to the mean of the squares', async () => {
    const graph = new GraphBuilder();
    const row = graph.input('row', 'float32', [1, 2]);
    const scale = graph.input('scale', 'float32', [2]);
    const [normal] = normalizeRows(graph, row, scale, 1.5);
    graph.output('normal', normal);
    const session = await createSession(graph);
    const feeds = {
      row: { values: Float32Array.of(3, 4), shape: [1, 2] },
      scale: { values: Float32Array.of(1, 2), shape: [2] },
    };
    // (9 + 16) / 2 + 1.5 = 14
    const { normal: values } = await session.run(feeds);
    expect([...values!].map(value => value * Math.sqrt(14))).toEqual([
      expect.closeTo(3, 4),
      expect.closeTo(8, 4),
    ]);
    await session.close();
  });
});
