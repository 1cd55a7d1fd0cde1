// Loaded into the engine's process with --import: model runs never return while the file exists.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

const { InferenceSession } = createRequire(import.meta.url)('onnxruntime-node');
const { run } = InferenceSession.prototype;
InferenceSession.prototype.run = function (...parameters) {
  const blocked = new Int32Array(new SharedArrayBuffer(4));
  while (existsSync(process.env.SVC_TEST_HANG)) Atomics.wait(blocked, 0, 0, 50);
  return run.apply(this, parameters);
};
