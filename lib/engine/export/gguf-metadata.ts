// What a GGUF file says about a model's layers, by llama.cpp's keys. llama.cpp knows some facts of an architecture by itself;
// a model that differs from them is rejected, since it would compute something else.
import type { Metadata, MetadataValue } from '../gguf/index.js';
import { attentionOf, type ModelConfig, turnedWidth } from '../model/index.js';
import { toTargetName, WeightsError } from '../weights/index.js';

/** `folder`: what errors name. */
export function modelMetadata(config: ModelConfig, folder: string): Metadata {
  const fail = (what: string) =>
    new WeightsError(folder, `cannot be written as GGUF: llama.cpp does not support ${what}`);
  requireKnown(config, fail);
  const { llamaCpp } = config;
  const values: Metadata = {
    block_count: uint32(config.layers),
    context_length: uint32(contextLength(config)),
    embedding_length: uint32(config.hidden),
    feed_forward_length: uint32(config.intermediate),
    'attention.head_count': uint32(config.heads),
    'attention.head_count_kv': kvHeads(config),
    ...convolutionMetadata(config),
    'attention.key_length': uint32(config.headDim),
    'attention.value_length': uint32(config.headDim),
    'attention.layer_norm_rms_epsilon': float32(config.epsilon),
    vocab_size: uint32(config.vocabulary),
    'rope.dimension_count': uint32(turnedWidth(mainRope(config).share, config.headDim)),
    ...ropeMetadata(config, fail),
    ...deltaMetadata(config, fail),
    ...(llamaCpp.hasWindows && windowMetadata(config, fail)),
    ...(llamaCpp.hasScales && scaleMetadata(config)),
  };
  return {
    'general.architecture': { type: 'string', value: llamaCpp.name },
    'general.type': { type: 'string', value: 'model' },
    ...Object.fromEntries(Object.entries(values).map(([key, value]) => [`${llamaCpp.name}.${key}`, value])),
  };
}

/** A layer with a convolution instead of attention has none. */
function kvHeads({ mixers, kvHeads }: ModelConfig): MetadataValue {
  const ofLayers = mixers.map(({ kind }) => (kind === 'convolution' ? 0 : kvHeads));
  return ofLayers.includes(0) ? { type: 'int32s', value: ofLayers } : uint32(kvHeads);
}

function convolutionMetadata({ mixers }: ModelConfig): Metadata {
  const mixer = mixers.find(({ kind }) => kind === 'convolution');
  return mixer?.kind === 'convolution' ? { 'shortconv.l_cache': uint32(mixer.length) } : {};
}

function deltaMetadata(config: ModelConfig, fail: Fail): Metadata {
  const delta = config.mixers.find(mixer => mixer.kind === 'delta');
  if (!delta) return {};
  if (delta.keyDim !== delta.valueDim)
    throw fail('keys and values of different sizes in layers with a delta rule');
  const every = config.mixers.findIndex(({ kind }) => kind === 'attention') + 1;
  if (config.mixers.some(({ kind }, layer) => (kind === 'attention') !== ((layer + 1) % every === 0)))
    throw fail('layers with attention in these places');
  const pairs = turnedWidth(mainRope(config).share, config.headDim) / 2;
  return {
    full_attention_interval: uint32(every),
    'ssm.conv_kernel': uint32(delta.length),
    'ssm.state_size': uint32(delta.keyDim),
    'ssm.group_count': uint32(delta.keyHeads),
    'ssm.time_step_rank': uint32(delta.heads),
    'ssm.inner_size': uint32(delta.heads * delta.valueDim),
    // Which coordinate turns which pairs. That of a text is the same in all, but a pair without one would stay.
    'rope.dimension_sections': {
      type: 'int32s',
      value: [...[0, 1, 2].map(coordinate => Math.ceil((pairs - coordinate) / 3)), 0],
    },
  };
}

type Fail = (what: string) => WeightsError;

export const uint32 = (value: number): MetadataValue => ({ type: 'uint32', value });
const float32 = (value: number): MetadataValue => ({ type: 'float32', value });

/** Without windows, a text is computed in the same way up to the shortest one. */
function contextLength(config: ModelConfig): number {
  const { llamaCpp, maxPositions } = config;
  if (llamaCpp.hasWindows) return maxPositions;
  return Math.min(maxPositions, ...attentionOf(config).flatMap(({ window }) => window ?? []));
}

