// What `svc start` changes for one run: the trainer's settings and the job's labels.
import { jobFieldsWith, jobPatch } from '../../../lib/contract/index.js';
import {
  combinations,
  optionOfField,
  type RunLabels,
  readSetting,
  SETTING_NAMES,
  type ServiceTrainer,
  SettingError,
  type SettingValues,
  type TrainerOptions,
  type VariedOption,
  withSettings,
} from '../../../lib/sdk/index.js';
import { type OptionValues, UsageError } from '../../command.js';
import { suggest } from '../../lookup.js';
import { assertFits, LABEL_OPTIONS, textOption, textsOption } from '../project/option-values.js';

/** Checked before the project is built. */
interface RunOptions {
  labels: RunLabels;
  /** Settings for every run. */
  settings: SettingValues;
  /** Settings that vary between runs; empty for a single run. */
  varied: VariedOption[];
  /** The job to take up, as it was typed, instead of a new run. */
  attach: string | undefined;
}

const LABELS = jobFieldsWith('edit');
const OF_NEW_RUNS = ['from', 'set', 'sweep', ...LABELS.map(({ word }) => word)];

export function readRunOptions(values: OptionValues): RunOptions {
  const attach = values.attach as string | undefined;
  const other = OF_NEW_RUNS.find(option => values[option] !== undefined);
  if (attach !== undefined && other !== undefined)
    throw new UsageError(
      `option "--attach" takes up a job as it is, so it cannot be used with "--${other}".`,
    );
  if (attach?.trim() === '') throw new UsageError('option "--attach" must be the ID of a job.');
  const input = { values };
  const labels: RunLabels = Object.fromEntries(
    LABELS.map(({ name, word, kind }) => [
      name,
      kind === 'tags' ? textsOption(input, word) : textOption(input, word),
    ]),
  );
  assertFits(jobPatch, labels, LABEL_OPTIONS);
  const set = Object.fromEntries(textsOption(input, 'set').map(readAssignment));
  if (values.from !== undefined && 'from' in set)
    throw new UsageError('`from` cannot be given with both "--from" and "--set".');
  const from = values.from as string | undefined;
  if (from?.trim() === '') throw new UsageError('option "--from" must name a job, such as latest.');
  const settings = { ...set, ...(from !== undefined && { from }) };
  const varied = textsOption(input, 'sweep').map(readVaried);
  for (const [index, { name }] of varied.entries()) {
    if (name in settings) throw new UsageError(`\`${name}\` cannot be both set and swept.`);
    if (varied.findIndex(other => other.name === name) < index)
      throw new UsageError(`option "--sweep": \`${name}\` is there twice.`);
  }
  orUsageError('sweep', () => combinations(varied));
  return { labels, settings, varied, attach };
}

function readAssignment(text: string): [name: string, value: SettingValues[string]] {
  const [name, value] = splitAssignment(text, 'set');
  return [name, orUsageError('set', () => readSetting(name, value), name)];
}

/** Commas separate the values; list values separate their items with semicolons. */
function readVaried(text: string): VariedOption {
  const [name, values] = splitAssignment(text, 'sweep');
  const parts = values.split(values.includes(';') ? ';' : ',').map(value => value.trim());
  return { name, values: parts.map(value => orUsageError('sweep', () => readSetting(name, value), name)) };
}

export function applySettings(options: TrainerOptions, settings: SettingValues): TrainerOptions {
  return Object.keys(settings).length === 0
    ? options
    : orUsageError('set', () => withSettings(options, settings));
}

/** Settings that have no effect. */
export function idleSettings(
  { evalSteps, evalDataset, evalFraction }: TrainerOptions,
  varied: readonly VariedOption[],
): string[] {
  const varies = (option: string) => varied.some(({ name }) => name === option);
  const isEvaluated = evalDataset !== undefined || !!evalFraction || varies('evalFraction');
  return !isEvaluated && (evalSteps !== undefined || varies('evalSteps'))
    ? ['`evalSteps` has no effect without `evalDataset` or `evalFraction`.']
    : [];
}

/**
 * What to sweep: what the command line varies, plus what the project varies and the command line does not
 * set.
 */
export function chooseVaried(trainer: ServiceTrainer, { settings, varied }: RunOptions): VariedOption[] {
  const own = 'sweep' in trainer ? trainer.sweep : [];
  const isGiven = (name: string) => name in settings || varied.some(other => other.name === name);
  const all = [...own.filter(({ name }) => !isGiven(name)), ...varied];
  orUsageError('sweep', () => combinations(all));
  return all;
}

function splitAssignment(text: string, option: string): [name: string, value: string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`option "--${option}" must be NAME=VALUE, not "${text}".`);
  return [text.slice(0, at).trim(), text.slice(at + 1)];
}

function orUsageError<T>(option: 'set' | 'sweep', read: () => T, name = ''): T {
  try {
    return read();
  } catch (error) {
    throw toUsageError(error, option, name);
  }
}

/** Explains what is wrong with a setting, and suggests a name for an unknown one. */
export function toUsageError(error: unknown, option: 'set' | 'sweep', name = ''): unknown {
  if (!(error instanceof SettingError)) return error;
  const hint = name === '' || SETTING_NAMES.includes(name) ? '' : hintFor(name);
  return new UsageError(`option "--${option}": ${error.message}${hint}`);
}

function hintFor(name: string): string {
  const guess = optionOfField(name) ?? suggest(name, SETTING_NAMES);
  return guess ? ` Did you mean "${guess}"?` : ` Settings: ${SETTING_NAMES.join(', ')}.`;
}
