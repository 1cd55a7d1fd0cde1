// A model as a description, read from its `config.json`. The graphs, the weights' names and the exports follow from it;
// nothing else asks for the architecture. A config that needs something else is rejected by the name of the setting.
import type { Module } from '../weights/index.js';
import type { Activation, Architecture, MixerKind, Scales } from './architecture.js';
import { ARCHITECTURES } from './architectures.js';
import { checkRope, type Rope, readRope } from './rope-settings.js';
import { ModelError, readCount, readNumber, type Settings } from './settings.js';

export interface ModelConfig extends Pick<Architecture, 'norms' | 'llamaCpp' | 'projections'> {
  hidden: number;
  layers: number;
  heads: number;
  kvHeads: number;
  headDim: number;
  intermediate: number;
  vocabulary: number;
  epsilon: number;
  /** Norms multiply by 1 + their weights. */
  normsAddOne: boolean;
  /** Those of queries and keys are of all heads together. */
  normsAllHeads: boolean;
  finalNorm: string;
  activation: Activation;
  /** The output layer shares the embedding's weights. */
  tied: boolean;
  /** The projection of queries also has a gate for what each head reads. */
  gatesAttention: boolean;
  /** The projections that add a bias. */
  biases: readonly Module[];
  /** What mixes the tokens in each layer. Layers of one kind have the same object. */
  mixers: readonly Mixer[];
  scales: Scales;
  maxPositions: number;
  /** mlx-lm's path of the layers. */
  mlxLayers: string;
}

type Mixer = AttentionMixer | ConvolutionMixer | DeltaMixer;

export interface AttentionMixer {
  kind: Extract<MixerKind, 'attention'>;
  /** How many tokens a token attends to, itself included; null for all before it. */
  window: number | null;
  /** Null if the layer does not turn queries and keys. */
  rope: Rope | null;
}

/** Each channel is mixed with its past on its own, between two gates. */
export interface ConvolutionMixer {
  kind: Extract<MixerKind, 'convolution'>;
  /** How many tokens it reaches, its own included. */
  length: number;
  /** The path of its weights in a layer. */
  path: string;
}

/** Heads with a state that tokens write to and read, after a convolution of what they write and ask. */
export interface DeltaMixer extends Omit<ConvolutionMixer, 'kind'> {
  kind: Extract<MixerKind, 'delta'>;
  /** Of values; each of keys and queries is for several of them. */
  heads: number;
  keyHeads: number;
  keyDim: number;
  valueDim: number;
}

