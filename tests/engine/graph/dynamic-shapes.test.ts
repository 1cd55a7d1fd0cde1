// Graphs with dynamic dimensions: one session, many shapes.
import { describe, expect, it } from 'vitest';
import { GraphBuilder, reshape, splitEvenly, subtract } from '../../../lib/engine/graph/index.js';
import { createSession } from '../../../lib/engine/runtime/index.js';

describe('dynamic dimensions', () => {
  it('can differ in every run', async () => {
    const graph = new GraphBuilder();
    const a = graph.input('a', 'float32', ['lines', 'width']);
    const [left, right] = splitEvenly(graph, a, 2, 'half');
    graph.output('difference', subtract(graph, left!, right!));
    const session = await createSession(graph);
    const run = async (values: number[], shape: [number, number]) => [
      ...(await session.run({ a: { values: Float32Array.from(values), shape } })).difference!,
    ];
    expect(await run([1, 2, 5, 7], [1, 4])).toEqual([-4, -5]);
    expect(await run([1, 2, 5, 9], [2, 2])).toEqual([-1, -4]);
    await session.close();
  });

  it('stay on their axes when a tensor is reshaped, except for one that can be inferred', () => {
    const graph = new GraphBuilder();
    const a = graph.input('a', 'float32', ['batch', 'tokens', 12]);
    expect(reshape(graph, a, ['batch', 'tokens', 3, 4]).shape).toEqual(['batch', 'tokens', 3, 4]);
    const target = graph.constants.at(-1)!.source as { bytes: Uint8Array };
    expect([...new BigInt64Array(target.bytes.buffer)]).toEqual([0n, 0n, 3n, 4n]);
    reshape(graph, a, ['batch*tokens', 12]);
    const flat = graph.constants.at(-1)!.source as { bytes: Uint8Array };
    expect([...new BigInt64Array(flat.bytes.buffer)]).toEqual([-1n, 12n]);
    expect(() => reshape(graph, a, ['tokens', 'batch', 12])).toThrow('Cannot tell how to reshape');
  });
});
