// Uses ONNX Runtime as its argument says, in a process where nothing else has.
import { Worker } from 'node:worker_threads';
import * as files from '../../../lib/engine/files/work.js';
import { GraphBuilder, matMul } from '../../../lib/engine/graph/index.js';
import * as engine from '../../../lib/engine/index.js';
import { toOnnx } from '../../../lib/engine/onnx/index.js';
import { createSession } from '../../../lib/engine/runtime/index.js';

const graph = new GraphBuilder();
const [a, b] = ['a', 'b'].map(name => graph.input(name, 'float32', [2, 2]));
graph.output('product', matMul(graph, a!, b!));

async function openSession(): Promise<void> {
  delete process.env.ORT_DISABLE_TELEMETRY;
  await (await createSession(graph)).close();
}

const isLoaded = () => {
  const { sharedObjects } = process.report.getReport() as unknown as { sharedObjects: string[] };
  return sharedObjects.some(path => path.includes('onnxruntime'));
};

const USES: Record<string, () => unknown> = {
  openSession,
  async openWithoutSetting() {
    const { InferenceSession } = (await import('onnxruntime-node')).default;
    await (await InferenceSession.create(toOnnx(graph))).release();
  },
  openInThread: () => new Worker(new URL(import.meta.url), { argv: ['openSession'] }),
  async tellWhenLoaded() {
    // A bundle has only what is used of them.
    for (const room of [engine, files]) if (Object.keys(room).length === 0) throw new Error('Empty.');
    console.log(isLoaded());
    await openSession();
    console.log(isLoaded());
  },
};

await USES[process.argv[2]!]!();
