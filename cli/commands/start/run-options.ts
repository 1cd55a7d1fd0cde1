// What `svc start` changes for one run: the trainer's settings, and what the run is called.
import { jobPatch } from '../../../lib/contract/index.js';
import {
  type RunLabels,
  readSetting,
  SETTING_NAMES,
  SettingError,
  type SettingValues,
  type TrainerOptions,
  withSettings,
} from '../../../lib/sdk/index.js';
import type { OptionValues } from '../../command.js';
import { createUsageError } from '../../command-error.js';
import { suggest } from '../../suggest.js';
import { assertFits } from '../project/option-values.js';

const WHERE = 'start';

/** Checked before the project is built. */
export function readRunOptions(values: OptionValues): { labels: RunLabels; settings: SettingValues } {
  const { name, note } = values as Record<string, string | undefined>;
  const tags = textsOf(values.tag);
  const labels = { name, tags, note };
  assertFits(jobPatch, labels, { name: 'option "--name"', note: 'option "--note"', tags: 'option "--tag"' }, WHERE);
  const settings = Object.fromEntries(textsOf(values.set).map(readAssignment));
  return { labels, settings };
}

function readAssignment(text: string): [name: string, value: SettingValues[string]] {
  const [name, value] = splitAssignment(text, 'set');
  return [name, orUsageError(() => readSetting(name, value), name)];
}

export function applySettings(options: TrainerOptions, settings: SettingValues): TrainerOptions {
  return Object.keys(settings).length === 0 ? options : orUsageError(() => withSettings(options, settings));
}

function splitAssignment(text: string, option: string): [name: string, value: string] {
  const at = text.indexOf('=');
  if (at < 1) throw createUsageError(`option "--${option}" must be NAME=VALUE, not "${text}".`, WHERE);
  return [text.slice(0, at).trim(), text.slice(at + 1)];
}

function orUsageError<T>(read: () => T, name = ''): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    const isKnown = name === '' || SETTING_NAMES.includes(name);
    const guess = isKnown ? undefined : suggest(name, SETTING_NAMES);
    const hint = guess
      ? ` Did you mean "${guess}"?`
      : isKnown
        ? ''
        : ` Settings: ${SETTING_NAMES.join(', ')}.`;
    throw createUsageError(`option "--set": ${error.message}${hint}`, WHERE);
  }
}

function textsOf(value: OptionValues[string]): string[] {
  return (value as string[] | undefined) ?? [];
}
