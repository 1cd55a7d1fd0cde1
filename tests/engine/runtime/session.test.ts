// What a session does beside its mathematics: on which provider, with which inputs and numbers, and how it fails.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { GraphBuilder, matMul, multiply, reduce } from '../../../lib/engine/graph/index.js';
import { toOnnx } from '../../../lib/engine/onnx/index.js';
import { createSession, isOutOfMemory } from '../../../lib/engine/runtime/index.js';
import { loadOnnxRuntime } from '../../../lib/engine/runtime/load.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

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
    expect(result).toMatch(
      /^(?:ONNX Runtime has no GPU support on this machine\.|The GPU cannot be used: (?!.*onnxruntime_src).+)$/s,
    );
  else expect(result).toEqual([7, 10, 15, 22]);
});

it('rejects an input that the graph does not have', async () => {
  const session = await createSession(productGraph());
  onTestFinished(() => session.close());
  await expect(session.run({ b: new Float32Array(4) })).rejects.toThrow('The graph has no input b.');
});

// Without that, a step with a large mask takes about 10% longer.
it('flushes denormals to 0, and keeps the smallest normal number', async () => {
  const count = 1 << 20; // Enough for every thread to get some.
  const graph = new GraphBuilder();
  const a = graph.input('a', 'float32', [count]);
  graph.output('product', multiply(graph, a, graph.input('b', 'float32', [count])));
  const session = await createSession(graph);
  onTestFinished(() => session.close());
  const square = async (x: number) => {
    const values = new Float32Array(count).fill(x);
    return [...new Set((await session.run({ a: values, b: values })).product)];
  };
  expect(await square(1e-20)).toEqual([0]);
  expect(await square(2 ** -63)).toEqual([2 ** -126]);
});

it.each<[unknown, boolean]>([
  [new Error('std::bad_alloc'), true],
  [new Error('Failed to allocate memory for requested buffer of size 7'), true],
  [new Error('Array buffer allocation failed'), true],
  [new Error('Out of memory'), true],
  [new Error('vkAllocateMemory failed with VK_ERROR_OUT_OF_DEVICE_MEMORY'), true],
  [new Error('Creating a resource failed with E_OUTOFMEMORY'), true],
  [new Error('row 3: not valid JSON'), false],
  ['Out of memory', false],
])('tells by the words of an error whether memory ran out: %s', (error, isIt) => {
  expect(isOutOfMemory(error)).toBe(isIt);
});

it('a result of an early stage is computed before the stages that do not need it', async () => {
  const graph = new GraphBuilder();
  let x = graph.input('x', 'float32', ['rows', 8]);
  for (let stage = 0; stage < 5; stage++) {
    x = multiply(graph, x, graph.values('float32', [], [2 + stage]));
    graph.output(`sum.${stage}`, reduce(graph, 'ReduceSum', x, 1));
  }
  const ran = await operatorsOf(graph);
  expect(ran).toEqual(Array.from({ length: 5 }, () => ['Mul', 'ReduceSum']).flat());
});

it('a result may be computed from another one', async () => {
  const graph = new GraphBuilder();
  const x = graph.input('x', 'float32', [2]);
  const square = graph.output('square', multiply(graph, x, x));
  graph.output('cube', multiply(graph, square, x));
  const session = await createSession(graph);
  onTestFinished(() => session.close());
  const { square: two, cube } = await session.run({ x: Float32Array.of(2, 3) });
  expect([[...two!], [...cube!]]).toEqual([
    [4, 9],
    [8, 27],
  ]);
});

/** In the order in which they ran, as the runtime's own profile tells. */
async function operatorsOf(graph: GraphBuilder): Promise<string[]> {
  const folder = temporaryFolder('svc-profile');
  const { InferenceSession, Tensor } = loadOnnxRuntime();
  const options = {
    enableProfiling: true,
    profileFilePrefix: join(folder, 'profile'),
    // The first session of a process decides it for all of them.
    extra: { session: { set_denormal_as_zero: '1' } },
  };
  const session = await InferenceSession.create(toOnnx(graph), options);
  await session.run({ x: new Tensor('float32', new Float32Array(16).fill(1), [2, 8]) });
  session.endProfiling();
  await session.release();
  const [file] = await readdir(folder);
  const profile = await readFile(join(folder, file!), 'utf8');
  const events = JSON.parse(profile) as { name: string; args?: { op_name: string } }[];
  return events.flatMap(({ name, args }) => (name.endsWith('_kernel_time') ? [args!.op_name] : []));
}
