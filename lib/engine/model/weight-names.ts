// The names and shapes of a model's weights in Hugging Face layout.
import {
  GROUPS,
  type LayerModules,
  MODULES,
  type Module,
  PROJECTIONS,
  type TargetName,
  toModulePath,
  toTargetName,
  type Width,
} from '../weights/index.js';
import type { NormPlace } from './architecture.js';
import type { ConvolutionMixer, DeltaMixer, ModelConfig } from './config.js';

export const EMBEDDING = 'model.embed_tokens.weight';
export const OUTPUT = 'lm_head.weight';

/** The projections of a layer. */
export function layerModules({ projections, mixers }: ModelConfig, layer: number): LayerModules {
  const { feed, down, ...byKind } = projections;
  return { ...byKind[mixers[layer]!.kind]!, feed, down };
}

/** The same in one list. */
export function modulesOf(config: ModelConfig, layer: number): Module[] {
  const groups = layerModules(config, layer);
  return GROUPS.flatMap(group => groups[group]);
}

/** The names of all projections that an adapter can have. */
export function targetNames(config: ModelConfig): TargetName[] {
  const layers = Array.from({ length: config.layers }, (_, layer) => modulesOf(config, layer));
  const found = new Set(layers.flat());
  return [...new Set(MODULES.filter(module => found.has(module)).map(toTargetName))];
}

/** The weights of a layer's convolution. */
export function convolutionName({ mixers }: ModelConfig, layer: number): string {
  const { path } = mixers[layer] as ConvolutionMixer | DeltaMixer;
  return `model.layers.${layer}.${path}.weight`;
}

/** The weights of a delta-rule layer other than its projections and convolution. */
export const deltaName = (layer: number, part: 'A_log' | 'dt_bias' | 'norm.weight') =>
  `model.layers.${layer}.linear_attn.${part}`;

/** How many channels the convolution of a layer has: of its queries, keys and values with a delta rule. */
export function channelsOf(
  { hidden }: Pick<ModelConfig, 'hidden'>,
  mixer: ConvolutionMixer | DeltaMixer,
): number {
  return mixer.kind === 'delta' ? 2 * mixer.keyHeads * mixer.keyDim + mixer.heads * mixer.valueDim : hidden;
}

/** The weight of a layer's norm; undefined if the model has none there. */
export function normName({ norms }: ModelConfig, layer: number, place: NormPlace): string | undefined {
  return norms[place] && `model.layers.${layer}.${norms[place]}.weight`;
}

const LAYER_NORMS: readonly NormPlace[] = ['attention', 'afterAttention', 'feed', 'afterFeed'];

/** The table that the logits are computed with. */
export const outputName = ({ tied }: Pick<ModelConfig, 'tied'>) => (tied ? EMBEDDING : OUTPUT);

/** The matrices that are multiplied with, those of one input together, since they may be computed as one. */
export function matrixGroups(config: ModelConfig): string[][] {
  const layers = Array.from({ length: config.layers }, (_, layer) =>
    Object.values(layerModules(config, layer)).map(group =>
      group.map(module => `${toModulePath({ layer, module })}.weight`),
    ),
  );
  return [...layers.flat(), [outputName(config)]];
}

/** [out, in] of a module. */
export function moduleShape(config: ModelConfig, module: Module): [number, number] {
  const into = widthsOf(config)[PROJECTIONS[module].from];
  return [moduleParts(config, module).reduce((sum, width) => sum + width, 0), into];
}

/** The widths of what a module computes, side by side: a fused one has several. */
export function moduleParts(config: ModelConfig, module: Module): readonly number[] {
  const widths = widthsOf(config);
  return PROJECTIONS[module].to.map(width => widths[width]);
}

function widthsOf(config: ModelConfig): Record<Width, number> {
  const { hidden, intermediate, headDim, mixers } = config;
  const queries = config.heads * headDim;
  const delta = mixers.find(mixer => mixer.kind === 'delta');
  return {
    hidden,
    feed: intermediate,
    queries,
    asked: config.gatesAttention ? 2 * queries : queries,
    keys: config.kvHeads * headDim,
    deltaHeads: delta?.heads ?? 0,
    deltaValues: delta ? delta.heads * delta.valueDim : 0,
    deltaChannels: delta ? channelsOf(config, delta) : 0,
  };
}

/** The shapes of all weights of a model, by name. */
export function weightShapes(config: ModelConfig): Map<string, readonly number[]> {
  const { hidden, vocabulary } = config;
  const shapes = new Map<string, readonly number[]>([[EMBEDDING, [vocabulary, hidden]]]);
  for (let layer = 0; layer < config.layers; layer++) addLayer(shapes, config, layer);
  shapes.set(config.finalNorm, [hidden]);
  if (!config.tied) shapes.set(OUTPUT, [vocabulary, hidden]);
  return shapes;
}

function addLayer(shapes: Map<string, readonly number[]>, config: ModelConfig, layer: number): void {
  const mixer = config.mixers[layer]!;
  const addNorm = (place: NormPlace, width: number) => {
    const name = normName(config, layer, place);
    if (name) shapes.set(name, [width]);
  };
  for (const place of LAYER_NORMS) addNorm(place, config.hidden);
  if (mixer.kind === 'attention') {
    addNorm('q', config.headDim * (config.normsAllHeads ? config.heads : 1));
    addNorm('k', config.headDim * (config.normsAllHeads ? config.kvHeads : 1));
  } else shapes.set(convolutionName(config, layer), [channelsOf(config, mixer), 1, mixer.length]);
  if (mixer.kind === 'delta') {
    for (const part of ['A_log', 'dt_bias'] as const) shapes.set(deltaName(layer, part), [mixer.heads]);
    shapes.set(deltaName(layer, 'norm.weight'), [mixer.valueDim]);
  }
  for (const module of modulesOf(config, layer)) {
    const [out, into] = moduleShape(config, module);
    const path = toModulePath({ layer, module });
    shapes.set(`${path}.weight`, [out, into]);
    if (config.biases.includes(module)) shapes.set(`${path}.bias`, [out]);
  }
}
