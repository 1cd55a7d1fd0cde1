// Graphs with dynamic dimensions: one session, many shapes.
import { describe, expect, it } from 'vitest';
import { concatLast, GraphBuilder, reshape, splitLast } from '../../../lib/engine/graph/index.js';
import { createSession } from '../../../lib/engine/runtime/index.js';

const floats = (values: number[], shape: number[]) => ({ values: Float32Array.from(values), shape });

describe('dynamic dimensions', () => {
  it('can differ in every run', async () => {
    const graph = new GraphBuilder();
    const a = graph.input('a', 'float32', ['lines', 'left']);
    const b = graph.input('b', 'float32', ['lines', 'right']);
    const joined = graph.output('joined', concatLast(graph, a, b));
    const cut = splitLast(graph, joined, graph.input('lengths', 'int64', [2]), [a, b]);
    cut.forEach((part, i) => {
      graph.output(`part${i}`, part);
    });
    const session = await createSession(graph);
    const run = (left: number[], right: number[], lines: number) => {
      const [l, r] = [left.length / lines, right.length / lines];
      const lengths = { values: BigInt64Array.of(BigInt(l), BigInt(r)), shape: [2] };
      return session.run({ a: floats(left, [lines, l]), b: floats(right, [lines, r]), lengths });
    };
    const first = await run([1, 2], [3, 4, 5, 6], 2);
    expect([...first.joined!]).toEqual([1, 3, 4, 2, 5, 6]);
    expect([...first.part0!]).toEqual([1, 2]);
    const second = await run([], [7, 8], 1);
    expect([...second.part1!]).toEqual([7, 8]);
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
