// Runs graphs: creates ONNX Runtime sessions and converts their inputs and outputs.
import { chosenThreads } from '../environment.js';
import type { Dimension, Graph } from '../graph/index.js';
import type { IntegerForm } from '../int8/index.js';
import { toOnnx, weightsFolder } from '../onnx/index.js';
import { findIntegerForm, multiplyWith } from './integer-form.js';
import {
  loadOnnxRuntime,
  type InferenceSession as NativeSession,
  type Tensor as NativeTensor,
} from './load.js';
import { type ProviderName, traitsOf } from './provider.js';

export { DeviceError, type ProviderName, traitsOf } from './provider.js';

let loaded: ReturnType<typeof loadOnnxRuntime> | undefined;

/** On demand: processes that only read files import this, too. */
function onnxRuntime() {
  loaded ??= loadOnnxRuntime();
  return loaded;
}

export function runtimeVersion(): string {
  const { versions } = onnxRuntime().env;
  return versions.node ?? versions.common;
}

type Values = Float32Array | BigInt64Array | Uint8Array;

/** Values with their shape, for an input with several dynamic dimensions; one alone follows from the number of values. */
interface ShapedValues {
  values: Values;
  shape: readonly number[];
}

export interface SessionOptions {
  /** Defaults to `cpu`. */
  provider?: ProviderName;
  /** Defaults to the number in `SVC_THREADS`, and without it to the runtime's choice. */
  threads?: number | undefined;
  /** Lets waiting threads spin: steps are faster, but the CPU stays busy. On in training. */
  spinning?: boolean;
  /** Lets the runtime repack weights for speed, which costs memory and startup time. */
  prepacking?: boolean;
  /** Outputs that stay where they were computed. */
  keeps?: readonly string[];
}

/** Values in the runtime's own form: made once for many runs, or left where a session computed them. */
export type Kept = NativeTensor;

export function keep(values: Float32Array, shape: readonly number[]): Kept {
  return new (onnxRuntime().Tensor)('float32', values, shape);
}

/** int64; one line of them if no shape is given. */
export function integers(values: readonly number[], shape: readonly number[] = [values.length]) {
  return { values: BigInt64Array.from(values, BigInt), shape };
}

export type Inputs = Readonly<Record<string, Values | ShapedValues | Kept>>;

export interface Session {
  /** Computes the outputs; `inputs` are merged by name. Blocks the thread while it runs. */
  run(...inputs: Inputs[]): Promise<Record<string, Float32Array>>;
  /** The same, with the outputs that stay. Each must be disposed of. */
  runAndKeep(
    ...inputs: Inputs[]
  ): Promise<{ values: Record<string, Float32Array>; kept: Record<string, Kept> }>;
  close(): Promise<void>;
}

/** Creates a session for a graph. Weights in files are read from there. */
export async function createSession(graph: Graph, options: SessionOptions = {}): Promise<Session> {
  const { assertThere, toFault } = traitsOf(options);
  assertThere(bundledProviders());
  const session = await open(graph, options);
  const { Tensor } = onnxRuntime();
  const shapes = new Map(graph.inputs.map(({ name, shape, dtype }) => [name, { shape, dtype }]));
  const toTensor = (name: string, given: Values | ShapedValues | Kept) => {
    if ('dims' in given) return given;
    const known = shapes.get(name);
    if (!known) throw new Error(`The graph has no input ${name}.`);
    const { values, shape } =
      'shape' in given ? given : { values: given, shape: inferShape(name, known.shape, given.length) };
    return new Tensor(known.dtype as 'float32', values as Float32Array, shape);
  };
  const toFeeds = (inputs: readonly Inputs[]) => {
    // An object without a prototype is a hash table from the start, so hundreds of names do not slow it down.
    const feeds: Record<string, NativeTensor> = Object.create(null);
    for (const part of inputs) for (const name in part) feeds[name] = toTensor(name, part[name]!);
    return feeds;
  };
  const guard = <T>(work: Promise<T>) =>
    work.catch((error: Error) => {
      throw toFault(error, 'failed');
    });
  const keeps = new Set(options.keeps);
  const run = (inputs: readonly Inputs[]) => guard(session.run(toFeeds(inputs)));
  return {
    run: async (...inputs) => toData(await run(inputs)),
    async runAndKeep(...inputs) {
      const results = Object.entries(await run(inputs));
      const isKept = ([name]: [string, NativeTensor]) => keeps.has(name);
      const values = toData(Object.fromEntries(results.filter(result => !isKept(result))));
      return { values, kept: Object.fromEntries(results.filter(isKept)) };
    },
    close: () => guard(session.release()),
  };
}

function toData(results: Readonly<Record<string, NativeTensor>>): Record<string, Float32Array> {
  return Object.fromEntries(Object.entries(results).map(([name, { data }]) => [name, data as Float32Array]));
}

function open(graph: Graph, options: SessionOptions): Promise<NativeSession> {
  const { provider = 'cpu', threads = chosenThreads(), spinning = false, prepacking = true } = options;
  const { lower, sessionOptions, toFault } = traitsOf(options);
  const folder = weightsFolder(graph);
  const session = onnxRuntime().InferenceSession.create(toOnnx(lower(graph)), {
    executionProviders: [provider],
    ...sessionOptions(options.keeps ?? []),
    ...(threads !== undefined && { intraOpNumThreads: threads }),
    enableMemPattern: false,
    logSeverityLevel: 3,
    extra: {
      session: {
        ...(folder !== null && { model_external_initializers_file_folder_path: folder }),
        intra_op: { allow_spinning: spinning ? '1' : '0' },
        force_spinning_stop: '1',
        // Denormals, which a softmax produces for masked entries, are many times slower than 0. The first session of
        // a process sets this for the calling thread, including JavaScript's own arithmetic.
        set_denormal_as_zero: '1',
        disable_prepacking: prepacking ? '0' : '1',
      },
    },
  });
  return session.catch((error: Error) => {
    throw toFault(error, 'cannot be used');
  });
}

export async function compute(graph: Graph, inputs: Inputs): Promise<Record<string, Float32Array>> {
  const session = await createSession(graph);
  try {
    return await session.run(inputs);
  } finally {
    await session.close();
  }
}

let integerForm: Promise<IntegerForm> | undefined;

/** The form of 8-bit weights whose products are exact on this machine. */
export function exactIntegerForm(): Promise<IntegerForm> {
  integerForm ??= findIntegerForm(multiplyWith(graph => createSession(graph, { threads: 1 })));
  return integerForm;
}

function inferShape(name: string, shape: readonly Dimension[], size: number): number[] {
  const known = shape.filter(length => typeof length === 'number');
  if (shape.length - known.length > 1) throw new Error(`The shape of ${name} does not follow from its size.`);
  const rest = size / known.reduce((product, length) => product * length, 1);
  return shape.map(length => (typeof length === 'number' ? length : rest));
}

/** Those that ONNX Runtime has for this machine. */
const bundledProviders = () =>
  onnxRuntime()
    .listSupportedBackends()
    .flatMap(({ name, bundled }) => (bundled ? [name] : []));

/** ONNX Runtime, V8 and the drivers of GPUs say only in words that memory ran out. */
const WORDS =
  /bad_alloc|failed to allocate memory|array buffer allocation failed|out[ _]?of[ _]?(?:(?:device|host)[ _])?memory/i;

export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && WORDS.test(error.message);
}
