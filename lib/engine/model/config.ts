// A model as a description, read from its `config.json`. The graphs, the weights' names and the exports follow from it;
// nothing else asks for the architecture. A config that needs something else is rejected by the name of the setting.
import { MODULE_GROUPS, type Module } from '../weights/index.js';

export interface RopeScaling {
  factor: number;
  lowFrequencyFactor: number;
  highFrequencyFactor: number;
  originalPositions: number;
}

export interface ModelConfig {
  hidden: number;
  layers: number;
  heads: number;
  kvHeads: number;
  headDim: number;
  intermediate: number;
  vocabulary: number;
  epsilon: number;
  /** The output layer shares the embedding's weights. */
  tied: boolean;
  /** The projections that add a bias. */
  biases: readonly Module[];
  /** Queries and keys are normalized per head. */
  queryKeyNorm: boolean;
  ropeTheta: number;
  ropeScaling: RopeScaling | null;
  maxPositions: number;
  llamaCpp: LlamaCppLayout;
}

/** How llama.cpp represents the architecture. */
interface LlamaCppLayout {
  name: string;
  /** The rows of queries and keys that positions turn together are neighbors. */
  pairsRows: boolean;
}

export class ModelError extends Error {
  override readonly name = 'ModelError';
}

type Json = Readonly<Record<string, unknown>>;

interface Architecture extends Pick<ModelConfig, 'queryKeyNorm' | 'llamaCpp'> {
  /** The projections with a bias, by the setting that adds them; those of `always` have one without a setting. */
  biases: Readonly<Record<string, readonly Module[]>>;
}

const { attention, output, feed, down } = MODULE_GROUPS;
const FEED_FORWARD = [...feed, ...down];

/** The differences between architectures, by `model_type`. */
const ARCHITECTURES: Readonly<Record<string, Architecture>> = {
  llama: {
    queryKeyNorm: false,
    biases: { attention_bias: [...attention, ...output], mlp_bias: FEED_FORWARD },
    llamaCpp: { name: 'llama', pairsRows: true },
  },
  qwen2: {
    queryKeyNorm: false,
    biases: { always: attention, mlp_bias: FEED_FORWARD },
    llamaCpp: { name: 'qwen2', pairsRows: false },
  },
  qwen3: {
    queryKeyNorm: true,
    biases: { attention_bias: [...attention, ...output], mlp_bias: FEED_FORWARD },
    llamaCpp: { name: 'qwen3', pairsRows: false },
  },
};

/** Settings that change what a model computes, and the only value that is computed here; without one, none is. */
const COMPUTED: Json = {
  hidden_act: 'silu',
  use_sliding_window: false,
  partial_rotary_factor: 1,
  no_rope_layers: undefined,
  embedding_multiplier: 1,
  residual_multiplier: 1,
  attention_multiplier: undefined,
  logits_scaling: 1,
  attn_logit_softcapping: undefined,
  final_logit_softcapping: undefined,
  quantization_config: undefined,
};

const FULL_ATTENTION = 'full_attention';

/** Replaces the setting's name in the error. */
const SETTING_LABELS: Readonly<Record<string, string>> = {
  use_sliding_window: 'sliding-window attention is',
  quantization_config: 'quantized weights are',
};

