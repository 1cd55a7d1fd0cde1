// The adapter_config.json of PEFT: what we need of it, read with checks and written with all that PEFT writes.
import { isShape } from './dtype.js';
import { checkSettings, plainSettings } from './peft-settings.js';
import { quote, WeightsError } from './weights-error.js';

/** The settings of a LoRA adapter. */
export interface AdapterConfig {
  rank: number;
  alpha: number;
  /** Used in training only. */
  dropout: number;
  /** Scale by alpha / sqrt(rank) instead of alpha / rank. */
  useRslora: boolean;
  /** Names of modules, or PEFT's text: a regular expression of Python, or `all-linear`. */
  targetModules: string[] | string;
  /** The only layers that are adapted, or null for all. */
  layersToTransform: number[] | null;
  /** The base model, as a Hub id or a folder, when the adapter says it. */
  baseModel: string | null;
}

/** What the product of B and A is multiplied by. */
export function toScaling({
  alpha,
  rank,
  useRslora,
}: Pick<AdapterConfig, 'alpha' | 'rank' | 'useRslora'>): number {
  return alpha / (useRslora ? Math.sqrt(rank) : rank);
}

/** Reads the settings of an adapter, and refuses by name what would make it something other than plain LoRA. */
export function parseAdapterConfig(settings: Record<string, unknown>, file: string): AdapterConfig {
  checkSettings(settings, file);
  const read = <T>(
    name: string,
    isRight: (value: unknown) => value is T,
    wanted: string,
    otherwise?: T,
  ): T => {
    const value = settings[name] ?? otherwise;
    if (!isRight(value)) throw new WeightsError(file, `${name} is ${quote(value)}: it must be ${wanted}`);
    return value;
  };
  const layers = read('layers_to_transform', isLayers, 'null, a layer or a list of layers', null);
  return {
    rank: read('r', isPositive, 'a whole number above zero'),
    alpha: read('lora_alpha', isNumber, 'a number'),
    dropout: read('lora_dropout', isDropout, 'a number from 0 up to, not including, 1', 0),
    useRslora: read('use_rslora', isBoolean, 'true or false', false),
    targetModules: read('target_modules', isTargets, 'a list of names, or a text'),
    layersToTransform: layers === null ? null : [layers].flat(),
    baseModel: read('base_model_name_or_path', isTextOrNull, 'a text or null', null),
  };
}

/** The settings as PEFT writes them, with every key that it has. */
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