function requireKnown(config: ModelConfig, fail: Fail): void {
  const { biases, headDim, llamaCpp, scales } = config;
  const bias = biases.find(module => !llamaCpp.biases?.includes(module));
  if (bias) throw fail(`a bias in ${toTargetName(bias)} for this architecture`);
  const every = llamaCpp.restsEvery ?? Number.POSITIVE_INFINITY;
  const isOdd = config.mixers.some(
    (mixer, layer) => mixer.kind === 'attention' && (mixer.rope === null) !== ((layer + 1) % every === 0),
  );
  if (isOdd) throw fail('layers without positions in these places');
  const width = llamaCpp.scoresWidth?.(config) ?? headDim;
  if (!llamaCpp.hasScales && Math.abs(scales.scores * Math.sqrt(width) - 1) > 1e-6)
    throw fail('this scale of scores (query_pre_attn_scalar)');
}

function ropeMetadata(config: ModelConfig, fail: Fail): Metadata {
  const { theta, scaling } = mainRope(config);
  const base = { 'rope.freq_base': float32(theta) };
  switch (scaling?.kind) {
    case undefined:
      return base;
    case 'llama3':
      if (!config.llamaCpp.hasRopeFactors) throw fail('rope scaling "llama3" for this architecture');
      return base;
    case 'linear':
      return { ...base, ...scalingMetadata('linear', scaling.factor) };
    case 'longrope':
      if (!config.llamaCpp.hasLongRope) throw fail('rope scaling "longrope" for this architecture');
      return {
        ...base,
        'rope.scaling.original_context_length': uint32(scaling.originalPositions),
        'rope.scaling.attn_factor': float32(scaling.magnitude),
      };
    case 'yarn': {
      // It computes the magnitude from the factor.
      const usual = 0.1 * Math.log(Math.max(1, scaling.factor)) + 1;
      if (Math.abs(scaling.magnitude - usual) > 1e-6) throw fail('rope scaling "yarn" with attention_factor');
      return {
        ...base,
        ...scalingMetadata('yarn', scaling.factor),
        'rope.scaling.original_context_length': uint32(scaling.originalPositions),
        'rope.scaling.yarn_beta_fast': float32(scaling.fastTurns),
        'rope.scaling.yarn_beta_slow': float32(scaling.slowTurns),
      };
    }
  }
}

function scalingMetadata(kind: string, factor: number): Metadata {
  return { 'rope.scaling.type': { type: 'string', value: kind }, 'rope.scaling.factor': float32(factor) };
}

/** Of the layers without a window, if there are any. */
export function mainRope(config: ModelConfig) {
  const turned = attentionOf(config).filter(({ rope }) => rope !== null);
  return (turned.find(({ window }) => window === null) ?? turned[0]!).rope!;
}

/** What llama.cpp knows without being told. */
const USUAL_PERIOD = 6;
const USUAL_THETA = 10_000;

function windowMetadata(config: ModelConfig, fail: Fail): Metadata {
  const attention = attentionOf(config);
  const windowed = attention.find(({ window }) => window !== null);
  if (!windowed) return {};
  const periods = [USUAL_PERIOD, ...attention.map((_, i) => i + 2)];
  const period = periods.find(period =>
    attention.every(({ window }, layer) => (window === null) === ((layer + 1) % period === 0)),
  );
  if (period === undefined) throw fail('layers with windows in these places');
  const { rope, window } = windowed;
  if (rope?.scaling) throw fail('scaled positions in layers with windows');
  return {
    'attention.sliding_window': uint32(window!),
    ...(period !== USUAL_PERIOD && { 'attention.sliding_window_pattern': uint32(period) }),
    ...(rope!.theta !== USUAL_THETA && { 'rope.freq_base_swa': float32(rope!.theta) }),
  };
}

function scaleMetadata({ scales }: ModelConfig): Metadata {
  return {
    embedding_scale: float32(scales.embeddings),
    residual_scale: float32(scales.updates),
    'attention.scale': float32(scales.scores),
    logit_scale: float32(1 / scales.logits),
  };
}
