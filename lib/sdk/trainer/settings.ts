// A trainer's settings as texts: what a command line may set for one run, by the names of the trainer's own options.
import { optionsByField, type SettingKind, settingsIn } from '../../contract/index.js';
import { assertTrainerOptions } from './job-input.js';
import type { TrainerOptions } from './options.js';

const KINDS: ReadonlyMap<string, SettingKind> = new Map([
  ['model', 'text'],
  ...[...optionsByField.values()].flatMap(({ path, schema }) => settingsIn(path, schema)),
  ['bestBy', 'text'],
]);

export const SETTING_NAMES = [...KINDS.keys()];

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

/** Throws a `SettingError` if there is no such setting. */
export function kindOf(name: string): SettingKind {
  const kind = KINDS.get(name);
  if (kind) return kind;
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
