// All that depends on where ONNX Runtime computes, in one table. Others pass the provider's name on.
import type { Graph } from '../graph/index.js';
import type { WeightPrecision } from '../int8/index.js';
import { lowerForWebGpu } from '../webgpu/index.js';
import type { InferenceSession } from './load.js';

/** `webgpu` fails on machines without it. */
export type ProviderName = 'cpu' | 'webgpu';

interface ProviderTraits {
  /** Throws if it is not among those that ONNX Runtime bundles for this machine. */
  assertThere(bundled: readonly string[]): void;
  /** The graph in operators that it has. */
  lower(graph: Graph): Graph;
  /** Of a session whose outputs of these names stay where they are computed. */
  sessionOptions(kept: readonly string[]): InferenceSession.SessionOptions;
  /** What an error of a session means: one that it was not opened, or that it failed. */
  toFault(error: Error, what: 'cannot be used' | 'failed'): Error;
  /** Of frozen weights. */
  precisions: readonly WeightPrecision[];
  /** Whether it has its own memory: values that others do not read stay there from run to run. */
  isApart: boolean;
  /** Whether its results are what others are compared with. */
  isReference: boolean;
}

/** A GPU is missing, was lost, ran out of memory or computes something wrong: the same work may succeed on the CPU. */
export class DeviceError extends Error {
  override readonly name = 'DeviceError';
}

const PROVIDERS: Readonly<Record<ProviderName, ProviderTraits>> = {
  cpu: {
    assertThere: () => {},
    lower: graph => graph,
    sessionOptions: () => ({}),
    toFault: error => error,
    precisions: ['f32', 'int8'],
    isApart: false,
    isReference: true,
  },
  webgpu: {
    assertThere(bundled) {
      if (!bundled.includes('webgpu'))
        throw new DeviceError('ONNX Runtime has no GPU support on this machine.');
    },
    lower: lowerForWebGpu,
    sessionOptions: kept => ({
      preferredOutputLocation: Object.fromEntries(kept.map(name => [name, 'gpu-buffer'] as const)),
    }),
    // A bundled provider may still find no device.
    toFault: (cause, what) => new DeviceError(`The GPU ${what}: ${reasonOf(cause)}`, { cause }),
    precisions: ['f32', 'f16'],
    isApart: true,
    isReference: false,
  },
};

/** Of a provider, which is the CPU where none is named. */
export const traitsOf = ({ provider = 'cpu' }: { provider?: ProviderName | undefined }): ProviderTraits =>
  PROVIDERS[provider];

/** Without the place in the runtime's own code. */
const reasonOf = ({ message }: Error) =>
  message
    .split('\n')[0]!
    .replace(/^.* was false\. /, '')
    .replace(/\.?$/, '.');
