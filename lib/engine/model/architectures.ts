// The differences between architectures, by `model_type`: everything that a `config.json` does not say itself.
import { MODULE_PATHS, type Module, type Projections } from '../weights/index.js';
import type { Settings } from './settings.js';

/**
 * The norms of a layer, by what reads their result, or by what they follow; and those of each head. `attention` is before what
 * mixes tokens, whichever that is.
 */
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

/** What mixes the tokens in a layer. */
export type MixerKind = 'attention' | 'convolution' | 'delta';

export interface Architecture {
  projections: Projections;
  /** The names of a layer's norms; what is missing is not normalized. */
  norms: Readonly<Record<'attention' | 'feed', string> & Partial<Record<NormPlace, string>>>;
  /** Norms multiply by 1 + their weights. */
  normsAddOne?: true;
  /** The norm after the last layer, if it has another name. */
  finalNorm?: string;
  activation?: Activation;
  /** The projections with a bias, by the setting that adds them; those of `always` have one without a setting. */
  biases: Readonly<Record<string, readonly Module[]>>;
  /** Settings that a config may leave out, as transformers has them. */
  defaults?: Settings;
  /** Settings that change what a model computes, with the only value that is computed here. */
  only?: Settings;
  /** Settings beside those of `COMPUTED` that this architecture reads. */
  reads?: readonly string[];
  /** What a config says under other names than most. */
  rename?: Readonly<Record<string, string>>;
  /** How wide the feed-forward part is, where `intermediate_size` is not its width. */
  feedWidth?(settings: Settings): number;
  /**
   * The layers that do not attend: where they are, the path of their weights in a layer, and the setting that says how
   * many tokens they reach.
   */
  convolution?: {
    isIn(settings: Settings, layer: number): boolean;
    path: string;
    length: string;
  };
  /** The layers with a gated delta rule: where they are. */
  delta?: { isIn(settings: Settings, layer: number): boolean };
  /** The projection of queries also has a gate for what each head reads. */
  gatesAttention?: true;
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
  /** Norms with another name than in most architectures. */
  norms?: Partial<Record<NormPlace, string>>;
  /** The projections that may have a bias. */
  biases?: readonly Module[];
  /** It computes windows; otherwise, texts must be short enough for them not to matter. */
  hasWindows?: true;
  /** Positions may be scaled frequency by frequency. */
  hasRopeFactors?: true;
  /** Positions may be scaled by lists of factors for short and for long texts. */
  hasLongRope?: true;
  /** Embeddings, scores, updates and logits may be scaled. */
  hasScales?: true;
  /** One of so many layers is not turned. */
  restsEvery?: number;
  /** The norm after the last layer, if it has another name. */
  finalNorm?: string;
}

const { llama: LLAMA, lfm2: LFM2, granite4: GRANITE4, phi3: PHI3, qwen3_5: QWEN3_5 } = MODULE_PATHS;
const ATTENTION_BIAS = [...LLAMA.attention.in, ...LLAMA.attention.out];
const FEED_FORWARD = [...LLAMA.feed, ...LLAMA.down];

const LLAMA_CPP_LLAMA = {
  name: 'llama',
  pairsRows: true,
  biases: [...ATTENTION_BIAS, ...FEED_FORWARD],
  hasRopeFactors: true,
} as const;

const NORMS = { attention: 'input_layernorm', feed: 'post_attention_layernorm' } as const;
const HEAD_NORMS = { q: 'self_attn.q_norm', k: 'self_attn.k_norm' } as const;

const GRANITE: Pick<Architecture, 'defaults' | 'reads' | 'scales'> = {
  defaults: { embedding_multiplier: 1, attention_multiplier: 1, residual_multiplier: 1, logits_scaling: 1 },
  reads: ['embedding_multiplier', 'attention_multiplier', 'residual_multiplier', 'logits_scaling'],
  scales: read => ({
    embeddings: read('embedding_multiplier'),
    scores: read('attention_multiplier'),
    updates: read('residual_multiplier'),
    logits: 1 / read('logits_scaling'),
  }),
};

/** Without a window, the setting is null. */
const MISTRAL_WINDOW = { sliding_window: 4096 };
const hasWindow = ({ sliding_window: window }: Settings) => window !== null;

