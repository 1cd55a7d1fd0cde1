// The only place that loads ONNX Runtime, and it loads it silent.
import { createRequire } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import { TELEMETRY_OFF } from '../telemetry.js';

export type OnnxRuntime = typeof import('onnxruntime-node');
export type { InferenceSession, Tensor } from 'onnxruntime-node';

/**
 * The runtime reads the environment once, when it is initialized, which is later than when it is loaded: at the first
 * session, unless it is asked to. So set and initialize in one turn; what changes the environment afterward is not seen.
 */
export function loadOnnxRuntime(): OnnxRuntime {
  if (!isMainThread)
    throw new Error(
      'ONNX Runtime must be loaded on the main thread: other threads cannot turn its telemetry off.',
    );
  const require = createRequire(import.meta.url);
  // Not static imports: those would run before the line below them.
  const runtime = require('onnxruntime-node') as OnnxRuntime;
  const { initOrt } = require('onnxruntime-node/dist/binding.js') as { initOrt(): void };
  Object.assign(process.env, TELEMETRY_OFF);
  initOrt();
  return runtime;
}
