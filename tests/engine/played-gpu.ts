// A GPU that is played by the CPU: it computes the graphs of a GPU, keeps what stays there, and fails when a test says so.
import type * as runtime from '../../lib/engine/runtime/index.js';
import { lowerForWebGpu } from '../../lib/engine/webgpu/index.js';

export interface PlayedGpu {
  /** Runs until it fails. */
  left: number;
  runs: number;
  /** Tensors that stay there. */
  kept: Set<runtime.Kept>;
}

/** What replaces `createSession`. */
export function playGpu(
  gpu: PlayedGpu,
  { createSession, DeviceError }: typeof runtime,
): typeof createSession {
  return async (graph, options = {}) => {
    if (options.provider !== 'webgpu') return createSession(graph, options);
    const session = await createSession(lowerForWebGpu(graph), { ...options, provider: 'cpu' });
    return {
      ...session,
      async runAndKeep(...inputs) {
        for (const input of inputs.flatMap(part => Object.values(part)))
          if ('shape' in input && input.shape.includes(0))
            throw new Error('A kernel cannot compute no rows.');
        if (gpu.left-- <= 0) throw new DeviceError('The GPU failed: device lost.');
        gpu.runs++;
        const found = await session.runAndKeep(...inputs);
        for (const tensor of Object.values(found.kept)) {
          gpu.kept.add(tensor);
          const { dispose } = tensor;
          tensor.dispose = () => {
            gpu.kept.delete(tensor);
            dispose.call(tensor);
          };
        }
        return found;
      },
    };
  };
}
