// What decoding keeps of a text: keys and values of each token, in layers that attend, and states of a fixed size in others.
import type { ModelConfig } from './config.js';

export interface CacheShape {
  kvHeads: number;
  headDim: number;
  /** The layers with keys and values. */
  attending: readonly number[];
  states: readonly LayerState[];
}

/** What a layer knows of all tokens so far. It has no rows, so it cannot be cut at a token. */
export interface LayerState {
  layer: number;
  part: 'convolution';
  shape: readonly number[];
}

export function cacheShapeOf(config: ModelConfig): CacheShape {
  const { kvHeads, headDim } = config;
  const layers = Array.from({ length: config.layers }, (_, layer) => layer);
  return {
    kvHeads,
    headDim,
    attending: layers.filter(layer => config.mixers[layer]!.kind === 'attention'),
    states: layers.flatMap(layer => statesOf(config, layer)),
  };
}

/** A text begins with states of zeros. */
export function statesOf({ mixers, hidden }: ModelConfig, layer: number): LayerState[] {
  const mixer = mixers[layer]!;
  switch (mixer.kind) {
    case 'attention':
      return [];
    case 'convolution':
      return [{ layer, part: 'convolution', shape: [hidden, mixer.length - 1] }];
  }
}

/** The names of a layer's cache: `past` inputs [batch, kvHeads, past, headDim] and `fresh` outputs of `tokens` rows. */
export const cacheName = (when: 'past' | 'fresh', layer: number, part: 'k' | 'v') =>
  `${when}.${layer}.${part}`;

/** The names of a state before and after the new tokens, [batch, ...shape]. */
export const stateName = (when: 'past' | 'fresh', { layer, part }: LayerState) => `${when}.${layer}.${part}`;
