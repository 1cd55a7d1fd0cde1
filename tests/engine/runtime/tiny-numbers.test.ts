// Denormals are flushed to zero: without that, a step with a large mask takes about 10% longer.
import { expect, it } from 'vitest';
import { GraphBuilder, multiply } from '../../../lib/engine/graph/index.js';
import { createSession } from '../../../lib/engine/runtime/index.js';

// Enough for every thread to get some.
const COUNT = 1 << 20;

it('flushes denormals to 0, and keeps the smallest normal number', async () => {
  const graph = new GraphBuilder();
  const a = graph.input('a', 'float32', [COUNT]);
  graph.output('product', multiply(graph, a, graph.input('b', 'float32', [COUNT])));
  const session = await createSession(graph);
  const run = async (a: number, b: number) => {
    const feeds = { a: new Float32Array(COUNT).fill(a), b: new Float32Array(COUNT).fill(b) };
    return new Set((await session.run(feeds)).product);
  };
  try {
    expect(await run(1e-20, 1e-20)).toEqual(new Set([0]));
    const [smallest] = await run(2 ** -63, 2 ** -63);
    expect(smallest).toBe(2 ** -126);
  } finally {
    await session.close();
  }
});
