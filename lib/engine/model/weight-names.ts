// The names and shapes of a model's weights in Hugging Face layout.
import { type LoraModule, loraModules, toModulePath } from '../weights/index.js';
import type { ModelConfig } from './config.js';

/** The linear layers that LoRA can adapt. */
export const MODULES: readonly Module[] = loraModules;

export type Module = LoraModule;

export const EMBEDDING = 'model.embed_tokens.weight';
export const FINAL_NORM = 'model.norm.weight';
export const OUTPUT = 'lm_head.weight';

export function layerName(layer: number, part: string): string {
  return `model.layers.${layer}.${part}`;
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

/** Whether a module adds a bias. */
export function hasBias(config: ModelConfig, module: Module): boolean {
  if (module === 'o_proj') return config.outputBias;
  const isFeedForward = module === 'gate_proj' || module === 'up_proj' || module === 'down_proj';
  return isFeedForward ? config.mlpBias : config.queryKeyValueBias;
}

/** The shapes of all weights of a model, by name. */
export function weightShapes(config: ModelConfig): Map<string, readonly number[]> {
  const shapes = new Map<string, readonly number[]>([[EMBEDDING, [config.vocabulary, config.hidden]]]);
  for (let layer = 0; layer < config.layers; layer++) {
    const set = (part: string, shape: readonly number[]) => shapes.set(layerName(layer, part), shape);
    set('input_layernorm.weight', [config.hidden]);
    set('post_attention_layernorm.weight', [config.hidden]);
    if (config.queryKeyNorm) {
      set('self_attn.q_norm.weight', [config.headDim]);
      set('self_attn.k_norm.weight', [config.headDim]);
    }
    for (const module of MODULES) {
      const [out, into] = moduleShape(config, module);
      const path = toModulePath({ layer, module });
      shapes.set(`${path}.weight`, [out, into]);
      if (hasBias(config, module)) shapes.set(`${path}.bias`, [out]);
    }
  }
  shapes.set(FINAL_NORM, [config.hidden]);
  if (!config.tied) shapes.set(OUTPUT, [config.vocabulary, config.hidden]);
  return shapes;
}
