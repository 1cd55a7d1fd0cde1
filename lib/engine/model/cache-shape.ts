// What decoding keeps of a text: keys and values of each token, in layers that attend, and states of a fixed size in others.
import type { ConvolutionMixer, DeltaMixer, ModelConfig } from './config.js';
import { channelsOf } from './weight-names.js';

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
  part: 'convolution' | 'delta';
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

/** The states of a new text are zeros. */
export function statesOf(config: ModelConfig, layer: number): LayerState[] {
  const mixer = config.mixers[layer]!;
  switch (mixer.kind) {
    case 'attention':
      return [];
    case 'convolution':
      return [pastOf(config, mixer, layer)];
    case 'delta':
      return [
        pastOf(config, mixer, layer),
        { layer, part: 'delta', shape: [mixer.heads, mixer.keyDim, mixer.valueDim] },
      ];
  }
}

/** What a convolution reaches back to. */
function pastOf(config: ModelConfig, mixer: ConvolutionMixer | DeltaMixer, layer: number): LayerState {
  return { layer, part: 'convolution', shape: [channelsOf(config, mixer), mixer.length - 1] };
}

/**
 * The names of a layer's cache: `past` inputs [batch, kvHeads, past, headDim] and `fresh` outputs of `tokens` rows. One that stays on a
 * device is `present` after the step, like the inputs; `more` is what joins it.
 */
export const cacheName = (when: When, layer: number, part: 'k' | 'v') => `${when}.${layer}.${part}`;

type When = 'past' | 'more' | 'fresh' | 'present';

/** The names of a state before and after the new tokens, [batch, ...shape]. */
export const stateName = (when: When, { layer, part }: LayerState) => `${when}.${layer}.${part}`;
