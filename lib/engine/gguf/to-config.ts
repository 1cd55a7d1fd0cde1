// From a GGUF file's metadata to the content of a `config.json`, by its architecture, which llama.cpp names. What the model would
// need beyond that, its description rejects by name.
import { ARCHITECTURES, type ModelConfig, tellNeeds } from '../model/index.js';
import { quote, WeightsError } from '../weights/index.js';
import type { Facts, GgufHeader } from './read-header.js';

type Json = Readonly<Record<string, unknown>>;

/** `ropeFactors`: what frequencies are divided by, by the names of the tensors that the file has. */
export function toConfig(
  header: GgufHeader,
  facts: Facts,
  { name: architecture, modelType }: Architecture,
  ropeFactors: ReadonlyMap<string, Float32Array>,
): Json {
  const { file, tensors } = header;
  const number = (key: string) => facts.number(`${architecture}.${key}`);
  const { llamaCpp } = ARCHITECTURES[modelType]!;
  if (llamaCpp.turns && facts.flag(`${architecture}.${llamaCpp.turns}`) === false)
    throw new WeightsError(file, 'has layers without positions, which is not supported');
  if (number('expert_count')) throw new WeightsError(file, 'is a mixture of experts, which is not supported');
  const heads = number('attention.head_count');
  const headDim = number('attention.key_length');
  const rotated = number('rope.dimension_count');
  const width = headDim ?? (number('embedding_length') ?? 0) / (heads ?? 1);
  return compact({
    model_type: modelType,
    hidden_size: number('embedding_length'),
    num_hidden_layers: countLayers(facts, architecture),
    num_attention_heads: heads,
    num_key_value_heads: readForAllLayers(header, facts, `${architecture}.attention.head_count_kv`),
    head_dim: headDim,
    intermediate_size: readForAllLayers(header, facts, `${architecture}.feed_forward_length`),
    vocab_size: tensors.get('token_embd.weight')?.shape[0],
    rms_norm_eps: number('attention.layer_norm_rms_epsilon'),
    tie_word_embeddings: !tensors.has('output.weight'),
    attention_bias: tensors.has('blk.0.attn_q.bias'),
    mlp_bias: tensors.has('blk.0.ffn_gate.bias'),
    rope_theta: number('rope.freq_base'),
    rope_scaling: toRopeScaling(header, facts, architecture, ropeFactors),
    partial_rotary_factor: rotated === undefined || rotated === width ? undefined : rotated / width,
    ...toWindows(header, facts, architecture),
    query_pre_attn_scalar: toScoresWidth(number, llamaCpp),
    ...toConvolutions(facts, architecture),
    ...toDelta(header, facts, architecture),
    attn_logit_softcapping: number('attn_logit_softcapping'),
    final_logit_softcapping: number('final_logit_softcapping'),
    embedding_multiplier: number('embedding_scale'),
    residual_multiplier: number('residual_scale'),
    attention_multiplier: number('attention.scale'),
    logits_scaling: number('logit_scale'),
    max_position_embeddings: number('context_length'),
    bos_token_id: facts.number('tokenizer.ggml.bos_token_id'),
    eos_token_id: facts.number('tokenizer.ggml.eos_token_id'),
  });
}

function compact(json: Json): Json {
  return Object.fromEntries(Object.entries(json).filter(([, value]) => value !== undefined));
}

/** A pattern is a list of layers, or after how many one has no window. Without it, an architecture has its own. */
function toWindows({ metadata }: GgufHeader, facts: Facts, architecture: string): Json {
  const window = facts.number(`${architecture}.attention.sliding_window`) || undefined;
  const pattern = metadata.get(`${architecture}.attention.sliding_window_pattern`);
  return {
    sliding_window: window,
    use_sliding_window: window !== undefined,
    layer_types: Array.isArray(pattern)
      ? pattern.map(isWindowed => (isWindowed ? 'sliding_attention' : FULL))
      : undefined,
    sliding_window_pattern: typeof pattern === 'number' ? pattern : undefined,
    rope_local_base_freq: facts.number(`${architecture}.rope.freq_base_swa`),
  };
}

/** Files do not say it. */
function toScoresWidth(
  number: (key: string) => number | undefined,
  { scoresWidth }: Pick<ModelConfig['llamaCpp'], 'scoresWidth'>,
): number | undefined {
  const [layers, hidden] = [number('block_count'), number('embedding_length')];
  const [heads, headDim] = [number('attention.head_count'), number('attention.key_length')];
  const isKnown = scoresWidth && layers && hidden && heads && headDim;
  return isKnown ? scoresWidth({ layers, hidden, heads, headDim }) : headDim;
}

/** Without those that only predict further tokens, which come last. */
function countLayers(facts: Facts, architecture: string): number | undefined {
  const blocks = facts.number(`${architecture}.block_count`);
  return blocks && blocks - (facts.number(`${architecture}.nextn_predict_layers`) ?? 0);
}

/** Layers with a delta rule. A list says which, or every how many layers one attends. */
function toDelta({ metadata }: GgufHeader, facts: Facts, architecture: string): Json {
  const ssm = (key: string) => facts.number(`${architecture}.ssm.${key}`);
  const [heads, width] = [ssm('time_step_rank'), ssm('inner_size')];
  if (heads === undefined || width === undefined) return {};
  const layers = metadata.get(`${architecture}.attention.recurrent_layers`);
  return {
    layer_types: Array.isArray(layers)
      ? layers.map(isRecurrent => (isRecurrent ? 'linear_attention' : 'full_attention'))
      : undefined,
    full_attention_interval: facts.number(`${architecture}.full_attention_interval`),
    linear_num_value_heads: heads,
    linear_value_head_dim: width / heads,
    linear_num_key_heads: ssm('group_count'),
    linear_key_head_dim: ssm('state_size'),
    linear_conv_kernel_dim: ssm('conv_kernel'),
  };
}

