// The cos and sin tables of rotary position embedding, with Llama 3's frequency scaling if the model has it.
import type { ModelConfig, RopeScaling } from './config.js';

interface RopeTables {
  /** [positions, headDim / 2] */
  cos: Float32Array;
  sin: Float32Array;
}

const TABLE_BYTES = 128 * 2 ** 20;

/** How long a text may be, so that its tables take no more than this memory, whatever the model's config says. */
export function longestText({
  headDim,
  maxPositions,
}: Pick<ModelConfig, 'headDim' | 'maxPositions'>): number {
  return Math.min(maxPositions, Math.floor(TABLE_BYTES / (headDim * Float32Array.BYTES_PER_ELEMENT)));
}

export function ropeTables({ headDim, ropeTheta, ropeScaling }: ModelConfig, positions: number): RopeTables {
  const half = headDim / 2;
  const frequencies = Array.from({ length: half }, (_, i) =>
    scale(ropeTheta ** ((-2 * i) / headDim), ropeScaling),
  );
  const cos = new Float32Array(positions * half);
  const sin = new Float32Array(positions * half);
  for (let position = 0; position < positions; position++) {
    for (let i = 0; i < half; i++) {
      const angle = position * frequencies[i]!;
      cos[position * half + i] = Math.cos(angle);
      sin[position * half + i] = Math.sin(angle);
    }
  }
  return { cos, sin };
}

/** Low frequencies are divided by the factor, high ones are kept, and those in between are blended. */
function scale(frequency: number, scaling: RopeScaling | null): number {
  if (!scaling) return frequency;
  const { factor, lowFrequencyFactor, highFrequencyFactor, originalPositions } = scaling;
  const turns = (originalPositions * frequency) / (2 * Math.PI);
  const share = (turns - lowFrequencyFactor) / (highFrequencyFactor - lowFrequencyFactor);
  const kept = Math.min(1, Math.max(0, share));
  return kept * frequency + ((1 - kept) * frequency) / factor;
}
