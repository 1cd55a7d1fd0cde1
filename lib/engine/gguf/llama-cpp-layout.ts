// How llama.cpp names and arranges a model's weights, as GGUF files have them.
import { MODULES, type ModelConfig, type Module, type NormPlace } from '../model/index.js';

/** A fused module may be several there, which have the same number of its rows each. */
export const LLAMA_CPP_MODULES: Readonly<Record<Module, string | readonly string[]>> = {
  'self_attn.q_proj': 'attn_q',
  'self_attn.k_proj': 'attn_k',
  'self_attn.v_proj': 'attn_v',
  'self_attn.o_proj': 'attn_output',
  'self_attn.out_proj': 'attn_output',
  'conv.in_proj': 'shortconv.in_proj',
  'conv.out_proj': 'shortconv.out_proj',
  'mlp.gate_proj': 'ffn_gate',
  'mlp.up_proj': 'ffn_up',
  'mlp.down_proj': 'ffn_down',
  'self_attn.qkv_proj': 'attn_qkv',
  'mlp.gate_up_proj': 'ffn_up',
  'shared_mlp.input_linear': ['ffn_gate', 'ffn_up'],
  'shared_mlp.output_linear': 'ffn_down',
  'feed_forward.w1': 'ffn_gate',
  'feed_forward.w3': 'ffn_up',
  'feed_forward.w2': 'ffn_down',
};

/** Weights of the whole model, and those of a layer that are neither projections nor norms. */
const OUTER_NAMES: Readonly<Record<string, string>> = {
  'model.embed_tokens': 'token_embd',
  lm_head: 'output',
};
const OTHER_NAMES: Readonly<Record<string, string>> = { 'conv.conv': 'shortconv.conv' };

/** The norms of a layer. */
const NORM_NAMES: Readonly<Record<NormPlace, string>> = {
  attention: 'attn_norm',
  afterAttention: 'post_attention_norm',
  feed: 'ffn_norm',
  afterFeed: 'post_ffw_norm',
  q: 'attn_q_norm',
  k: 'attn_k_norm',
};

/** llama.cpp's names of a model's weight, which is named as in Hugging Face layout: one for each part of its rows. */
export function toLlamaCppNames(name: string, { norms, finalNorm, llamaCpp }: ModelConfig): string[] {
  if (name === finalNorm) return [`${llamaCpp.finalNorm ?? 'output_norm'}.weight`];
  const [, path = '', kind = ''] = /^(.*)\.(weight|bias)$/.exec(name) ?? [];
  const [, layer, part = ''] = /^model\.layers\.(\d+)\.(.*)$/.exec(path) ?? [];
  if (layer === undefined) return [`${OUTER_NAMES[path] ?? path}.${kind}`];
  const module = MODULES.find(module => module === part);
  const place = (Object.keys(norms) as NormPlace[]).find(place => norms[place] === part);
  const names = module ? LLAMA_CPP_MODULES[module] : place ? NORM_NAMES[place] : (OTHER_NAMES[part] ?? part);
  return [names].flat().map(name => `blk.${layer}.${name}.${kind}`);
}

/** Without lengths of 1 in the middle, which a convolution's weights have. */
export function toLlamaCppShape(shape: readonly number[]): readonly number[] {
  return shape.length < 3 ? shape : [shape[0]!, ...shape.slice(1).filter(length => length !== 1)];
}

type Values = Float32Array | Uint8Array;

/**
 * The rows of queries and keys as llama.cpp has them for Llama. Positions turn pairs of rows: row i and i + headDim / 2
 * of a head in Hugging Face layout, neighbors there. For Qwen, both have the first order.
 * [heads, 2, headDim / 2, columns] -> [heads, headDim / 2, 2, columns]
 */
export function pairRows<T extends Values>(values: T, headDim: number, columns: number): T {
  return moveRows(values, columns, row => {
    const at = row % headDim;
    return row - at + (at % 2) * (headDim / 2) + Math.floor(at / 2);
  });
}

/** The inverse of `pairRows`. */
export function unpairRows<T extends Values>(values: T, headDim: number, columns: number): T {
  return moveRows(values, columns, row => {
    const at = row % headDim;
    const half = headDim / 2;
    return row - at + (at % half) * 2 + Math.floor(at / half);
  });
}

function moveRows<T extends Values>(values: T, columns: number, sourceOf: (row: number) => number): T {
  const moved = values.slice() as T;
  for (let row = 0; row < values.length / columns; row++) {
    const source = sourceOf(row);
    moved.set(values.subarray(source * columns, (source + 1) * columns), row * columns);
  }
  return moved;
}