/** Reads the parsed content of a `config.json`. Errors name `file`. */
export function parseModelConfig(content: unknown, file: string): ModelConfig {
  if (typeof content !== 'object' || content === null) throw new ModelError(`${file} is not a JSON object.`);
  const json = content as Json;
  const { biases, ...architecture } = readArchitecture(json, file);
  refuseWhatIsNotComputed(json, file);
  const count = (name: string, otherwise?: number) => readCount(json, name, file, otherwise);
  const hidden = count('hidden_size');
  const heads = count('num_attention_heads');
  const config: ModelConfig = {
    hidden,
    layers: readLayers(json, file),
    heads,
    kvHeads: count('num_key_value_heads', heads),
    headDim: count('head_dim', hidden / heads),
    intermediate: count('intermediate_size'),
    vocabulary: count('vocab_size'),
    epsilon: readNumber(json, 'rms_norm_eps', file, 1e-6),
    tied: json.tie_word_embeddings === true,
    biases: Object.entries(biases).flatMap(([setting, modules]) =>
      setting === 'always' || json[setting] === true ? modules : [],
    ),
    ...architecture,
    ...readRope(json, file),
    maxPositions: count('max_position_embeddings', 2048),
  };
  if (config.heads % config.kvHeads !== 0) {
    throw new ModelError(
      `${file}: ${heads} attention heads cannot share ${config.kvHeads} key-value heads evenly.`,
    );
  }
  if (config.headDim % 2 !== 0) throw new ModelError(`${file}: head_dim ${config.headDim} is odd.`);
  return config;
}

function readArchitecture({ model_type: type }: Json, file: string): Architecture {
  if (typeof type === 'string' && Object.hasOwn(ARCHITECTURES, type)) return ARCHITECTURES[type]!;
  const names = new Intl.ListFormat('en-GB').format(Object.keys(ARCHITECTURES));
  throw new ModelError(`${file}: model_type ${JSON.stringify(type)} is not supported; ${names} are.`);
}

function refuseWhatIsNotComputed(json: Json, file: string): void {
  const isWindowed = [json.layer_types].flat().some(type => (type ?? FULL_ATTENTION) !== FULL_ATTENTION);
  const settings: Json = {
    ...json,
    ...(json.rope_parameters as Json | undefined),
    use_sliding_window: json.use_sliding_window === true || isWindowed,
  };
  for (const [name, computed] of Object.entries(COMPUTED)) {
    const value = settings[name] ?? computed;
    if (value === computed) continue;
    throw new ModelError(
      `${file}: ${SETTING_LABELS[name] ?? `${name} ${JSON.stringify(value)} is`} not supported.`,
    );
  }
}

/** Older files have `rope_theta` and `rope_scaling`; newer ones have both in `rope_parameters`. */
function readRope(json: Json, file: string): Pick<ModelConfig, 'ropeTheta' | 'ropeScaling'> {
  const scaling = (json.rope_parameters ?? json.rope_scaling ?? {}) as Json;
  const ropeTheta = readNumber(
    { rope_theta: scaling.rope_theta ?? json.rope_theta },
    'rope_theta',
    file,
    10_000,
  );
  const kind = scaling.rope_type ?? scaling.type ?? 'default';
  if (kind === 'default') return { ropeTheta, ropeScaling: null };
  if (kind !== 'llama3')
    throw new ModelError(`${file}: rope scaling ${JSON.stringify(kind)} is not supported.`);
  return {
    ropeTheta,
    ropeScaling: {
      factor: readNumber(scaling, 'factor', file),
      lowFrequencyFactor: readNumber(scaling, 'low_freq_factor', file),
      highFrequencyFactor: readNumber(scaling, 'high_freq_factor', file),
      originalPositions: readNumber(scaling, 'original_max_position_embeddings', file),
    },
  };
}

function readNumber(json: Json, name: string, file: string, otherwise?: number): number {
  const value = json[name] ?? otherwise;
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value;
  throw new ModelError(`${file}: ${name} must be a positive number, not ${JSON.stringify(value)}.`);
}

/** More than any model has. Weights are looked up layer by layer. */
const MOST_LAYERS = 1000;

function readLayers(json: Json, file: string): number {
  const layers = readCount(json, 'num_hidden_layers', file);
  if (layers <= MOST_LAYERS) return layers;
  throw new ModelError(`${file}: num_hidden_layers must be at most ${MOST_LAYERS}, not ${layers}.`);
}

function readCount(json: Json, name: string, file: string, otherwise?: number): number {
  const value = readNumber(json, name, file, otherwise);
  if (Number.isInteger(value)) return value;
  throw new ModelError(`${file}: ${name} must be a whole number, not ${value}.`);
}
