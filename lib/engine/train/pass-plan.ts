// How passes are formed for the place where they are computed.
import type { ModelConfig, ParameterForm } from '../model/index.js';
import { DeviceError, type Inputs, isOutOfMemory, type ProviderName } from '../runtime/index.js';
import {
  assertPassFits,
  devicePassTokens,
  logitsAtOnce,
  passFits,
  readDeviceLimits,
  smallerPass,
} from './device/limits.js';
import { type Pass, type PassLimits, toInputs } from './packing.js';
import type { Compute } from './provider-check.js';

export interface PassPlan {
  limits: PassLimits;
  form: ParameterForm;
  /** What the graphs of a model are built with; of the model itself, or of a miniature of it. */
  formOf(config: ModelConfig): { form: ParameterForm; logitsAtOnce?: number };
  /** Computes a pass from its inputs. Throws if the place cannot hold it. */
  compute<T>(pass: Pass, run: (inputs: Inputs) => Promise<T>): Promise<T>;
}

/** A GPU's memory ran out in a pass, and a smaller one may fit. */
export class GpuMemoryError extends DeviceError {
  /** For the next try. */
  readonly passTokens: number;

  constructor(cause: Error, passTokens: number) {
    super(cause.message, { cause });
    this.passTokens = passTokens;
  }
}

interface PlanRequest {
  config: ModelConfig;
  /** Of the lines, in tokens. */
  longest: number;
  compute: Compute;
  /** How many tokens the CPU computes at once. */
  tokensHere: (config: ModelConfig) => number;
  /** Whether a teacher's distribution is learned. */
  isSoft?: boolean;
  /** What a weight takes on a GPU. Default: as in float32. */
  bytesPerWeight?: number;
}

/** Throws if the place cannot compute the model. */
export function planPasses(request: PlanRequest): Promise<PassPlan> {
  return PLANS[request.compute.provider ?? 'cpu'](request);
}

const PLANS: Readonly<Record<ProviderName, (request: PlanRequest) => Promise<PassPlan>>> = {
  cpu: planHere,
  webgpu: planOnDevice,
};

async function planHere({ config, longest, tokensHere }: PlanRequest): Promise<PassPlan> {
  const form = 'each';
  return {
    limits: { passTokens: tokensHere(config), lineTokens: longest },
    form,
    formOf: () => ({ form }),
    compute: (pass, run) => run(toInputs(pass, config)),
  };
}

async function planOnDevice({
  config,
  longest,
  compute,
  isSoft = false,
  bytesPerWeight,
}: PlanRequest): Promise<PassPlan> {
  if (isSoft)
    throw new DeviceError("The GPU cannot be used: a teacher's distribution is learned on the CPU.");
  const { mostPassTokens = Number.POSITIVE_INFINITY } = compute;
  const limits = await readDeviceLimits(config, longest, compute);
  const passTokens = Math.min(mostPassTokens, devicePassTokens(config, longest, limits, bytesPerWeight));
  // A pair of answers has two texts.
  const mostLabels = Math.max(passTokens, 2 * longest);
  const form = 'flat';
  return {
    limits: { passTokens, lineTokens: longest, passFits: passFits(config, limits) },
    form,
    formOf: ({ vocabulary }) => ({
      form,
      // A miniature has parts, too, so that they are checked.
      logitsAtOnce:
        vocabulary === config.vocabulary
          ? logitsAtOnce(vocabulary, mostLabels, limits)
          : Math.ceil(vocabulary / 2),
    }),
    async compute(pass, run) {
      assertPassFits(pass, config, limits);
      try {
        return await run(toInputs(pass, config));
      } catch (error) {
        const smaller = smallerPass(Math.min(passTokens, pass.ids.length));
        if (!(error instanceof DeviceError && isOutOfMemory(error)) || smaller === null) throw error;
        throw new GpuMemoryError(error, smaller);
      }
    },
  };
}
