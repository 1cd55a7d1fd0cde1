// A trainer's settings as texts: what a command line may set for one run, by the names of the trainer's own options.
import type { RunResources } from '../../contract/index.js';
import { assertTrainerOptions } from './job-input.js';
import type { DpoMethod, LoraOptions, TrainerOptions } from './options.js';

type Kind = 'number' | 'boolean' | 'text' | 'list';

/** The options that are settings themselves, rather than groups of them. */
export type SettingOption = Exclude<
  keyof TrainerOptions,
  | 'name'
  | 'tags'
  | 'dataset'
  | 'evalDataset'
  | 'samples'
  | 'evals'
  | 'callbacks'
  | 'abortSignal'
  | 'lora'
  | 'method'
  | 'resources'
>;

type SettingName =
  | SettingOption
  | `lora.${keyof LoraOptions}`
  | `method.${keyof DpoMethod}`
  | `resources.${keyof RunResources}`;

const KINDS: Readonly<Record<SettingName, Kind>> = {
  model: 'text',
  evalFraction: 'number',
  'method.type': 'text',
  'method.beta': 'number',
  'method.labelSmoothing': 'number',
  'method.sftWeight': 'number',
  'lora.r': 'number',
  'lora.alpha': 'number',
  'lora.dropout': 'number',
  'lora.targetModules': 'list',
  maxLength: 'number',
  tooLong: 'text',
  maxSteps: 'number',
  epochs: 'number',
  learningRate: 'number',
  batchSize: 'number',
  gradientAccumulationSteps: 'number',
  lrScheduler: 'text',
  warmupSteps: 'number',
  weightDecay: 'number',
  loggingSteps: 'number',
  saveSteps: 'number',
  evalSteps: 'number',
  trainOnResponsesOnly: 'boolean',
  seed: 'number',
  dryRun: 'boolean',
  bestBy: 'text',
  engine: 'text',
  'resources.cpus': 'number',
  'resources.gpus': 'number',
  'resources.memory': 'number',
  'resources.workers': 'number',
};

export const SETTING_NAMES = Object.keys(KINDS);

type SettingValue = string | number | boolean;

/** By its name. */
export type SettingValues = Readonly<Record<string, SettingValue>>;

export class SettingError extends Error {}

/** Throws a `SettingError` that names an unknown setting or one of another type. A list stays text until it is used. */
export function readSetting(name: string, text: string): SettingValue {
  const kind = kindOf(name);
  if (kind === 'number') {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (Number.isFinite(value)) return value;
    throw new SettingError(`\`${name}\` must be a number, not "${text}".`);
  }
  if (kind !== 'boolean') return text;
  if (text === 'true' || text === 'false') return text === 'true';
  throw new SettingError(`\`${name}\` must be true or false, not "${text}".`);
}

export function assertSettingName(name: string): void {
  kindOf(name);
}

function kindOf(name: string): Kind {
  if (Object.hasOwn(KINDS, name)) return KINDS[name as SettingName];
  throw new SettingError(`There is no setting \`${name}\`.`);
}

/** The options of a run with these settings. Throws a `SettingError` that names one whose value is not allowed. */
export function withSettings(options: TrainerOptions, settings: SettingValues): TrainerOptions {
  const changed = { ...options } as Record<string, unknown>;
  for (const [name, value] of Object.entries(settings)) {
    const [first, second] = name.split('.') as [string, string | undefined];
    const given = kindOf(name) === 'list' ? String(value).split(',').map(trim) : value;
    changed[first] = second === undefined ? given : { ...(changed[first] as object), [second]: given };
  }
  const checked = changed as unknown as TrainerOptions;
  assertTrainerOptions(checked, what => {
    throw new SettingError(what);
  });
  return checked;
}

const trim = (text: string) => text.trim();
