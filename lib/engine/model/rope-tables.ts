// The cos and sin tables of rotary position embedding, with Llama 3's frequency scaling if the model has it.
import type { GraphBuilder, Tensor } from '../graph/index.js';
import type { ModelConfig, RopeScaling } from './config.js';

const TABLE_BYTES = 128 * 2 ** 20;

/** How long a text may be, so that its tables take no more than this memory, whatever the model's config says. */
export function longestText({
  headDim,
  maxPositions,
}: Pick<ModelConfig, 'headDim' | 'maxPositions'>): number {
  return Math.min(maxPositions, Math.floor(TABLE_BYTES / (headDim * Float32Array.BYTES_PER_ELEMENT)));
}

const PARTS = {
  cos: { name: 'rope_cos', of: Math.cos },
  sin: { name: 'rope_sin', of: Math.sin },
  /** In place of `sin`, for the inverse. */
  minusSin: { name: 'rope_minus_sin', of: (angle: number) => -Math.sin(angle) },
};

/** Constants, [positions, headDim / 2]. */
export function ropeTables<Part extends keyof typeof PARTS>(
  graph: GraphBuilder,
  { headDim, ropeTheta, ropeScaling }: ModelConfig,
  positions: number,
  parts: readonly Part[],
): Record<Part, Tensor> {
  const half = headDim / 2;
  const frequencies = Array.from({ length: half }, (_, i) =>
    scale(ropeTheta ** ((-2 * i) / headDim), ropeScaling),
  );
  const tables = parts.map(part => {
    const { name, of } = PARTS[part];
    const values = new Float32Array(positions * half);
    for (let position = 0; position < positions; position++) {
      for (let i = 0; i < half; i++) values[position * half + i] = of(position * frequencies[i]!);
    }
    const bytes = new Uint8Array(values.buffer);
    return [part, graph.constant(name, 'float32', [positions, half], { bytes })];
  });
  return Object.fromEntries(tables) as Record<Part, Tensor>;
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
