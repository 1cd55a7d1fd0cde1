// PEFT's adapter_config.json: reads and validates the settings that matter here, and writes every key that PEFT writes.
import { isObject } from './json.js';
import { isShape } from './safetensors-header.js';
import { quote, WeightsError } from './weights-error.js';

export interface AdapterConfig {
  rank: number;
  alpha: number;
  /** Only used in training. */
  dropout: number;
  /** Scale by alpha / sqrt(rank) instead of alpha / rank. */
  useRslora: boolean;
  /** Module names, or a string as PEFT allows it: a Python regular expression, or `all-linear`. */
  targetModules: string[] | string;
  /** What is not adapted though it is a target, in the same form. */
  excludeModules: string[] | string | null;
  /** The adapted layers, or null for all. */
  layersToTransform: number[] | null;
  /** The base model as a Hub ID or a folder, or null if the adapter does not name it. */
  baseModel: string | null;
}

/** The factor of B A. */
export function toScaling({
  alpha,
  rank,
  useRslora,
}: Pick<AdapterConfig, 'alpha' | 'rank' | 'useRslora'>): number {
  return alpha / (useRslora ? Math.sqrt(rank) : rank);
}

/** Reads the settings of an adapter. Rejects, by name, every setting that plain LoRA does not support. */
export function parseAdapterConfig(settings: Record<string, unknown>, file: string): AdapterConfig {
  checkSettings(settings, file);
  const read = <T>(
    name: string,
    isRight: (value: unknown) => value is T,
    wanted: string,
    otherwise?: T,
  ): T => {
    const value = settings[name] ?? otherwise;
    if (!isRight(value)) throw new WeightsError(file, `${name} is ${quote(value)}; it must be ${wanted}`);
    return value;
  };
  const layers = read('layers_to_transform', isLayers, 'null, a layer or a list of layers', null);
  return {
    rank: read('r', isPositive, 'a positive whole number'),
    alpha: read('lora_alpha', isNumber, 'a number'),
    dropout: read('lora_dropout', isDropout, 'at least 0 and less than 1', 0),
    useRslora: read('use_rslora', isBoolean, 'true or false', false),
    targetModules: read('target_modules', isTargets, 'a list of names or a string'),
    excludeModules: read('exclude_modules', isExcluded, 'null, a list of names or a string', null),
    layersToTransform: layers === null ? null : [layers].flat(),
    baseModel: read('base_model_name_or_path', isTextOrNull, 'a string or null', null),
  };
}

/** The settings as PEFT writes them, with all its keys. */
export function toPeftSettings(config: AdapterConfig): Record<string, unknown> {
  return {
    ...plainSettings,
    base_model_name_or_path: config.baseModel,
    exclude_modules: config.excludeModules,
    layers_to_transform: config.layersToTransform,
    lora_alpha: config.alpha,
    lora_dropout: config.dropout,
    r: config.rank,
    target_modules: config.targetModules,
    use_rslora: config.useRslora,
  };
}

const isPositive = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;
const isNumber = (value: unknown): value is number => Number.isFinite(value);
const isDropout = (value: unknown): value is number => isNumber(value) && value >= 0 && value < 1;
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === 'string';
const isNames = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);
const isTargets = (value: unknown): value is string[] | string =>
  isText(value) || (isNames(value) && value.length > 0);
const isExcluded = (value: unknown): value is string[] | string | null =>
  isTextOrNull(value) || isNames(value);
const isLayers = (value: unknown): value is number[] | number | null =>
  value === null || isShape([value].flat());

/** All settings of PEFT 0.21 with the values of a plain LoRA adapter, in PEFT's order. */
const plainSettings: Record<string, unknown> = {
  alora_invocation_tokens: null,
  alpha_pattern: {},
  arrow_config: null,
  auto_mapping: null,
  base_model_name_or_path: null,
  bias: 'none',
  corda_config: null,
  ensure_weight_tying: false,
  eva_config: null,
  exclude_modules: null,
  fan_in_fan_out: false,
  inference_mode: true,
  init_lora_weights: true,
  kasa_config: null,
  layer_replication: null,
  layers_pattern: null,
  layers_to_transform: null,
  loftq_config: {},
  lora_alpha: 8,
  lora_bias: false,
  lora_dropout: 0,
  lora_ga_config: null,
  megatron_config: null,
  megatron_core: 'megatron.core',
  modules_to_save: null,
  monteclora_config: null,
  peft_type: 'LORA',
  peft_version: '0.21.0',
  qalora_group_size: 16,
  r: 8,
  rank_pattern: {},
  revision: null,
  target_modules: null,
  target_parameters: null,
  task_type: 'CAUSAL_LM',
  trainable_token_indices: null,
  use_bdlora: null,
  use_dora: false,
  use_qalora: false,
  use_rslora: false,
  velora_config: null,
};

/** Settings that must have one of these values. Missing ones default to PEFT's, except for the type. */
const allowed: Record<string, unknown[]> = {
  peft_type: ['LORA'],
  task_type: ['CAUSAL_LM', null, undefined],
  bias: ['none', undefined],
  // Others, such as pissa and loftq, also change the base model.
  init_lora_weights: [true, false, 'gaussian', 'eva', 'orthogonal', null, undefined],
};

/** Settings that are read elsewhere, or have no effect on a trained adapter. */
const harmless = new Set([
  ...['base_model_name_or_path', 'exclude_modules', 'layers_to_transform', 'lora_alpha', 'lora_dropout', 'r'],
  ...[
    'target_modules',
    'auto_mapping',
    'ensure_weight_tying',
    'eva_config',
    'inference_mode',
    'layers_pattern',
    'megatron_core',
  ],
  ...['peft_version', 'qalora_group_size', 'revision', 'runtime_config', 'use_rslora'],
]);

/** Rejects, by name, every setting that would make the adapter compute anything but plain LoRA. */
function checkSettings(settings: Record<string, unknown>, file: string): void {
  for (const [name, values] of Object.entries(allowed)) {
    const value = settings[name];
    if (!values.includes(value))
      throw new WeightsError(file, `${name} is ${quote(value)}; only ${quote(values[0])} is supported`);
  }
  for (const [name, value] of Object.entries(settings)) {
    if (Object.hasOwn(allowed, name) || harmless.has(name) || isNeutral(value)) continue;
    // An unknown number or string only configures a feature, which another setting enables.
    if (Object.hasOwn(plainSettings, name) || value === true || typeof value === 'object')
      throw new WeightsError(file, `${name} is ${quote(value)}, which is not supported`);
  }
}

function isNeutral(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value)
    ? Object.keys(value).length === 0
    : value === null || value === false || value === '';
}
