// The settings in PEFT's adapter_config.json that adapter-config.ts does not read: their values in plain LoRA, and
// which other values are allowed.
import { isObject } from './json.js';
import { quote, WeightsError } from './weights-error.js';

/** All settings of PEFT 0.21 with the values of a plain LoRA adapter, in PEFT's order. */
export const plainSettings: Record<string, unknown> = {
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
  ...['base_model_name_or_path', 'layers_to_transform', 'lora_alpha', 'lora_dropout', 'r', 'target_modules'],
  ...[
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
export function checkSettings(settings: Record<string, unknown>, file: string): void {
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
