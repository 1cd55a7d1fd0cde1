// The layers of a model, written once: which norms, projections and rotations there are, and in which order. What
// computes them differs: training records them on a tape, decoding fuses them and reads a cache.
import type { Tensor } from '../graph/index.js';
import type { ModuleGroup } from '../weights/index.js';
import type { NormPlace } from './architectures.js';
import type { AttentionMixer, ConvolutionMixer, ModelConfig } from './config.js';
import type { Rope } from './rope-settings.js';
import { EMBEDDING, normName } from './weight-names.js';

/** The queries, keys and values of tokens: their heads, side by side. */
export type Heads = Record<'q' | 'k' | 'v', Tensor>;

/** Weights are looked up by name when a part is computed. The residual stream is the state. */
export interface LayerMath {
  /** Starts the residual stream: the rows of the tokens, times a number. */
  embed(table: string, factor: number): void;
  /** The residual stream after this norm. */
  normalize(scale: string): Tensor;
  /** What is added to the residual stream, after this norm. */
  normalizeUpdate(update: Tensor, scale: string): Tensor;
  /** Adds to the residual stream. */
  add(update: Tensor): void;
  scale(x: Tensor, factor: number): Tensor;
  /** The outputs of a group's projections; of fused ones, their parts. */
  project(layer: number, group: ModuleGroup, x: Tensor): readonly Tensor[];
  /** Parts of the same width. */
  part(x: Tensor, count: number): readonly Tensor[];
  multiply(a: Tensor, b: Tensor): Tensor;
  /** Each channel mixed with what it was at earlier tokens. */
  convolve(layer: number, x: Tensor, mixer: ConvolutionMixer): Tensor;
  /** Each head after this norm. */
  normalizeHeads(x: Tensor, heads: number, scale: string): Tensor;
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

/** Computes all layers, up to the residual stream that the final norm takes. */
export function computeLayers(config: ModelConfig, math: LayerMath): void {
  const { layers, mixers, scales } = config;
  math.embed(EMBEDDING, scales.embeddings);
  for (let layer = 0; layer < layers; layer++) {
    const nameOf = (place: NormPlace) => normName(config, layer, place);
    const add = (update: Tensor, norm: string | undefined) =>
      math.add(math.scale(norm ? math.normalizeUpdate(update, norm) : update, scales.updates));

    const inputs = math.project(layer, 'in', math.normalize(nameOf('attention')!));
    const mixer = mixers[layer]!;
    const mixed =
      mixer.kind === 'attention'
        ? attend(config, math, layer, mixer, inputs)
        : convolve(math, layer, mixer, inputs);
    const [update] = math.project(layer, 'out', mixed);
    add(update!, nameOf('afterAttention'));

    const [gate, up] = math.project(layer, 'feed', math.normalize(nameOf('feed')!));
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
    const normal = norm ? math.normalizeHeads(x, count, norm) : x;
    return rope ? math.rotate(normal, count, rope) : normal;
  };
  const heads = { q: prepare('q', q!, config.heads), k: prepare('k', k!, config.kvHeads), v: v! };
  return math.attend(layer, heads, window);
}

/** One gate before the convolution, and one after it. */
function convolve(
  math: LayerMath,
  layer: number,
  mixer: ConvolutionMixer,
  [joined]: readonly Tensor[],
): Tensor {
  const [before, after, x] = math.part(joined!, 3);
  return math.multiply(after!, math.convolve(layer, math.multiply(before!, x!), mixer));
}
