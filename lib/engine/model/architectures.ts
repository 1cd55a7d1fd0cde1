// Every architecture that is computed, by `model_type`: the graphs, the weights' names, the reading and writing of files and the
// docs follow from this table.
import type { Architecture, Projections } from './architecture.js';
import type { Settings } from './settings.js';

const QKV = ['self_attn.q_proj', 'self_attn.k_proj', 'self_attn.v_proj'] as const;
const USUAL: Projections = {
  attention: { in: QKV, out: ['self_attn.o_proj'] },
  feed: ['mlp.gate_proj', 'mlp.up_proj'],
  down: ['mlp.down_proj'],
};
const ATTENTION_BIAS = [...QKV, ...USUAL.attention.out];
const FEED_FORWARD = [...USUAL.feed, ...USUAL.down];

const LLAMA_CPP_LLAMA = {
  name: 'llama',
  pairsRows: true,
  biases: [...ATTENTION_BIAS, ...FEED_FORWARD],
  hasRopeFactors: true,
} as const;

const LLAMA_CPP_GRANITE = {
  ...LLAMA_CPP_LLAMA,
  name: 'granite',
  hasScales: true,
  turns: 'rope.scaling.finetuned',
} as const;

const NORMS = { attention: 'input_layernorm', feed: 'post_attention_layernorm' } as const;
const HEAD_NORMS = { q: 'self_attn.q_norm', k: 'self_attn.k_norm' } as const;
const NORMS_AFTER = {
  afterAttention: 'post_attention_layernorm',
  afterFeed: 'post_feedforward_layernorm',
  ...HEAD_NORMS,
} as const;

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
    className: 'LlamaForCausalLM',
    projections: USUAL,
    norms: NORMS,
    biases: { attention_bias: ATTENTION_BIAS, mlp_bias: FEED_FORWARD },
    llamaCpp: LLAMA_CPP_LLAMA,
  },
  qwen2: {
    className: 'Qwen2ForCausalLM',
    projections: USUAL,
    norms: NORMS,
    biases: { always: QKV, mlp_bias: FEED_FORWARD },
    llamaCpp: { name: 'qwen2', pairsRows: false, biases: QKV },
  },
  qwen3: {
    className: 'Qwen3ForCausalLM',
    projections: USUAL,
    norms: { ...NORMS, ...HEAD_NORMS },
    biases: { attention_bias: ATTENTION_BIAS, mlp_bias: FEED_FORWARD },
    llamaCpp: { name: 'qwen3', pairsRows: false },
  },
  gemma3_text: {
    className: 'Gemma3ForCausalLM',
    projections: USUAL,
    norms: { ...NORMS_AFTER, attention: 'input_layernorm', feed: 'pre_feedforward_layernorm' },
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
    llamaCpp: {
      name: 'gemma3',
      pairsRows: false,
      hasWindows: true,
      // Files do not say it: the largest model, of 27B, has another one.
      scoresWidth: ({ layers, hidden, heads, headDim }) => (layers === 62 ? hidden / heads : headDim),
    },
  },
  smollm3: {
    className: 'SmolLM3ForCausalLM',
    projections: USUAL,
    norms: NORMS,
    biases: { attention_bias: ATTENTION_BIAS, mlp_bias: FEED_FORWARD },
    defaults: { tie_word_embeddings: true, rope_theta: 2_000_000, no_rope_layer_interval: 4 },
    reads: ['no_rope_layers'],
    isTurned: turnsByList,
    isWindowed: (settings, layer) => settings.use_sliding_window === true && !turnsByList(settings, layer),
    llamaCpp: { name: 'smollm3', pairsRows: true, restsEvery: 4 },
  },
  granite: {
    className: 'GraniteForCausalLM',
    projections: USUAL,
    norms: NORMS,
    biases: { attention_bias: ATTENTION_BIAS, mlp_bias: FEED_FORWARD },
    ...GRANITE,
    llamaCpp: LLAMA_CPP_GRANITE,
  },
  granitemoehybrid: {
    className: 'GraniteMoeHybridForCausalLM',
    projections: { ...USUAL, feed: ['shared_mlp.input_linear'], down: ['shared_mlp.output_linear'] },
    norms: NORMS,
    biases: { attention_bias: ATTENTION_BIAS },
    ...GRANITE,
    // A config without these is of a model with experts and other layers.
    defaults: { ...GRANITE.defaults, num_local_experts: 8, layer_types: ['mamba'] },
    only: { num_local_experts: 0 },
    rename: { shared_intermediate_size: 'intermediate_size' },
    isTurned: ({ position_embedding_type: type }) => type === 'rope',
    llamaCpp: LLAMA_CPP_GRANITE,
  },
  phi3: {
    className: 'Phi3ForCausalLM',
    projections: {
      attention: { in: ['self_attn.qkv_proj'], out: ['self_attn.o_proj'] },
      feed: ['mlp.gate_up_proj'],
      down: ['mlp.down_proj'],
    },
    norms: NORMS,
    biases: {},
    defaults: { rms_norm_eps: 1e-5, sliding_window: null },
    reads: ['partial_rotary_factor'],
    isWindowed: settings =>
      hasWindow(settings) && Number(settings.sliding_window) < Number(settings.max_position_embeddings),
    llamaCpp: { name: 'phi3', pairsRows: false, hasLongRope: true },
  },
  mistral: {
    className: 'MistralForCausalLM',
    projections: USUAL,
    norms: NORMS,
    biases: {},
    defaults: MISTRAL_WINDOW,
    isWindowed: hasWindow,
    llamaCpp: LLAMA_CPP_LLAMA,
  },
  ministral: {
    className: 'MinistralForCausalLM',
    projections: USUAL,
    norms: NORMS,
    biases: {},
    defaults: MISTRAL_WINDOW,
    isWindowed: hasWindow,
    llamaCpp: LLAMA_CPP_LLAMA,
  },
  lfm2: {
    className: 'Lfm2ForCausalLM',
    projections: {
      attention: { in: QKV, out: ['self_attn.out_proj'] },
      convolution: { in: ['conv.in_proj'], out: ['conv.out_proj'] },
      feed: ['feed_forward.w1', 'feed_forward.w3'],
      down: ['feed_forward.w2'],
    },
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
    className: 'Qwen3_5ForCausalLM',
    inside: 'qwen3_5',
    projections: {
      ...USUAL,
      delta: {
        in: [
          'linear_attn.in_proj_qkv',
          'linear_attn.in_proj_z',
          'linear_attn.in_proj_b',
          'linear_attn.in_proj_a',
        ],
        out: ['linear_attn.out_proj'],
      },
    },
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
    mlxLayers: 'language_model.model.layers',
  },
  olmo2: {
    className: 'Olmo2ForCausalLM',
    projections: USUAL,
    norms: NORMS_AFTER,
    normsAllHeads: true,
    biases: { attention_bias: ATTENTION_BIAS },
    defaults: { rms_norm_eps: 1e-5 },
    llamaCpp: { name: 'olmo2', pairsRows: false },
  },
  exaone4: {
    className: 'Exaone4ForCausalLM',
    projections: USUAL,
    norms: NORMS_AFTER,
    biases: {},
    defaults: { rms_norm_eps: 1e-5, sliding_window: 4096, sliding_window_pattern: 4 },
    isWindowed: isExaoneWindowed,
    isTurned: (settings, layer) => !isExaoneMixed(settings) || isExaoneWindowed(settings, layer),
    forTransformers: settings => (isExaoneMixed(settings) ? {} : withoutWindows(settings)),
    llamaCpp: { name: 'exaone4', pairsRows: false, hasRopeFactors: true },
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

/** Whether there are layers with a window and others, which then are not turned. */
function isExaoneMixed(settings: Settings): boolean {
  return hasWindow(settings) && settings.use_sliding_window !== false;
}

/** Without layer types, transformers would count windows in a pattern. */
function withoutWindows({ num_hidden_layers: layers, layer_types: types }: Settings): Settings {
  const full = Array.from({ length: Number(layers) }, () => 'full_attention');
  return { sliding_window: null, layer_types: types ?? full };
}

function isExaoneWindowed(settings: Settings, layer: number): boolean {
  const { layer_types: types, sliding_window_pattern: every } = settings;
  if (Array.isArray(types)) return types[layer] === 'sliding_attention';
  return isExaoneMixed(settings) && (layer + 1) % Number(every) !== 0;
}

function turnsByList(
  { no_rope_layers: turned, no_rope_layer_interval: every }: Settings,
  layer: number,
): boolean {
  return Array.isArray(turned) ? turned[layer] !== 0 : (layer + 1) % Number(every) !== 0;
}
