// How many tokens a pass has room for.
import type { ModelConfig } from '../model/index.js';
import { LARGEST_PASS } from './packing.js';

type StepShape = Pick<ModelConfig, 'layers' | 'hidden' | 'intermediate' | 'vocabulary' | 'mixers'>;

/** What the activations of a pass may take, and the fewest tokens that are worth a pass. */
const [ACTIVATION_BYTES, SMALLEST_PASS] = [512 * 2 ** 20, 256];

/** What the logits of a pass and their probabilities may take, if each of its tokens has a label. */
const LOGIT_BYTES = 2 ** 30;

/** The most tokens of a pass without a backward pass, for which nothing is saved. */
export function lossPassTokens({ vocabulary }: Pick<ModelConfig, 'vocabulary'>): number {
  const fitting = Math.floor(LOGIT_BYTES / (2 * Float32Array.BYTES_PER_ELEMENT * vocabulary));
  return Math.min(LARGEST_PASS, Math.max(SMALLEST_PASS, fitting));
}

/** As many tokens as their activations, which the backward pass needs, and their logits have room for. */
export function passTokens(config: StepShape): number {
  const fitting = Math.floor(ACTIVATION_BYTES / bytesOfToken(config));
  return Math.min(lossPassTokens(config), Math.max(SMALLEST_PASS, fitting));
}

/** What the backward pass needs of a token. */
export function bytesOfToken({
  layers,
  hidden,
  intermediate,
  mixers,
}: Omit<StepShape, 'vocabulary'>): number {
  // Counted in a profile of memory: the tensors of a layer with about these widths.
  const widths = layers * (14 * hidden + 6 * intermediate);
  const ofStates = mixers.map(mixer => (mixer.kind === 'delta' ? 30 * mixer.heads * mixer.valueDim : 0));
  return Float32Array.BYTES_PER_ELEMENT * ofStates.reduce((sum, numbers) => sum + numbers, widths);
}