/** A layer without keys and values has a convolution. Files have the width of the feed-forward part itself. */
function toConvolutions(facts: Facts, architecture: string): Json {
  const length = facts.number(`${architecture}.shortconv.l_cache`);
  if (length === undefined) return {};
  const heads = facts.numbers(`${architecture}.attention.head_count_kv`) ?? [];
  return {
    layer_types: heads.map(count => (count === 0 ? 'conv' : FULL)),
    conv_L_cache: length,
    norm_eps: facts.number(`${architecture}.attention.layer_norm_rms_epsilon`),
    block_auto_adjust_ff_dim: false,
  };
}

const FULL = 'full_attention';

/** One number, or a list with the same one for each layer that has any. */
function readForAllLayers({ file, metadata }: GgufHeader, facts: Facts, key: string): number | undefined {
  if (!Array.isArray(metadata.get(key))) return facts.number(key);
  const [first, ...others] = facts.numbers(key)!.filter(count => count !== 0);
  if (others.every(other => other === first)) return first;
  throw new WeightsError(file, `has layers of different sizes (${quote(key)}), which is not supported`);
}

function toRopeScaling(
  { file }: GgufHeader,
  facts: Facts,
  architecture: string,
  factors: ReadonlyMap<string, Float32Array>,
): Json | undefined {
  const [all, long, short] = [ROPE_FACTORS, LONG_ROPE_FACTORS, SHORT_ROPE_FACTORS].map(name =>
    factors.get(name),
  );
  if (all) return toLlama3Scaling(all, facts.number(`${architecture}.rope.freq_base`) ?? LLAMA3_THETA, file);
  if (long && short)
    return compact({
      rope_type: 'longrope',
      long_factor: Array.from(long),
      short_factor: Array.from(short),
      original_max_position_embeddings: facts.number(`${architecture}.rope.scaling.original_context_length`),
      attention_factor: facts.number(`${architecture}.rope.scaling.attn_factor`),
    });
  const kind = facts.text(`${architecture}.rope.scaling.type`) ?? 'none';
  if (kind === 'none') return undefined;
  return compact({
    rope_type: kind,
    factor: facts.number(`${architecture}.rope.scaling.factor`),
    original_max_position_embeddings: facts.number(`${architecture}.rope.scaling.original_context_length`),
    beta_fast: facts.number(`${architecture}.rope.scaling.yarn_beta_fast`),
    beta_slow: facts.number(`${architecture}.rope.scaling.yarn_beta_slow`),
  });
}

/** The constants of every model with this scaling; its factor and its base vary. */
const LLAMA3 = { low_freq_factor: 1, high_freq_factor: 4, original_max_position_embeddings: 8192 };
const LLAMA3_THETA = 500_000;
const TOLERANCE = 1e-3;

/** The file has what each frequency is divided by, not the settings that this was computed from. */
function toLlama3Scaling(factors: Float32Array, theta: number, file: string): Json | undefined {
  const factor = factors.at(-1)!;
  if (factors.every(value => value === 1)) return undefined;
  const isLlama3 = factors.every((value, i) => {
    const frequency = theta ** (-i / factors.length);
    const turns = (LLAMA3.original_max_position_embeddings * frequency) / (2 * Math.PI);
    const share = (turns - LLAMA3.low_freq_factor) / (LLAMA3.high_freq_factor - LLAMA3.low_freq_factor);
    const kept = Math.min(1, Math.max(0, share));
    const expected = 1 / (kept + (1 - kept) / factor);
    return Math.abs(value - expected) <= TOLERANCE * expected;
  });
  if (isLlama3) return { rope_type: 'llama3', factor, ...LLAMA3 };
  throw new WeightsError(file, 'scales rope in a way that is not supported', { tensor: ROPE_FACTORS });
}

export const ROPE_FACTORS = 'rope_freqs.weight';
/** Of texts that are longer than the original positions, and of others. */
export const [LONG_ROPE_FACTORS, SHORT_ROPE_FACTORS] = [
  'rope_factors_long.weight',
  'rope_factors_short.weight',
];

export interface Architecture {
  name: string;
  /** In Hugging Face's layout. */
  modelType: string;
}

const nameOf = (modelType: string) => ARCHITECTURES[modelType]!.llamaCpp.name;

/** Rejects what is not one whole language model. */
export function readArchitecture({ file }: GgufHeader, facts: Facts): Architecture {
  const type = facts.text('general.type') ?? 'model';
  if (type !== 'model') throw new WeightsError(file, `is not a model but of type ${quote(type)}`);
  const parts = facts.number('split.count') ?? 1;
  if (parts > 1)
    throw new WeightsError(file, `is one of ${parts} parts. Join them first: llama-gguf-split --merge`);
  const name = facts.text('general.architecture') ?? '';
  const modelTypes = Object.keys(ARCHITECTURES);
  const modelType = modelTypes.find(type => nameOf(type) === name);
  if (modelType !== undefined) return { name, modelType };
  const known = new Intl.ListFormat('en-GB').format(new Set(modelTypes.map(nameOf)));
  const needs = tellNeeds({
    attn_logit_softcapping: facts.number(`${name}.attn_logit_softcapping`),
    final_logit_softcapping: facts.number(`${name}.final_logit_softcapping`),
    num_experts: facts.number(`${name}.expert_count`),
  });
  throw new WeightsError(
    file,
    `has the architecture ${quote(name)}, which is not supported${needs}; ${known} are`,
  );
}
