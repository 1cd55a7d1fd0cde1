// Loads ONNX Runtime with its telemetry off. Nothing else may load it.
import { createRequire } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import { TELEMETRY_OFF } from '../telemetry.js';

export type OnnxRuntime = typeof import('onnxruntime-node');
export type { InferenceSession, Tensor } from 'onnxruntime-node';

/**
 * The runtime reads the environment once, when it is initialized: with the first session, long after it was loaded. So
 * the setting and the initialization happen together here, and nothing that changes the environment later is noticed.
 */
export function loadOnnxRuntime(): OnnxRuntime {
  if (!isMainThread)
    throw new Error(
      'ONNX Runtime must be loaded on the main thread: worker threads cannot turn off its telemetry.',
    );
  const require = createRequire(import.meta.url);
  // Not imports: the bundler and Node run those before any statement.
  const runtime = require('onnxruntime-node') as OnnxRuntime;
  const { initOrt } = require('onnxruntime-node/dist/binding.js') as { initOrt(): void };
  Object.assign(process.env, TELEMETRY_OFF);
  initOrt();
  return runtime;
}
