// The layers of a model, written once: which norms, projections and rotations there are, and in which order. What
// computes them differs: training records them on a tape, decoding fuses them and reads a cache.
import type { Tensor } from '../graph/index.js';
import type { ModuleGroup } from '../weights/index.js';
import type { NormPlace } from './architecture.js';
import type { AttentionMixer, ConvolutionMixer, DeltaMixer, ModelConfig } from './config.js';
import type { Rope } from './rope-settings.js';
import { deltaName, EMBEDDING, normName } from './weight-names.js';

/** The queries, keys and values of tokens: their heads, side by side. */
export type Heads = Record<'q' | 'k' | 'v', Tensor>;

/** Added to the square of a length that is divided by. */
export const SMALLEST_SQUARE = 1e-6;

/** What a delta rule reads and writes with: heads of queries, keys and values, and two numbers for each of these. */
export type DeltaParts = Record<'q' | 'k' | 'v' | 'beta' | 'decay', Tensor>;

/** Weights are looked up by name when a part is computed. The residual stream is the state. */
export interface LayerMath {
  /** Starts the residual stream: the rows of the tokens, times a number. */
  embed(table: string, factor: number): void;
  /** The residual stream, after this norm if there is one. */
  normalize(scale: string | undefined): Tensor;
  /** What is added to the residual stream, after this norm. */
  normalizeUpdate(update: Tensor, scale: string): Tensor;
  /** Adds to the residual stream. */
  add(update: Tensor): void;
  scale(x: Tensor, factor: number): Tensor;
  /** The outputs of a group's projections; of fused ones, their parts. */
  project(layer: number, group: ModuleGroup, x: Tensor): readonly Tensor[];
  /** Parts of these widths, for each of the heads. */
  split(x: Tensor, widths: readonly number[], heads?: number): readonly Tensor[];
  multiply(a: Tensor, b: Tensor): Tensor;
  /** Mixes each channel with its values at earlier tokens. */
  convolve(layer: number, x: Tensor, mixer: ConvolutionMixer | DeltaMixer): Tensor;
  sigmoid(x: Tensor): Tensor;
  /** Each head after this norm, which may be one that does not add 1 where others do. */
  normalizeHeads(x: Tensor, heads: number, scale: string, addsOne?: boolean): Tensor;
  /** Each head divided by its length, times a number. */
  toLength(x: Tensor, heads: number, length: number): Tensor;
  /** The logarithm of what is kept of each head's state. */
  decay(layer: number, x: Tensor): Tensor;
  /** What each head reads from its state. */
  recall(layer: number, parts: DeltaParts, mixer: DeltaMixer): Tensor;
  /** Each head rotated by the position of its token. */
  rotate(x: Tensor, heads: number, rope: Rope): Tensor;
  /** `window`: how many tokens a token attends to; null for all before it. */
  attend(layer: number, heads: Heads, window: number | null): Tensor;
  /** The gated activation. */
  activate(gate: Tensor, up: Tensor): Tensor;
}

/** The mixers of layers with attention. */
export function attentionOf({ mixers }: Pick<ModelConfig, 'mixers'>): AttentionMixer[] {
  return mixers.filter(mixer => mixer.kind === 'attention');
}

/** How far back the layers attend, without repetition; null for all before. */
export function windowsOf(config: Pick<ModelConfig, 'mixers'>): (number | null)[] {
  return [...new Set(attentionOf(config).map(({ window }) => window))];
}

/** Some of a model's layers, which follow each other. */
export interface LayerRange {
  /** The first one also looks up the tokens. */
  from: number;
  to: number;
}

/** Computes layers, by default all, up to the residual stream after them, which the final norm takes. */
export function computeLayers(
  config: ModelConfig,
  math: LayerMath,
  { from, to }: LayerRange = { from: 0, to: config.layers },
): void {
  const { mixers, scales } = config;
  if (from === 0) math.embed(EMBEDDING, scales.embeddings);
  for (let layer = from; layer < to; layer++) {
    const nameOf = (place: NormPlace) => normName(config, layer, place);
    const add = (update: Tensor, norm: string | undefined) =>
      math.add(math.scale(norm ? math.normalizeUpdate(update, norm) : update, scales.updates));

    const inputs = math.project(layer, 'in', math.normalize(nameOf('attention')));
    const mixer = mixers[layer]!;
    const mixed =
      mixer.kind === 'attention'
        ? attend(config, math, layer, mixer, inputs)
        : mixer.kind === 'convolution'
          ? convolve(math, layer, mixer, inputs)
          : recall(math, layer, mixer, inputs);
    const [update] = math.project(layer, 'out', mixed);
    add(update!, nameOf('afterAttention'));

    const [gate, up] = math.project(layer, 'feed', math.normalize(nameOf('feed')));
    const [fed] = math.project(layer, 'down', math.activate(gate!, up!));
    add(fed!, nameOf('afterFeed'));
  }
}

function attend(
  config: ModelConfig,
  math: LayerMath,
  layer: number,
  { rope, window }: AttentionMixer,
  [q, k, v]: readonly Tensor[],
): Tensor {
  const prepare = (part: 'q' | 'k', x: Tensor, count: number) => {
    const norm = normName(config, layer, part);
    const normal = norm ? math.normalizeHeads(x, config.normsAllHeads ? 1 : count, norm) : x;
    return rope ? math.rotate(normal, count, rope) : normal;
  };
  const { headDim } = config;
  const [asked, gate] = config.gatesAttention ? math.split(q!, [headDim, headDim], config.heads) : [q];
  const heads = { q: prepare('q', asked!, config.heads), k: prepare('k', k!, config.kvHeads), v: v! };
  const mixed = math.attend(layer, heads, window);
  return gate ? math.multiply(mixed, math.sigmoid(gate)) : mixed;
}

/** One gate before the convolution, and one after it. */
function convolve(
  math: LayerMath,
  layer: number,
  mixer: ConvolutionMixer,
  [before, after, x]: readonly Tensor[],
): Tensor {
  return math.multiply(after!, math.convolve(layer, math.multiply(before!, x!), mixer));
}

/** Queries, keys and values after a convolution, whose states are read through a gate. */
function recall(
  math: LayerMath,
  layer: number,
  mixer: DeltaMixer,
  [joined, gate, beta, decay]: readonly Tensor[],
): Tensor {
  const { heads, keyHeads, keyDim, valueDim } = mixer;
  const keys = keyHeads * keyDim;
  const mixed = math.convolve(layer, joined!, mixer);
  const active = math.multiply(mixed, math.sigmoid(mixed));
  const [q, k, v] = math.split(active, [keys, keys, heads * valueDim]);
  const parts = {
    q: math.toLength(q!, keyHeads, 1 / Math.sqrt(keyDim)),
    k: math.toLength(k!, keyHeads, 1),
    v: v!,
    beta: math.sigmoid(beta!),
    decay: math.decay(layer, decay!),
  };
  const read = math.recall(layer, parts, mixer);
  return math.activate(gate!, math.normalizeHeads(read, heads, deltaName(layer, 'norm.weight'), false));
}
