// Loads ONNX Runtime with its telemetry off. No other file may load it.
import { createRequire } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import { TELEMETRY_OFF } from '../environment.js';

type OnnxRuntime = typeof import('onnxruntime-node');

export type { InferenceSession, Tensor } from 'onnxruntime-node';

/**
 * The runtime reads the environment when it is initialized, by default with the first session. Setting the variables
 * and initializing it right here means that later changes of the environment have no effect.
 */
export function loadOnnxRuntime(): OnnxRuntime {
  if (!isMainThread)
    throw new Error(
      'ONNX Runtime must be loaded on the main thread: worker threads cannot turn off its telemetry.',
    );
  const require = createRequire(import.meta.url);
  // Not import statements: these would run before the environment is set.
  const runtime = require('onnxruntime-node') as OnnxRuntime;
  const { initOrt } = require('onnxruntime-node/dist/binding.js') as { initOrt(): void };
  Object.assign(process.env, TELEMETRY_OFF);
  initOrt();
  return runtime;
}
