// The cos and sin tables of rotary position embedding: a pair for each way in which a model's layers turn by position.
import type { GraphBuilder, Tensor } from '../graph/index.js';
import type { ModelConfig } from './config.js';
import { attentionOf } from './layers.js';
import { type Rope, type RopeScaling, turnedWidth } from './rope-settings.js';

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

/** Constants, [positions, turned pairs of a head], for each `rope` of the layers. */
export function ropeTables<Part extends keyof typeof PARTS>(
  graph: GraphBuilder,
  config: ModelConfig,
  positions: number,
  parts: readonly Part[],
): ReadonlyMap<Rope, Record<Part, Tensor>> {
  const { headDim } = config;
  const ropes = [...new Set(attentionOf(config).flatMap(({ rope }) => rope ?? []))];
  return new Map(
    ropes.map((rope, i) => [
      rope,
      addTables(graph, { ...rope, headDim, positions }, parts, i ? `_${i}` : ''),
    ]),
  );
}

function addTables<Part extends keyof typeof PARTS>(
  graph: GraphBuilder,
  { headDim, positions, ...rope }: Rope & { headDim: number; positions: number },
  parts: readonly Part[],
  suffix: string,
): Record<Part, Tensor> {
  const sections = sectionsOf(rope, headDim, positions);
  const half = sections[0]!.frequencies.length;
  const rows = sections.reduce((sum, { length }) => sum + length, 0);
  const magnitude = rope.scaling && 'magnitude' in rope.scaling ? rope.scaling.magnitude : 1;
  const tables = parts.map(part => {
    const { name, of } = PARTS[part];
    const values = new Float32Array(rows * half);
    let at = 0;
    for (const { frequencies, length } of sections) {
      for (let position = 0; position < length; position++) {
        for (const frequency of frequencies) values[at++] = magnitude * of(position * frequency);
      }
    }
    const bytes = new Uint8Array(values.buffer);
    return [part, graph.constant(`${name}${suffix}`, 'float32', [rows, half], { bytes })];
  });
  return Object.fromEntries(tables) as Record<Part, Tensor>;
}

interface Section {
  frequencies: readonly number[];
  length: number;
}

/** Those of short texts, and after them those of texts that turn by others. */
function sectionsOf(rope: Rope, headDim: number, positions: number): Section[] {
  const frequencies = frequenciesOf(rope, headDim);
  const { scaling } = rope;
  if (scaling?.kind !== 'longrope' || positions <= scaling.originalPositions)
    return [{ frequencies, length: positions }];
  const others = frequenciesOf({ ...rope, scaling: { ...scaling, short: scaling.long } }, headDim);
  return [
    { frequencies, length: scaling.originalPositions },
    { frequencies: others, length: positions },
  ];
}

/** The position of a text's first token, by how many tokens the text has: where the tables have what it turns by. */
export function firstPosition(config: Pick<ModelConfig, 'mixers'>, tokens: number): number {
  const scalings = attentionOf(config).map(({ rope }) => rope?.scaling);
  const { originalPositions = tokens } = scalings.find(scaling => scaling?.kind === 'longrope') ?? {};
  return tokens > originalPositions ? originalPositions : 0;
}

/** By how much each pair of a head turns with a position, in a short text. */
export function frequenciesOf({ theta, share, scaling }: Rope, headDim: number): number[] {
  const width = turnedWidth(share, headDim);
  const frequencies = Array.from({ length: width / 2 }, (_, i) => theta ** ((-2 * i) / width));
  return frequencies.map(toScaled(scaling, theta, width));
}

type ScaleFrequency = (frequency: number, index: number) => number;

function toScaled(scaling: RopeScaling | null, theta: number, width: number): ScaleFrequency {
  if (!scaling) return frequency => frequency;
  if (scaling.kind === 'longrope') return (frequency, index) => frequency / scaling.short[index]!;
  if (scaling.kind === 'linear') return frequency => frequency / scaling.factor;
  const { factor } = scaling;
  const shareOf = scaling.kind === 'yarn' ? yarnShare(scaling, theta, width) : llama3Share(scaling);
  return (frequency, index) => {
    const kept = Math.min(1, Math.max(0, shareOf(frequency, index)));
    return kept * frequency + ((1 - kept) * frequency) / factor;
  };
}

type ScalingOf<Kind> = Extract<RopeScaling, { kind: Kind }>;

/** Low frequencies are divided by the factor, high ones are kept, and those in between are blended. */
function llama3Share(scaling: ScalingOf<'llama3'>): ScaleFrequency {
  const { lowFrequencyFactor, highFrequencyFactor, originalPositions } = scaling;
  return frequency => {
    const turns = (originalPositions * frequency) / (2 * Math.PI);
    return (turns - lowFrequencyFactor) / (highFrequencyFactor - lowFrequencyFactor);
  };
}

/** The same, blended by index, between the two that turn so often. */
function yarnShare(scaling: ScalingOf<'yarn'>, theta: number, width: number): ScaleFrequency {
  const { fastTurns, slowTurns, originalPositions } = scaling;
  const indexOf = (turns: number) =>
    (width * Math.log(originalPositions / (turns * 2 * Math.PI))) / (2 * Math.log(theta));
  const first = Math.max(0, Math.floor(indexOf(fastTurns)));
  const last = Math.min(width - 1, Math.ceil(indexOf(slowTurns)));
  return (_, index) => 1 - (index - first) / (last === first ? 1e-3 : last - first);
}
