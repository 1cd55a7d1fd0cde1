// Sessions over graphs, and the tensors that go in and out.

import type { Dimension, Graph } from '../graph/index.js';
import { withInt8Weights } from '../int8/index.js';
import { toOnnx, weightsFolder } from '../onnx/index.js';
import {
  loadOnnxRuntime,
  type InferenceSession as NativeSession,
  type Tensor as NativeTensor,
} from './load.js';

const { InferenceSession, listSupportedBackends, Tensor } = loadOnnxRuntime();

export type Values = Float32Array | BigInt64Array | Uint8Array;

/** Values of an input whose shape the graph leaves open. */
export interface ShapedValues {
  values: Values;
  shape: readonly number[];
}

/** How matrices that no run changes are held: as they are, or rounded to 8 bits, which is faster and smaller. */
export type WeightPrecision = 'f32' | 'int8';

export interface SessionOptions {
  /** `webgpu` where it is asked for and there. */
  provider?: 'cpu' | 'webgpu';
  /** `f32` unless given. */
  weights?: WeightPrecision;
  threads?: number | undefined;
  /** Threads that wait for work keep spinning: faster steps, for a busy processor. On in training. */
  spinning?: boolean;
  /** Weights are laid out anew for speed, which takes memory and time at the start. Those in 8 bits always are. */
  prepacking?: boolean;
}

export type Inputs = Readonly<Record<string, Values | ShapedValues>>;

export interface Session {
  /** Computes the outputs for these inputs, by name, in as many parts as is handy. Blocks its thread while it does. */
  run(...inputs: Inputs[]): Promise<Record<string, Float32Array>>;
  /** Gives the memory back. */
  close(): Promise<void>;
}

/** A session that runs a graph. Weights that lie in files are read from there. */
export async function createSession(graph: Graph<Dimension>, options: SessionOptions = {}): Promise<Session> {
  assertProvider(options.provider ?? 'cpu');
  const session =
    options.weights === 'int8'
      ? await withInt8Weights(graph, rounded => open(rounded, { ...options, prepacking: true }))
      : await open(graph, options);
  const shapes = new Map(graph.inputs.map(({ name, shape, dtype }) => [name, { shape, dtype }]));
  const toTensor = (name: string, given: Values | ShapedValues) => {
    const known = shapes.get(name);
    if (!known) throw new Error(`The graph has no input ${name}.`);
    const { values, shape } = 'shape' in given ? given : { values: given, shape: known.shape };
    return new Tensor(known.dtype as 'float32', values as Float32Array, shape as readonly number[]);
  };
  return {
    async run(...inputs) {
      // Without a prototype it is a hash table from the start: hundreds of names do not slow it down.
      const feeds: Record<string, NativeTensor> = Object.create(null);
      for (const part of inputs) for (const name in part) feeds[name] = toTensor(name, part[name]!);
      const results = await session.run(feeds);
      return Object.fromEntries(
        Object.entries(results).map(([name, { data }]) => [name, data as Float32Array]),
      );
    },
    close: () => session.release(),
  };
}

function open(graph: Graph<Dimension>, options: SessionOptions): Promise<NativeSession> {
  const { provider = 'cpu', threads, spinning = false, prepacking = true } = options;
  const folder = weightsFolder(graph);
  const session = InferenceSession.create(toOnnx(graph), {
    executionProviders: [provider],
    ...(threads !== undefined && { intraOpNumThreads: threads }),
    enableMemPattern: false,
    logSeverityLevel: 3,
    extra: {
      session: {
        ...(folder !== null && { model_external_initializers_file_folder_path: folder }),
        intra_op: { allow_spinning: spinning ? '1' : '0' },
        force_spinning_stop: '1',
        // Numbers below 1.2e-38, as a softmax gives to what is masked, take many times as long as 0. The first
        // session of a process decides for the thread that calls it, JavaScript's own numbers included.
        set_denormal_as_zero: '1',
        disable_prepacking: prepacking ? '0' : '1',
      },
    },
  });
  return session.catch((cause: Error) => {
    throw provider === 'cpu' ? cause : unusable(provider, cause);
  });
}

/** What ONNX Runtime was built with for this machine. */
export function providers(): string[] {
  return listSupportedBackends()
    .filter(({ bundled }) => bundled)
    .map(({ name }) => name);
}

/** A provider that is in the package may still find no device here. */
function unusable(provider: string, cause: Error): Error {
  const [reason] = cause.message.split('\n');
  return new Error(`The ${provider} provider cannot be used on this machine: ${reason} Use cpu.`, { cause });
}

function assertProvider(provider: string): void {
  if (provider !== 'cpu' && !providers().includes(provider)) {
    throw new Error(`ONNX Runtime has no ${provider} provider on this machine. Use cpu.`);
  }
}
