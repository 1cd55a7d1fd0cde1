// Given to the engine's process with --import: its runs of the model never return while the file is there.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';

const { InferenceSession } = createRequire(import.meta.url)('onnxruntime-node');
const { run } = InferenceSession.prototype;
InferenceSession.prototype.run = function (...parameters) {
  const blocked = new Int32Array(new SharedArrayBuffer(4));
  while (existsSync(process.env.SVC_TEST_HANG)) Atomics.wait(blocked, 0, 0, 50);
  return run.apply(this, parameters);
};
