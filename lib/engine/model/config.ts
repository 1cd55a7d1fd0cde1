// Reads a model's `config.json`: Llama, Qwen2 and Qwen3. Features that the engine does not compute are rejected.

export interface RopeScaling {
  factor: number;
  lowFrequencyFactor: number;
  highFrequencyFactor: number;
  originalPositions: number;
}

export interface ModelConfig {
  type: 'llama' | 'qwen2' | 'qwen3';
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
  queryKeyValueBias: boolean;
  outputBias: boolean;
  mlpBias: boolean;
  /** Queries and keys are normalized per head. */
  queryKeyNorm: boolean;
  ropeTheta: number;
  ropeScaling: RopeScaling | null;
  maxPositions: number;
}

export class ModelError extends Error {
  override readonly name = 'ModelError';
}

type Json = Readonly<Record<string, unknown>>;

/** Reads the parsed content of a `config.json`. Errors name `file`. */
export function parseModelConfig(content: unknown, file: string): ModelConfig {
  if (typeof content !== 'object' || content === null) throw new ModelError(`${file} is not a JSON object.`);
  const json = content as Json;
  const type = readType(json, file);
  refuseWhatIsNotComputed(json, file);
  const count = (name: string, otherwise?: number) => readCount(json, name, file, otherwise);
  const hidden = count('hidden_size');
  const heads = count('num_attention_heads');
  const config: ModelConfig = {
    type,
    hidden,
    layers: readLayers(json, file),
    heads,
    kvHeads: count('num_key_value_heads', heads),
    headDim: count('head_dim', hidden / heads),
    intermediate: count('intermediate_size'),
    vocabulary: count('vocab_size'),
    epsilon: readNumber(json, 'rms_norm_eps', file, 1e-6),
    tied: json.tie_word_embeddings === true,
    queryKeyValueBias: type === 'qwen2' || json.attention_bias === true,
    outputBias: type !== 'qwen2' && json.attention_bias === true,
    mlpBias: json.mlp_bias === true,
    queryKeyNorm: type === 'qwen3',
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

function readType({ model_type: type }: Json, file: string): ModelConfig['type'] {
  if (type === 'llama' || type === 'qwen2' || type === 'qwen3') return type;
  throw new ModelError(
    `${file}: model_type ${JSON.stringify(type)} is not supported; llama, qwen2 and qwen3 are.`,
  );
}

function refuseWhatIsNotComputed(json: Json, file: string): void {
  const activation = json.hidden_act ?? 'silu';
  if (activation !== 'silu')
    throw new ModelError(`${file}: hidden_act ${JSON.stringify(activation)} is not supported.`);
  if (json.use_sliding_window === true)
    throw new ModelError(`${file}: sliding-window attention is not supported.`);
  if (json.quantization_config) throw new ModelError(`${file}: quantized weights are not supported.`);
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

/** No model has as many. Weights are looked up layer by layer. */
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
