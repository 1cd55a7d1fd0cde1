// How llama.cpp names and arranges a model's weights, as GGUF files have them.
import { MODULES, type ModelConfig, type Module, type NormPlace } from '../model/index.js';
import { toModulePath } from '../weights/index.js';

export const LLAMA_CPP_MODULES: Readonly<Record<Module, string>> = {
  q_proj: 'attn_q',
  k_proj: 'attn_k',
  v_proj: 'attn_v',
  o_proj: 'attn_output',
  gate_proj: 'ffn_gate',
  up_proj: 'ffn_up',
  down_proj: 'ffn_down',
};

const OUTER_NAMES: Readonly<Record<string, string>> = {
  'model.embed_tokens': 'token_embd',
  'model.norm': 'output_norm',
  lm_head: 'output',
};

/** The norms of a layer. */
const NORM_NAMES: Readonly<Record<NormPlace, string>> = {
  attention: 'attn_norm',
  afterAttention: 'post_attention_norm',
  feed: 'ffn_norm',
  afterFeed: 'post_ffw_norm',
  q: 'attn_q_norm',
  k: 'attn_k_norm',
};

/** llama.cpp's name of a model's weight, which is named as in Hugging Face layout. */
export function toLlamaCppName(name: string, { norms }: Pick<ModelConfig, 'norms'>): string {
  const [, path = '', kind = ''] = /^(.*)\.(weight|bias)$/.exec(name) ?? [];
  const [, layer, part = ''] = /^model\.layers\.(\d+)\.(.*)$/.exec(path) ?? [];
  if (layer === undefined) return `${OUTER_NAMES[path] ?? path}.${kind}`;
  const module = MODULES.find(module => toModulePath({ layer: Number(layer), module }) === path);
  const place = (Object.keys(norms) as NormPlace[]).find(place => norms[place] === part);
  return `blk.${layer}.${module ? LLAMA_CPP_MODULES[module] : place ? NORM_NAMES[place] : part}.${kind}`;
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
