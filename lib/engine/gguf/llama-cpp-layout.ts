// How llama.cpp names and arranges a model's weights, as GGUF files have them.
import type { ModelConfig, NormPlace } from '../model/index.js';
import { findModule, PROJECTIONS } from '../weights/index.js';

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
  const module = findModule(part);
  const place = (Object.keys(norms) as NormPlace[]).find(place => norms[place] === part);
  const normNames = { ...NORM_NAMES, ...llamaCpp.norms };
  const names = module
    ? PROJECTIONS[module].llamaCpp
    : place
      ? normNames[place]
      : (OTHER_NAMES[part] ?? part);
  return [names].flat().map(name => `blk.${layer}.${name}.${kind}`);
}

/** Without lengths of 1 in the middle, which a convolution's weights have. */
export function toLlamaCppShape(shape: readonly number[]): readonly number[] {
  return shape.length < 3 ? shape : [shape[0]!, ...shape.slice(1).filter(length => length !== 1)];
}
