// How passes are formed for the place where they are computed.
import { type ModelConfig, type ParameterForm, weightShapes } from '../model/index.js';
import { DeviceError } from '../runtime/index.js';
import {
  type DeviceLimits,
  devicePassTokens,
  LARGEST_DEVICE_PASS,
  logitsAtOnce,
  readDeviceLimits,
} from './device/limits.js';
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
  const limits = await readDeviceLimits(largestTensorOf(config, longest), { provider });
  assertWeightsFit(config, limits);
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

const FLOAT = Float32Array.BYTES_PER_ELEMENT;

const bytesOf = (shape: readonly number[]) => shape.reduce((size, length) => size * length, FLOAT);

function bytesOfWeights(config: ModelConfig): number {
  return [...weightShapes(config).values()].reduce((sum, shape) => sum + bytesOf(shape), 0);
}

/** What the largest tensors of a pass have, if it is as large as is of use. */
function largestTensorOf(config: ModelConfig, longest: number): number {
  const tokens = Math.max(LARGEST_DEVICE_PASS, longest);
  return FLOAT * tokens * Math.max(config.vocabulary, config.heads * longest, config.intermediate);
}

function assertWeightsFit(config: ModelConfig, { largestTensor }: DeviceLimits): void {
  const largest = Math.max(...[...weightShapes(config).values()].map(bytesOf));
  if (largest > largestTensor)
    throw new DeviceError(
      `A weight of the base model has ${toGigabytes(largest)}, and the GPU's buffers hold ${toGigabytes(largestTensor)}.`,
    );
}

/** The scores of attention are the tensor that grows with the square of a row. @internal */
export function assertScoresFit(
  { lines: { count, length } }: Pass,
  { heads }: ModelConfig,
  { largestTensor }: DeviceLimits,
): void {
  const bytes = FLOAT * heads * count * length * length;
  if (bytes <= largestTensor) return;
  throw new DeviceError(
    `A row of ${length} tokens needs ${toGigabytes(bytes)} at once, and the GPU's buffers hold ${toGigabytes(largestTensor)}.`,
  );
}

const toGigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
