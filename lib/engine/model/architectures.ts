// The differences between architectures, by `model_type`: everything that a `config.json` does not say itself.
import { MODULE_GROUPS, MODULES, type Module } from '../weights/index.js';
import type { Settings } from './settings.js';

/** The norms of a layer, by what reads their result, or by what they follow; and those of each head. */
export type NormPlace = 'attention' | 'afterAttention' | 'feed' | 'afterFeed' | 'q' | 'k';

/** How the gate of a layer's feed-forward part opens. */
export type Activation = 'silu' | 'gelu';

/** What a model multiplies by a number. */
export interface Scales {
  embeddings: number;
  scores: number;
  /** What a layer adds to the residual stream. */
  updates: number;
  logits: number;
}

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
  /** In place of 1, and for scores in place of the inverse root of a head's width. `read`: a setting. */
  scales?(read: (name: string) => number, hidden: number): Partial<Scales>;
  llamaCpp: LlamaCppLayout;
}

/** How llama.cpp represents the architecture, and what it computes of it. */
interface LlamaCppLayout {
  name: string;
  /** The rows of queries and keys that positions turn together are neighbors. */
  pairsRows: boolean;
  /** The projections that may have a bias. */
  biases?: readonly Module[];
  /** It computes windows; otherwise, texts must be short enough for them not to matter. */
  hasWindows?: true;
  /** Positions may be scaled frequency by frequency. */
  hasRopeFactors?: true;
  /** Embeddings, scores, updates and logits may be scaled. */
  hasScales?: true;
  /** One of so many layers is not turned. */
  restsEvery?: number;
}

const { attention, output, feed, down } = MODULE_GROUPS;
const ATTENTION_BIAS = [...attention, ...output];
const FEED_FORWARD = [...feed, ...down];

const LLAMA_CPP_LLAMA = {
  name: 'llama',
  pairsRows: true,
  biases: MODULES,
  hasRopeFactors: true,
} as const;

const NORMS = { attention: 'input_layernorm', feed: 'post_attention_layernorm' } as const;
const HEAD_NORMS = { q: 'self_attn.q_norm', k: 'self_attn.k_norm' } as const;

/** Without a window, the setting is null. */
const MISTRAL_WINDOW = { sliding_window: 4096 };
const hasWindow = ({ sliding_window: window }: Settings) => window !== null;

export const ARCHITECTURES: Readonly<Record<string, Architecture>> = {
  llama: {
    norms: NORMS,
    biases: { attention_bias: ATTENTION_BIAS, mlp_bias: FEED_FORWARD },
    llamaCpp: LLAMA_CPP_LLAMA,
  },
  qwen2: {
    norms: NORMS,
    biases: { always: attention, mlp_bias: FEED_FORWARD },
    llamaCpp: { name: 'qwen2', pairsRows: false, biases: attention },
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
    scales: (read, hidden) => ({
      embeddings: Math.sqrt(hidden),
      scores: 1 / Math.sqrt(read('query_pre_attn_scalar')),
    }),
    llamaCpp: { name: 'gemma3', pairsRows: false, hasWindows: true },
  },
  smollm3: {
    norms: NORMS,
    biases: { attention_bias: ATTENTION_BIAS, mlp_bias: FEED_FORWARD },
    defaults: { tie_word_embeddings: true, rope_theta: 2_000_000, no_rope_layer_interval: 4 },
    reads: ['no_rope_layers'],
    isTurned: turnsByList,
    isWindowed: (settings, layer) => settings.use_sliding_window === true && !turnsByList(settings, layer),
    llamaCpp: { name: 'smollm3', pairsRows: true, restsEvery: 4 },
  },
  granite: {
    norms: NORMS,
    biases: { attention_bias: ATTENTION_BIAS, mlp_bias: FEED_FORWARD },
    defaults: { embedding_multiplier: 1, attention_multiplier: 1, residual_multiplier: 1, logits_scaling: 1 },
    reads: ['embedding_multiplier', 'attention_multiplier', 'residual_multiplier', 'logits_scaling'],
    scales: read => ({
      embeddings: read('embedding_multiplier'),
      scores: read('attention_multiplier'),
      updates: read('residual_multiplier'),
      logits: 1 / read('logits_scaling'),
    }),
    llamaCpp: { ...LLAMA_CPP_LLAMA, name: 'granite', hasScales: true },
  },
  mistral: {
    norms: NORMS,
    biases: {},
    defaults: MISTRAL_WINDOW,
    isWindowed: hasWindow,
    llamaCpp: LLAMA_CPP_LLAMA,
  },
  ministral: {
    norms: NORMS,
    biases: {},
    defaults: MISTRAL_WINDOW,
    isWindowed: hasWindow,
    llamaCpp: LLAMA_CPP_LLAMA,
  },
};

function turnsByList(
  { no_rope_layers: turned, no_rope_layer_interval: every }: Settings,
  layer: number,
): boolean {
  return Array.isArray(turned) ? turned[layer] !== 0 : (layer + 1) % Number(every) !== 0;
}
