// A GPU that is played by the CPU: it computes the graphs of a GPU, keeps what stays there, counts what crosses, and fails when a test
// says so.
import type * as runtime from '../../lib/engine/runtime/index.js';
import { lowerForWebGpu } from '../../lib/engine/webgpu/index.js';

export interface PlayedGpu {
  /** Runs until it fails. */
  left: number;
  runs: Traffic[];
  /** Tensors that stay there. */
  kept: Set<runtime.Kept>;
}

/** The bytes that a run is sent and gives back, by the names of inputs and outputs. */
interface Traffic {
  sent: ReadonlyMap<string, number>;
  read: ReadonlyMap<string, number>;
}

/** Of what crosses in some runs, or of the inputs and outputs whose names begin so. */
export function bytesIn(traffic: readonly ReadonlyMap<string, number>[], name = ''): number {
  const entries = traffic.flatMap(of => [...of]);
  return entries.reduce((sum, [of, bytes]) => (of.startsWith(name) ? sum + bytes : sum), 0);
}

/** What replaces `createSession`. */
export function playGpu(
  gpu: PlayedGpu,
  { createSession, DeviceError }: typeof runtime,
): typeof createSession {
  return async (graph, options = {}) => {
    if (options.provider !== 'webgpu') return createSession(graph, options);
    const session = await createSession(lowerForWebGpu(graph), { ...options, provider: 'cpu' });
    const sizeOf = (given: runtime.Inputs[string]) => {
      if ('dims' in given) return gpu.kept.has(given) ? 0 : 4 * given.size;
      return 'shape' in given ? given.values.byteLength : given.byteLength;
    };
    async function runAndKeep(...inputs: runtime.Inputs[]) {
      const given = inputs.flatMap(part => Object.entries(part));
      for (const [, input] of given)
        if ('shape' in input && input.shape.includes(0)) throw new Error('A kernel cannot compute no rows.');
      if (gpu.left-- <= 0) throw new DeviceError('The GPU failed: device lost.');
      const sent = new Map(given.map(([name, input]) => [name, sizeOf(input)]));
      const found = await session.runAndKeep(...inputs);
      const read = Object.entries(found.values).map(([name, { byteLength }]) => [name, byteLength] as const);
      gpu.runs.push({ sent, read: new Map(read) });
      for (const tensor of Object.values(found.kept)) {
        gpu.kept.add(tensor);
        const { dispose } = tensor;
        tensor.dispose = () => {
          gpu.kept.delete(tensor);
          dispose.call(tensor);
        };
      }
      return found;
    }
    return { ...session, runAndKeep, run: async (...inputs) => (await runAndKeep(...inputs)).values };
  };
}