export const ARCHITECTURES: Readonly<Record<string, Architecture>> = {
  llama: {
    projections: LLAMA,
    norms: NORMS,
    biases: { attention_bias: ATTENTION_BIAS, mlp_bias: FEED_FORWARD },
    llamaCpp: LLAMA_CPP_LLAMA,
  },
  qwen2: {
    projections: LLAMA,
    norms: NORMS,
    biases: { always: LLAMA.attention.in, mlp_bias: FEED_FORWARD },
    llamaCpp: { name: 'qwen2', pairsRows: false, biases: LLAMA.attention.in },
  },
  qwen3: {
    projections: LLAMA,
    norms: { ...NORMS, ...HEAD_NORMS },
    biases: { attention_bias: ATTENTION_BIAS, mlp_bias: FEED_FORWARD },
    llamaCpp: { name: 'qwen3', pairsRows: false },
  },
  gemma3_text: {
    projections: LLAMA,
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
    projections: LLAMA,
    norms: NORMS,
    biases: { attention_bias: ATTENTION_BIAS, mlp_bias: FEED_FORWARD },
    defaults: { tie_word_embeddings: true, rope_theta: 2_000_000, no_rope_layer_interval: 4 },
    reads: ['no_rope_layers'],
    isTurned: turnsByList,
    isWindowed: (settings, layer) => settings.use_sliding_window === true && !turnsByList(settings, layer),
    llamaCpp: { name: 'smollm3', pairsRows: true, restsEvery: 4 },
  },
  granite: {
    projections: LLAMA,
    norms: NORMS,
    biases: { attention_bias: ATTENTION_BIAS, mlp_bias: FEED_FORWARD },
    ...GRANITE,
    llamaCpp: { ...LLAMA_CPP_LLAMA, name: 'granite', hasScales: true },
  },
  granitemoehybrid: {
    projections: GRANITE4,
    norms: NORMS,
    biases: { attention_bias: ATTENTION_BIAS },
    ...GRANITE,
    // A config without these is of a model with experts and other layers.
    defaults: { ...GRANITE.defaults, num_local_experts: 8, layer_types: ['mamba'] },
    only: { num_local_experts: 0 },
    rename: { shared_intermediate_size: 'intermediate_size' },
    isTurned: ({ position_embedding_type: type }) => type === 'rope',
    llamaCpp: { ...LLAMA_CPP_LLAMA, name: 'granite', hasScales: true },
  },
  phi3: {
    projections: PHI3,
    norms: NORMS,
    biases: {},
    defaults: { rms_norm_eps: 1e-5, sliding_window: null },
    reads: ['partial_rotary_factor'],
    isWindowed: settings =>
      hasWindow(settings) && Number(settings.sliding_window) < Number(settings.max_position_embeddings),
    llamaCpp: { name: 'phi3', pairsRows: false, hasLongRope: true },
  },
  mistral: {
    projections: LLAMA,
    norms: NORMS,
    biases: {},
    defaults: MISTRAL_WINDOW,
    isWindowed: hasWindow,
    llamaCpp: LLAMA_CPP_LLAMA,
  },
  ministral: {
    projections: LLAMA,
    norms: NORMS,
    biases: {},
    defaults: MISTRAL_WINDOW,
    isWindowed: hasWindow,
    llamaCpp: LLAMA_CPP_LLAMA,
  },
  lfm2: {
    projections: LFM2,
    norms: {
      attention: 'operator_norm',
      feed: 'ffn_norm',
      q: 'self_attn.q_layernorm',
      k: 'self_attn.k_layernorm',
    },
    finalNorm: 'model.embedding_norm',
    biases: {},
    only: { conv_bias: false },
    rename: {
      norm_eps: 'rms_norm_eps',
      tie_embedding: 'tie_word_embeddings',
      block_ff_dim: 'intermediate_size',
    },
    defaults: {
      rms_norm_eps: 1e-5,
      tie_word_embeddings: true,
      rope_theta: 1_000_000,
      conv_L_cache: 3,
      block_auto_adjust_ff_dim: true,
      block_ffn_dim_multiplier: 1,
      block_multiple_of: 256,
    },
    feedWidth: adjustedWidth,
    convolution: {
      isIn: ({ layer_types: types, full_attn_idxs: attending }, layer) =>
        Array.isArray(types)
          ? types[layer] === 'conv'
          : Array.isArray(attending) && !attending.includes(layer),
      path: 'conv.conv',
      length: 'conv_L_cache',
    },
    llamaCpp: { name: 'lfm2', pairsRows: false, finalNorm: 'token_embd_norm' },
  },
  qwen3_5_text: {
    projections: QWEN3_5,
    norms: { ...NORMS, ...HEAD_NORMS },
    normsAddOne: true,
    gatesAttention: true,
    biases: { attention_bias: ATTENTION_BIAS },
    defaults: {
      head_dim: 256,
      partial_rotary_factor: 0.25,
      full_attention_interval: 4,
      linear_conv_kernel_dim: 4,
      linear_num_key_heads: 16,
      linear_num_value_heads: 32,
      linear_key_head_dim: 128,
      linear_value_head_dim: 128,
    },
    only: { attn_output_gate: true },
    reads: ['partial_rotary_factor'],
    delta: {
      isIn: ({ layer_types: types, full_attention_interval: every }, layer) =>
        Array.isArray(types) ? types[layer] === 'linear_attention' : (layer + 1) % Number(every) !== 0,
    },
    llamaCpp: { name: 'qwen35', pairsRows: false, norms: { feed: 'post_attention_norm' } },
  },
};

/** As LFM2's own code has it. */
function adjustedWidth(settings: Settings): number {
  const { block_auto_adjust_ff_dim: isAdjusted, block_ffn_dim_multiplier: factor } = settings;
  const given = Number(settings.intermediate_size);
  if (isAdjusted !== true) return given;
  const share = Math.trunc((2 * given) / 3);
  if (factor === null) return share;
  const scaled = Math.trunc(Number(factor) * share);
  const step = Number(settings.block_multiple_of);
  return step * Math.ceil(scaled / step);
}

function turnsByList(
  { no_rope_layers: turned, no_rope_layer_interval: every }: Settings,
  layer: number,
): boolean {
  return Array.isArray(turned) ? turned[layer] !== 0 : (layer + 1) % Number(every) !== 0;
}
