// How passes are formed for the place where they are computed.
import type { ModelConfig, ParameterForm } from '../model/index.js';
import { weightShapes } from '../model/index.js';
import { DeviceError } from '../runtime/index.js';
import {
  type DeviceLimits,
  devicePassTokens,
  LARGEST_TENSOR,
  logitsAtOnce,
  readDeviceMemory,
} from './device-limits.js';
import type { Pass } from './packing.js';
import type { Compute } from './provider-check.js';

export interface PassPlan {
  /** The most tokens to compute in a pass. */
  passTokens: number;
  form: ParameterForm;
  /** What the graphs of a model are built with; of the model itself, or of a miniature of it. */
  formOf(config: ModelConfig): { form: ParameterForm; logitsAtOnce?: number };
  /** Throws if the place cannot hold a pass. */
  assertFits(pass: Pass): void;
}

/** For lines of up to `longest` tokens; `tokensHere` says how many the CPU computes at once. */
export async function planPasses(
  config: ModelConfig,
  longest: number,
  { provider = 'cpu' }: Compute,
  tokensHere: (config: ModelConfig) => number,
): Promise<PassPlan> {
  if (provider === 'cpu') {
    const form = 'each';
    return { passTokens: tokensHere(config), form, formOf: () => ({ form }), assertFits: () => {} };
  }
  const limits = { largestTensor: LARGEST_TENSOR, memory: await readDeviceMemory() };
  const passTokens = devicePassTokens(config, longest, bytesOfWeights(config), limits);
  const mostLabels = Math.max(passTokens, longest);
  const form = 'flat';
  return {
    passTokens,
    form,
    formOf: ({ vocabulary }) => ({
      form,
      // A miniature has parts, too, so that they are checked.
      logitsAtOnce:
        vocabulary === config.vocabulary
          ? logitsAtOnce(vocabulary, mostLabels, limits)
          : Math.ceil(vocabulary / 2),
    }),
    assertFits: pass => assertScoresFit(pass, config, limits),
  };
}

function bytesOfWeights(config: ModelConfig): number {
  const sizes = [...weightShapes(config).values()].map(shape =>
    shape.reduce((size, length) => size * length, 1),
  );
  return Float32Array.BYTES_PER_ELEMENT * sizes.reduce((sum, size) => sum + size, 0);
}

/** The scores of attention are the tensor that grows with the square of a row. */
function assertScoresFit(
  { lines: { count, length } }: Pass,
  { heads }: ModelConfig,
  { largestTensor }: DeviceLimits,
): void {
  const bytes = Float32Array.BYTES_PER_ELEMENT * heads * count * length * length;
  if (bytes <= largestTensor) return;
  throw new DeviceError(
    `A row of ${length} tokens needs ${toGigabytes(bytes)} at once, and the GPU's buffers hold ${toGigabytes(largestTensor)}.`,
  );
}

const toGigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
