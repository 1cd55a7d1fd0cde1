// The layers of a model, written once: which norms, projections and rotations there are, and in which order. What
// computes them differs: training records them on a tape, decoding fuses them and reads a cache.
import type { Tensor } from '../graph/index.js';
import type { ModuleGroup } from '../weights/index.js';
import type { ModelConfig } from './config.js';
import { EMBEDDING, layerName, NORMS } from './weight-names.js';

/** The queries, keys and values of tokens: their heads, side by side. */
export type Heads = Record<'q' | 'k' | 'v', Tensor>;

/** Weights are looked up by name when a part is computed. The residual stream is the state. */
export interface LayerMath {
  /** Starts the residual stream: the rows of the tokens. */
  embed(table: string): void;
  /** The residual stream after this norm. */
  normalize(scale: string): Tensor;
  /** Adds to the residual stream. */
  add(update: Tensor): void;
  /** The outputs of a group's projections. */
  project(layer: number, group: ModuleGroup, x: Tensor): readonly Tensor[];
  /** Each head after this norm. */
  normalizeHeads(x: Tensor, heads: number, scale: string): Tensor;
  /** Each head rotated by the position of its token. */
  rotate(x: Tensor, heads: number): Tensor;
  attend(layer: number, heads: Heads): Tensor;
  /** The gated activation. */
  activate(gate: Tensor, up: Tensor): Tensor;
}

/** Computes all layers, up to the residual stream that the final norm takes. */
export function computeLayers(config: ModelConfig, math: LayerMath): void {
  const { layers, queryKeyNorm, heads, kvHeads } = config;
  math.embed(EMBEDDING);
  for (let layer = 0; layer < layers; layer++) {
    const nameOf = (norm: keyof typeof NORMS) => layerName(layer, NORMS[norm]);
    const prepare = (part: 'q' | 'k', x: Tensor, count: number) =>
      math.rotate(queryKeyNorm ? math.normalizeHeads(x, count, nameOf(part)) : x, count);

    const [q, k, v] = math.project(layer, 'attention', math.normalize(nameOf('attention')));
    const prepared = { q: prepare('q', q!, heads), k: prepare('k', k!, kvHeads), v: v! };
    math.add(math.project(layer, 'output', math.attend(layer, prepared))[0]!);

    const [gate, up] = math.project(layer, 'feed', math.normalize(nameOf('feed')));
    math.add(math.project(layer, 'down', math.activate(gate!, up!))[0]!);
  }
}