/** Settings that change what a model computes, and the only value that is computed here; without one, none is. */
const COMPUTED: Settings = {
  hidden_act: 'silu',
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

/** In place of the setting's name in errors. */
const LABELS: Readonly<Record<string, readonly [what: string, verb: 'is' | 'are']>> = {
  quantization_config: ['quantized weights', 'are'],
  num_local_experts: ['a mixture of experts', 'is'],
  num_experts: ['a mixture of experts', 'is'],
  n_routed_experts: ['a mixture of experts', 'is'],
};

const labelOf = (name: string, value: unknown) => LABELS[name] ?? [`${name} ${JSON.stringify(value)}`, 'is'];

/** Settings that no architecture here computes if they have any value but 0. */
const NEVER_COMPUTED = [
  'attn_logit_softcapping',
  'final_logit_softcapping',
  'quantization_config',
  ...Object.keys(LABELS).filter(name => name.endsWith('experts')),
];

/** Reads the parsed content of a `config.json`. Errors name `file`. */
export function parseModelConfig(content: unknown, file: string): ModelConfig {
  if (typeof content !== 'object' || content === null) throw new ModelError(`${file} is not a JSON object.`);
  const text = findText(content as Settings);
  const architecture = readArchitecture(text, file);
  const json = completeSettings(text, architecture);
  refuseWhatIsNotComputed(json, architecture, file);
  const count = (name: string, otherwise?: number) => readCount(json, name, file, otherwise);
  const hidden = count('hidden_size');
  const heads = count('num_attention_heads');
  const layers = readLayers(json, file);
  const headDim = count('head_dim', hidden / heads);
  const config: ModelConfig = {
    hidden,
    layers,
    heads,
    kvHeads: count('num_key_value_heads', heads),
    headDim,
    intermediate: count('intermediate_size'),
    vocabulary: count('vocab_size'),
    epsilon: readNumber(json, 'rms_norm_eps', file, 1e-6),
    norms: architecture.norms,
    normsAddOne: architecture.normsAddOne === true,
    normsAllHeads: architecture.normsAllHeads === true,
    finalNorm: `${architecture.finalNorm ?? 'model.norm'}.weight`,
    projections: architecture.projections,
    activation: architecture.activation ?? 'silu',
    tied: json.tie_word_embeddings === true,
    gatesAttention: architecture.gatesAttention === true,
    biases: readBiases(json, architecture),
    mixers: readMixers(json, architecture, layers, file),
    scales: {
      ...{ embeddings: 1, scores: 1 / Math.sqrt(headDim), updates: 1, logits: 1 },
      ...architecture.scales?.(name => readNumber(json, name, file), hidden),
    },
    maxPositions: count('max_position_embeddings', 2048),
    llamaCpp: architecture.llamaCpp,
    mlxLayers: architecture.mlxLayers ?? 'model.layers',
  };
  if (config.heads % config.kvHeads !== 0) {
    throw new ModelError(
      `${file}: ${heads} attention heads cannot share ${config.kvHeads} key-value heads evenly.`,
    );
  }
  if (config.headDim % 2 !== 0) throw new ModelError(`${file}: head_dim ${config.headDim} is odd.`);
  for (const mixer of config.mixers)
    if (mixer.kind === 'attention' && mixer.rope) checkRope(mixer.rope, headDim, file);
  return config;
}

/** Of a model of texts and images whose texts are computed as by a model of texts alone. */
function findText(content: Settings): Settings {
  const { model_type: type, text_config: text, tie_word_embeddings } = content;
  const isWithImages = Object.values(ARCHITECTURES).some(({ inside }) => inside && inside === type);
  if (!isWithImages || typeof text !== 'object') return content;
  // transformers goes by the outer one, whatever the inner one says.
  return { ...(text as Settings), ...(tie_word_embeddings !== undefined && { tie_word_embeddings }) };
}

function readArchitecture(settings: Settings, file: string): Architecture {
  const { model_type: type } = settings;
  if (typeof type === 'string' && Object.hasOwn(ARCHITECTURES, type)) return ARCHITECTURES[type]!;
  const names = listOf(Object.keys(ARCHITECTURES));
  const needs = tellNeeds(settings);
  throw new ModelError(`${file}: model_type ${JSON.stringify(type)} is not supported${needs}; ${names} are.`);
}

/** Its format is made here and not at the start of each program, where it would take 15 ms. */
const listOf = (names: readonly string[]) => new Intl.ListFormat('en-GB').format(names);

/** What a model of an unknown type needs that no model has here, as far as its settings tell; or nothing. */
export function tellNeeds(settings: Settings): string {
  const named = NEVER_COMPUTED.filter(name => settings[name]).map(name => labelOf(name, settings[name])[0]);
  const types = new Set([settings.layer_types ?? []].flat().filter(type => !COMPUTED_TYPES.includes(type)));
  const needs = [
    ...new Set(named),
    ...[...types].slice(0, 3).map(type => `layers of type ${JSON.stringify(type)}`),
  ];
  return needs.length === 0 ? '' : ` (it needs ${listOf(needs)})`;
}

function completeSettings(given: Settings, { defaults, rename = {}, feedWidth }: Architecture): Settings {
  const renamed = Object.entries(rename).filter(([name]) => given[name] !== undefined);
  const all: Settings = {
    ...defaults,
    ...given,
    ...Object.fromEntries(renamed.map(([name, usual]) => [usual, given[name]])),
  };
  return feedWidth ? { ...all, intermediate_size: feedWidth(all) } : all;
}

function refuseWhatIsNotComputed(json: Settings, { only, reads = [] }: Architecture, file: string): void {
  const rope = json.rope_parameters as Settings | undefined;
  const kinds = [rope?.full_attention, rope?.sliding_attention] as (Settings | undefined)[];
  for (const settings of [{ ...json, ...rope }, ...kinds]) {
    for (const [name, computed] of Object.entries({ ...COMPUTED, ...only })) {
      const value = settings?.[name] ?? computed;
      if (value === computed || reads.includes(name)) continue;
      throw new ModelError(`${file}: ${labelOf(name, value).join(' ')} not supported.`);
    }
  }
}

function readBiases(json: Settings, { biases }: Architecture): Module[] {
  return Object.entries(biases).flatMap(([setting, modules]) =>
    setting === 'always' || json[setting] === true ? modules : [],
  );
}

const [FULL, SLIDING] = ['full_attention', 'sliding_attention'];
const ATTENDS: readonly unknown[] = [undefined, FULL, SLIDING, 'attention'];
const COMPUTED_TYPES: readonly unknown[] = [...ATTENDS, 'conv', 'linear_attention'];

function readMixers(json: Settings, architecture: Architecture, layers: number, file: string): Mixer[] {
  const { windowTheta, isTurned = () => true, convolution, delta } = architecture;
  const once = createOnce();
  return Array.from({ length: layers }, (_, layer): Mixer => {
    if (convolution?.isIn(json, layer))
      return once({
        kind: 'convolution',
        length: readCount(json, convolution.length, file),
        path: convolution.path,
      });
    if (delta?.isIn(json, layer)) return once(readDelta(json, file));
    const isWindowed = readIsWindowed(json, architecture, layer, file);
    return once({
      kind: 'attention',
      window: isWindowed ? readCount(json, 'sliding_window', file) : null,
      rope: isTurned(json, layer) ? once(readRope(json, file, { isWindowed, windowTheta })) : null,
    });
  });
}

function readDelta(json: Settings, file: string): DeltaMixer {
  const count = (name: string) => readCount(json, `linear_${name}`, file);
  const [heads, keyHeads] = [count('num_value_heads'), count('num_key_heads')];
  if (heads % keyHeads !== 0)
    throw new ModelError(`${file}: ${heads} heads of values cannot share ${keyHeads} of keys evenly.`);
  return {
    ...{ kind: 'delta', heads, keyHeads },
    ...{ keyDim: count('key_head_dim'), valueDim: count('value_head_dim') },
    ...{ path: 'linear_attn.conv1d', length: count('conv_kernel_dim') },
  };
}

/** Returns the same object for equal ones. */
function createOnce(): <T>(value: T) => T {
  const known = new Map<string, unknown>();
  return <T>(value: T) => {
    const key = JSON.stringify(value);
    return (known.get(key) ?? known.set(key, value).get(key)) as T;
  };
}

function readIsWindowed(json: Settings, { isWindowed }: Architecture, layer: number, file: string): boolean {
  const types = [json.layer_types ?? []].flat();
  const type: unknown = types.length === 0 ? undefined : (types[layer] ?? FULL);
  if (!ATTENDS.includes(type))
    throw new ModelError(`${file}: layers of type ${JSON.stringify(type)} are not supported.`);
  const isSliding = type === SLIDING || json.use_sliding_window === true;
  if (!isWindowed && isSliding) throw new ModelError(`${file}: sliding-window attention is not supported.`);
  return type === undefined ? (isWindowed?.(json, layer) ?? false) : type === SLIDING;
}

/** More than any model has. Weights are looked up layer by layer. */
const MOST_LAYERS = 1000;

function readLayers(json: Settings, file: string): number {
  const layers = readCount(json, 'num_hidden_layers', file);
  if (layers <= MOST_LAYERS) return layers;
  throw new ModelError(`${file}: num_hidden_layers must be at most ${MOST_LAYERS}, not ${layers}.`);
}

/** A model with only the first layers of this one. */
export function withLayers(config: ModelConfig, layers: number): ModelConfig {
  return { ...config, layers, mixers: config.mixers.slice(0, layers) };
}
