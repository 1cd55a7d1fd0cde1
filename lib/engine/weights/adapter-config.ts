// PEFT's adapter_config.json: reads and validates the settings that matter here, and writes every key that PEFT writes.
import { isShape } from './dtype.js';
import { checkSettings, plainSettings } from './peft-settings.js';
import { quote, WeightsError } from './weights-error.js';

/** The settings of a LoRA adapter. */
export interface AdapterConfig {
  rank: number;
  alpha: number;
  /** Only used in training. */
  dropout: number;
  /** Scale by alpha / sqrt(rank) instead of alpha / rank. */
  useRslora: boolean;
  /** Module names, or a string as PEFT allows it: a Python regular expression, or `all-linear`. */
  targetModules: string[] | string;
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
    layersToTransform: layers === null ? null : [layers].flat(),
    baseModel: read('base_model_name_or_path', isTextOrNull, 'a string or null', null),
  };
}

/** The settings as PEFT writes them, with all its keys. */
export function toPeftSettings(config: AdapterConfig): Record<string, unknown> {
  return {
    ...plainSettings,
    base_model_name_or_path: config.baseModel,
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
const isTargets = (value: unknown): value is string[] | string =>
  isText(value) || (Array.isArray(value) && value.length > 0 && value.every(isText));
const isLayers = (value: unknown): value is number[] | number | null =>
  value === null || isShape([value].flat());
