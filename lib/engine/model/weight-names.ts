// The names and shapes of a model's weights in Hugging Face layout.
import { MODULE_GROUPS, MODULES, type Module, toModulePath } from '../weights/index.js';
import type { NormPlace } from './architectures.js';
import type { ModelConfig } from './config.js';

export const EMBEDDING = 'model.embed_tokens.weight';
export const FINAL_NORM = 'model.norm.weight';
export const OUTPUT = 'lm_head.weight';

/** The weight of a layer's norm; undefined if the model has none there. */
export function normName({ norms }: ModelConfig, layer: number, place: NormPlace): string | undefined {
  return norms[place] && `model.layers.${layer}.${norms[place]}.weight`;
}

const NORMS: readonly NormPlace[] = ['attention', 'afterAttention', 'feed', 'afterFeed', 'q', 'k'];

/** The table that the logits are computed with. */
export const outputName = ({ tied }: Pick<ModelConfig, 'tied'>) => (tied ? EMBEDDING : OUTPUT);

/** The matrices that are multiplied with, those of one input together, since they may be computed as one. */
export function matrixGroups(config: ModelConfig): string[][] {
  const layers = Array.from({ length: config.layers }, (_, layer) =>
    Object.values(MODULE_GROUPS).map(group =>
      group.map(module => `${toModulePath({ layer, module })}.weight`),
    ),
  );
  return [...layers.flat(), [outputName(config)]];
}

/** [out, in] of a module. */
export function moduleShape(config: ModelConfig, module: Module): [number, number] {
  const { hidden, intermediate, headDim } = config;
  const queries = config.heads * headDim;
  const keys = config.kvHeads * headDim;
  const shapes: Record<Module, [number, number]> = {
    q_proj: [queries, hidden],
    k_proj: [keys, hidden],
    v_proj: [keys, hidden],
    o_proj: [hidden, queries],
    gate_proj: [intermediate, hidden],
    up_proj: [intermediate, hidden],
    down_proj: [hidden, intermediate],
  };
  return shapes[module];
}

/** The shapes of all weights of a model, by name. */
export function weightShapes(config: ModelConfig): Map<string, readonly number[]> {
  const shapes = new Map<string, readonly number[]>([[EMBEDDING, [config.vocabulary, config.hidden]]]);
  for (let layer = 0; layer < config.layers; layer++) {
    for (const place of NORMS) {
      const name = normName(config, layer, place);
      if (name) shapes.set(name, [place === 'q' || place === 'k' ? config.headDim : config.hidden]);
    }
    for (const module of MODULES) {
      const [out, into] = moduleShape(config, module);
      const path = toModulePath({ layer, module });
      shapes.set(`${path}.weight`, [out, into]);
      if (config.biases.includes(module)) shapes.set(`${path}.bias`, [out]);
    }
  }
  shapes.set(FINAL_NORM, [config.hidden]);
  if (!config.tied) shapes.set(OUTPUT, [config.vocabulary, config.hidden]);
  return shapes;
}
