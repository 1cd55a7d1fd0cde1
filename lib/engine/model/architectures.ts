// The differences between architectures, by `model_type`: everything that a `config.json` does not say itself.
import { MODULE_GROUPS, type Module } from '../weights/index.js';
import type { Settings } from './settings.js';

/** The norms of a layer, by what reads their result, or by what they follow; and those of each head. */
export type NormPlace = 'attention' | 'afterAttention' | 'feed' | 'afterFeed' | 'q' | 'k';

/** How the gate of a layer's feed-forward part opens. */
export type Activation = 'silu' | 'gelu';

export interface Architecture {
  /** The names of a layer's norms; what is missing is not normalized. */
  norms: Readonly<Record<'attention' | 'feed', string> & Partial<Record<NormPlace, string>>>;
  /** Norms multiply by 1 + their weights. */
  normsAddOne?: true;
  activation?: Activation;
  /** The projections with a bias, by the setting that adds them; those of `always` have one without a setting. */
  biases: Readonly<Record<string, readonly Module[]>>;
  /** Settings that a config may leave out, as transformers has them. */
  defaults?: Settings;
  /** Settings that change what a model computes, with the only value that is computed here. */
  only?: Settings;
  /** Settings beside those of `COMPUTED` that this architecture reads. */
  reads?: readonly string[];
  /** Whether a layer attends to a window of `sliding_window` tokens, where `layer_types` does not say. */
  isWindowed?(settings: Settings, layer: number): boolean;
  /** Whether a layer turns queries and keys by position, which all do by default. */
  isTurned?(settings: Settings, layer: number): boolean;
  /** The setting with the base of the positions in layers with a window. */
  windowTheta?: string;
  /** Embeddings are multiplied by the root of their width. */
  scalesEmbeddings?: true;
  /** The setting whose inverse root scales the scores, in place of the width of a head. */
  scoresWidth?: string;
  llamaCpp: LlamaCppLayout;
}

/** How llama.cpp represents the architecture. */
interface LlamaCppLayout {
  name: string;
  /** The rows of queries and keys that positions turn together are neighbors. */
  pairsRows: boolean;
}

const { attention, output, feed, down } = MODULE_GROUPS;
const ATTENTION_BIAS = [...attention, ...output];
const FEED_FORWARD = [...feed, ...down];

const NORMS = { attention: 'input_layernorm', feed: 'post_attention_layernorm' } as const;
const HEAD_NORMS = { q: 'self_attn.q_norm', k: 'self_attn.k_norm' } as const;

export const ARCHITECTURES: Readonly<Record<string, Architecture>> = {
  llama: {
    norms: NORMS,
    biases: { attention_bias: ATTENTION_BIAS, mlp_bias: FEED_FORWARD },
    llamaCpp: { name: 'llama', pairsRows: true },
  },
  qwen2: {
    norms: NORMS,
    biases: { always: attention, mlp_bias: FEED_FORWARD },
    llamaCpp: { name: 'qwen2', pairsRows: false },
  },
  qwen3: {
    norms: { ...NORMS, ...HEAD_NORMS },
    biases: { attention_bias: ATTENTION_BIAS, mlp_bias: FEED_FORWARD },
    llamaCpp: { name: 'qwen3', pairsRows: false },
  },
  gemma3_text: {
    norms: {
      attention: 'input_layernorm',
      afterAttention: 'post_attention_layernorm',
      feed: 'pre_feedforward_layernorm',
      afterFeed: 'post_feedforward_layernorm',
      ...HEAD_NORMS,
    },
    normsAddOne: true,
    activation: 'gelu',
    biases: { attention_bias: ATTENTION_BIAS },
    defaults: {
      head_dim: 256,
      query_pre_attn_scalar: 256,
      tie_word_embeddings: true,
      rope_theta: 1_000_000,
      rope_local_base_freq: 10_000,
      sliding_window: 4096,
      sliding_window_pattern: 6,
    },
    only: { hidden_activation: 'gelu_pytorch_tanh', use_bidirectional_attention: false },
    isWindowed: ({ sliding_window_pattern: every }, layer) => (layer + 1) % Number(every) !== 0,
    windowTheta: 'rope_local_base_freq',
    scalesEmbeddings: true,
    scoresWidth: 'query_pre_attn_scalar',
    llamaCpp: { name: 'gemma3', pairsRows: false },
  },
  smollm3: {
    norms: NORMS,
    biases: { attention_bias: ATTENTION_BIAS, mlp_bias: FEED_FORWARD },
    defaults: { tie_word_embeddings: true, rope_theta: 2_000_000, no_rope_layer_interval: 4 },
    reads: ['no_rope_layers'],
    isTurned: turnsByList,
    isWindowed: (settings, layer) => settings.use_sliding_window === true && !turnsByList(settings, layer),
    llamaCpp: { name: 'smollm3', pairsRows: true },
  },
};

function turnsByList({ no_rope_layers: turned, no_rope_layer_interval: every }: Settings, layer: number): boolean {
  return Array.isArray(turned) ? turned[layer] !== 0 : (layer + 1) % Number(every) !== 0;
}
