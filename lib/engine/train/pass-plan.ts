// How passes are formed for the place where they are computed.
import type { ModelConfig, ParameterForm } from '../model/index.js';
import { DeviceError, type Inputs, isOutOfMemory } from '../runtime/index.js';
import {
  assertScoresFit,
  devicePassTokens,
  logitsAtOnce,
  mostScores,
  readDeviceLimits,
  smallerPass,
} from './device/limits.js';
import { type Pass, toInputs } from './packing.js';
import type { Compute } from './provider-check.js';
import type { StepRunner } from './runners.js';

export interface PassPlan {
  /** As a runner has them. */
  limits: Pick<StepRunner, 'passTokens' | 'passScores'>;
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

/** For lines of up to `longest` tokens; `tokensHere` says how many the CPU computes at once. */
export async function planPasses(
  config: ModelConfig,
  longest: number,
  { provider = 'cpu', mostPassTokens = Number.POSITIVE_INFINITY }: Compute,
  tokensHere: (config: ModelConfig) => number,
): Promise<PassPlan> {
  const inputsOf = (pass: Pass) => toInputs(pass, config);
  if (provider === 'cpu') {
    const form = 'each';
    return {
      limits: { passTokens: tokensHere(config) },
      form,
      formOf: () => ({ form }),
      compute: (pass, run) => run(inputsOf(pass)),
    };
  }
  assertComputable(config);
  const limits = await readDeviceLimits(config, longest, { provider });
  const passTokens = Math.min(mostPassTokens, devicePassTokens(config, longest, limits));
  // A pair of answers has two texts.
  const mostLabels = Math.max(passTokens, 2 * longest);
  const form = 'flat';
  return {
    limits: { passTokens, passScores: mostScores(config, limits) },
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
      assertScoresFit(pass, config, limits);
      try {
        return await run(inputsOf(pass));
      } catch (error) {
        const smaller = smallerPass(Math.min(passTokens, pass.ids.length));
        if (!(error instanceof DeviceError && isOutOfMemory(error)) || smaller === null) throw error;
        throw new GpuMemoryError(error, smaller);
      }
    },
  };
}

/** @internal */
export function assertComputable({ mixers }: ModelConfig): void {
  if (mixers.some(({ kind }) => kind === 'delta'))
    throw new DeviceError('The GPU cannot be used: layers with a gated delta rule are computed on the CPU.');
}
