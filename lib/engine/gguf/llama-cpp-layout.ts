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
  'linear_attn.in_proj_qkv': 'attn_qkv',
  'linear_attn.in_proj_z': 'attn_gate',
  'linear_attn.in_proj_b': 'ssm_beta',
  'linear_attn.in_proj_a': 'ssm_alpha',
  'linear_attn.out_proj': 'ssm_out',
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
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'conv.conv': 'shortconv.conv',
  'linear_attn.conv1d': 'ssm_conv1d',
  'linear_attn.norm': 'ssm_norm',
};
/** Vectors, whose names have no ending in Hugging Face's layout. */
const VECTOR_NAMES: Readonly<Record<string, string>> = {
  'linear_attn.A_log': 'ssm_a',
  'linear_attn.dt_bias': 'ssm_dt.bias',
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

/** llama.cpp's names of a model's weight, which is named as in Hugging Face layout: one for each part of its rows. */
export function toLlamaCppNames(name: string, { norms, finalNorm, llamaCpp }: ModelConfig): string[] {
  if (name === finalNorm) return [`${llamaCpp.finalNorm ?? 'output_norm'}.weight`];
  const [, path = name, kind = ''] = /^(.*)\.(weight|bias)$/.exec(name) ?? [];
  const [, layer, part = ''] = /^model\.layers\.(\d+)\.(.*)$/.exec(path) ?? [];
  if (kind === '') return [`blk.${layer}.${VECTOR_NAMES[part]}`];
  if (layer === undefined) return [`${OUTER_NAMES[path] ?? path}.${kind}`];
  const module = MODULES.find(module => module === part);
  const place = (Object.keys(norms) as NormPlace[]).find(place => norms[place] === part);
  const normNames = { ...NORM_NAMES, ...llamaCpp.norms };
  const names = module ? LLAMA_CPP_MODULES[module] : place ? normNames[place] : (OTHER_NAMES[part] ?? part);
  return [names].flat().map(name => `blk.${layer}.${name}.${kind}`);
}

/** Without lengths of 1 in the middle, which a convolution's weights have. */
export function toLlamaCppShape(shape: readonly number[]): readonly number[] {
  return shape.length < 3 ? shape : [shape[0]!, ...shape.slice(1).filter(length => length !== 1)];
}
