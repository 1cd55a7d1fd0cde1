import { expect, it } from 'vitest';
import { GraphBuilder, matMul } from '../../../lib/engine/graph/index.js';
import { createSession } from '../../../lib/engine/runtime/index.js';

function productGraph(): GraphBuilder {
  const graph = new GraphBuilder();
  const a = graph.input('a', 'float32', [2, 2]);
  graph.output('square', matMul(graph, a, a));
  return graph;
}

it('runs on the requested provider, or reports that this machine has none', async () => {
  const a = Float32Array.of(1, 2, 3, 4);
  const result = await createSession(productGraph(), { provider: 'webgpu' }).then(
    async session => [...(await session.run({ a })).square!],
    (error: Error) => error.message,
  );
  if (typeof result === 'string')
    expect(result).toMatch(/webgpu provider (cannot be used )?on this machine.*Use cpu\.$/s);
  else expect(result).toEqual([7, 10, 15, 22]);
});

it('rejects an input that the graph does not have', async () => {
  const session = await createSession(productGraph());
  await expect(session.run({ b: new Float32Array(4) })).rejects.toThrow('The graph has no input b.');
  await session.close();
});
