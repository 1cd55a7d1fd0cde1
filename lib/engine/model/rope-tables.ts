// The cos and sin tables of rotary position embedding: a pair for each way in which a model's layers turn by position.
import type { GraphBuilder, Tensor } from '../graph/index.js';
import type { ModelConfig } from './config.js';
import type { Rope, RopeScaling } from './rope-settings.js';

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

/** Constants, [positions, headDim / 2], for each `rope` of the layers. */
export function ropeTables<Part extends keyof typeof PARTS>(
  graph: GraphBuilder,
  { headDim, attention }: ModelConfig,
  positions: number,
  parts: readonly Part[],
): ReadonlyMap<Rope, Record<Part, Tensor>> {
  const ropes = [...new Set(attention.flatMap(({ rope }) => rope ?? []))];
  return new Map(
    ropes.map((rope, i) => [
      rope,
      addTables(graph, { ...rope, headDim, positions }, parts, i ? `_${i}` : ''),
    ]),
  );
}

function addTables<Part extends keyof typeof PARTS>(
  graph: GraphBuilder,
  { theta, scaling, headDim, positions }: Rope & { headDim: number; positions: number },
  parts: readonly Part[],
  suffix: string,
): Record<Part, Tensor> {
  const half = headDim / 2;
  const frequencies = Array.from({ length: half }, (_, i) => scale(theta ** ((-2 * i) / headDim), scaling));
  const tables = parts.map(part => {
    const { name, of } = PARTS[part];
    const values = new Float32Array(positions * half);
    for (let position = 0; position < positions; position++) {
      for (let i = 0; i < half; i++) values[position * half + i] = of(position * frequencies[i]!);
    }
    const bytes = new Uint8Array(values.buffer);
    return [part, graph.constant(`${name}${suffix}`, 'float32', [positions, half], { bytes })];
  });
  return Object.fromEntries(tables) as Record<Part, Tensor>;
}

/** For `llama3`, low frequencies are divided by the factor, high ones are kept, and those in between are blended. */
function scale(frequency: number, scaling: RopeScaling | null): number {
  if (!scaling) return frequency;
  if (scaling.kind === 'linear') return frequency / scaling.factor;
  const { factor, lowFrequencyFactor, highFrequencyFactor, originalPositions } = scaling;
  const turns = (originalPositions * frequency) / (2 * Math.PI);
  const share = (turns - lowFrequencyFactor) / (highFrequencyFactor - lowFrequencyFactor);
  const kept = Math.min(1, Math.max(0, share));
  return kept * frequency + ((1 - kept) * frequency) / factor;
}
