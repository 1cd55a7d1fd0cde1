// What is sent to a Ray cluster can be put together from what was built.
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { buildPackage } from '../../lib/cloud/ray/index.js';

it('the engine for a cluster is whole, with ONNX Runtime', async () => {
  const { bytes } = await buildPackage(fileURLToPath(new URL('../..', import.meta.url)), true);
  const runtime = 'node_modules/onnxruntime-node/package.json';
  for (const path of ['svc_ray/run.py', 'dist/lib/engine/run-worker.js', runtime])
    expect(Buffer.from(bytes).includes(path), path).toBe(true);
});
