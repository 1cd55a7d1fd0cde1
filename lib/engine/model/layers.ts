// The layers of a model, written once: which norms, projections and rotations there are, and in which order. What
// computes them differs: training records them on a tape, decoding fuses them and reads a cache.
import type { Tensor } from '../graph/index.js';
import type { ModuleGroup } from '../weights/index.js';
import type { NormPlace } from './architectures.js';
import type { ModelConfig } from './config.js';
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
  /** The outputs of a group's projections. */
  project(layer: number, group: ModuleGroup, x: Tensor): readonly Tensor[];
  /** Each head after this norm. */
  normalizeHeads(x: Tensor, heads: number, scale: string): Tensor;
  /** Each head rotated by the position of its token. */
  rotate(x: Tensor, heads: number, rope: Rope): Tensor;
  /** `window`: how many tokens a token attends to; null for all before it. */
  attend(layer: number, heads: Heads, window: number | null): Tensor;
  /** The gated activation. */
  activate(gate: Tensor, up: Tensor): Tensor;
}

/** How far back the layers attend, without repetition; null for all before. */
export function windowsOf({ attention }: Pick<ModelConfig, 'attention'>): (number | null)[] {
  return [...new Set(attention.map(({ window }) => window))];
}

/** Computes all layers, up to the residual stream that the final norm takes. */
export function computeLayers(config: ModelConfig, math: LayerMath): void {
  const { layers, attention, heads, kvHeads, scales } = config;
  math.embed(EMBEDDING, scales.embeddings);
  for (let layer = 0; layer < layers; layer++) {
    const { rope, window } = attention[layer]!;
    const nameOf = (place: NormPlace) => normName(config, layer, place);
    const prepare = (part: 'q' | 'k', x: Tensor, count: number) => {
      const norm = nameOf(part);
      const normal = norm ? math.normalizeHeads(x, count, norm) : x;
      return rope ? math.rotate(normal, count, rope) : normal;
    };
    const add = (update: Tensor, norm: string | undefined) =>
      math.add(math.scale(norm ? math.normalizeUpdate(update, norm) : update, scales.updates));

    const [q, k, v] = math.project(layer, 'attention', math.normalize(nameOf('attention')!));
    const prepared = { q: prepare('q', q!, heads), k: prepare('k', k!, kvHeads), v: v! };
    const [attended] = math.project(layer, 'output', math.attend(layer, prepared, window));
    add(attended!, nameOf('afterAttention'));

    const [gate, up] = math.project(layer, 'feed', math.normalize(nameOf('feed')!));
    const [fed] = math.project(layer, 'down', math.activate(gate!, up!));
    add(fed!, nameOf('afterFeed'));
  }
}
