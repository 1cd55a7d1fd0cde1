// Results are computed as soon as they can be. The order is the runtime's, so its own profile tells.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { GraphBuilder, multiply, reduce } from '../../../lib/engine/graph/index.js';
import { toOnnx } from '../../../lib/engine/onnx/index.js';
import { loadOnnxRuntime } from '../../../lib/engine/runtime/load.js';

const STAGES = 5;

test('a result of an early stage is computed before the stages that do not need it', async () => {
  const graph = new GraphBuilder();
  let x = graph.input('x', 'float32', ['rows', 8]);
  for (let stage = 0; stage < STAGES; stage++) {
    x = multiply(graph, x, graph.values('float32', [], [2 + stage]));
    graph.output(`sum.${stage}`, reduce(graph, 'ReduceSum', x, 1));
  }
  const ran = await operatorsOf(graph);
  expect(ran).toEqual(Array.from({ length: STAGES }, () => ['Mul', 'ReduceSum']).flat());
});

/** In the order in which they ran. */
async function operatorsOf(graph: GraphBuilder): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-profile-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { InferenceSession, Tensor } = loadOnnxRuntime();
  const session = await InferenceSession.create(toOnnx(graph), {
    enableProfiling: true,
    profileFilePrefix: join(folder, 'profile'),
  });
  await session.run({ x: new Tensor('float32', new Float32Array(16).fill(1), [2, 8]) });
  session.endProfiling();
  await session.release();
  const [file] = await readdir(folder);
  const events = JSON.parse(await readFile(join(folder, file!), 'utf8')) as ProfileEvent[];
  return events.flatMap(({ name, args }) => (name.endsWith('_kernel_time') ? [args!.op_name] : []));
}

interface ProfileEvent {
  name: string;
  args?: { op_name: string };
}
