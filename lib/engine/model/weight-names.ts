// The names and shapes of a model's weights in Hugging Face layout.
import { MODULE_GROUPS, MODULES, type Module, toModulePath } from '../weights/index.js';
import type { ModelConfig } from './config.js';

export const EMBEDDING = 'model.embed_tokens.weight';
export const FINAL_NORM = 'model.norm.weight';
export const OUTPUT = 'lm_head.weight';

/** The norms of a layer, by what reads their result. */
export const NORMS = {
  attention: 'input_layernorm.weight',
  feed: 'post_attention_layernorm.weight',
  q: 'self_attn.q_norm.weight',
  k: 'self_attn.k_norm.weight',
} as const;

export function layerName(layer: number, part: string): string {
  return `model.layers.${layer}.${part}`;
}

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
    const set = (part: string, shape: readonly number[]) => shapes.set(layerName(layer, part), shape);
    for (const part of ['attention', 'feed'] as const) set(NORMS[part], [config.hidden]);
    if (config.queryKeyNorm) for (const part of ['q', 'k'] as const) set(NORMS[part], [config.headDim]);
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
