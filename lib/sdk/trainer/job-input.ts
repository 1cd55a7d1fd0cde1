// A trainer's options: validating them, applying settings from the command line, and turning them into a job
// request.
import {
  adapterRef,
  columnMap,
  type DatasetSource,
  findFault,
  type JobInput,
  jobFieldsWith,
  jobInput,
  loraOptions,
  OptionError,
  optionsByField,
  type SettingKind,
  type StartingAdapter,
  settingsIn,
} from '../../contract/index.js';
import { DISTIL_OPTIONS, type DistilledData, findDistilFault, toSettings } from '../distil/options.js';
import type { GrpoMethod, StartFrom, TrainerCallbacks, TrainerOptions } from './options.js';
import { findRewardFault, isRewardedHere } from './reward-source.js';

const PATHS = new Map<string, string>([...optionsByField].map(([field, { path }]) => [field, path]));

/** The labels that a trainer gives each of its runs, besides the name. */
const LABELS = jobFieldsWith('ofTrainer').map(({ name }) => name);

/** The path of a config field in the trainer's options: `lora.r`. */
function pathOf(field: string): string {
  return PATHS.get(field) ?? field;
}

interface Sources {
  datasetSource: DatasetSource;
  evalDatasetSource?: DatasetSource | undefined;
  from?: StartingAdapter | undefined;
}

export function toJobInput(
  options: TrainerOptions,
  model: string,
  sources: Sources,
  task = options.task?.description,
): JobInput {
  const { name, samples, bestBy } = options;
  const evals = Object.keys(options.evals ?? {});
  const config = {
    model,
    ...sources,
    ...Object.fromEntries([...PATHS].map(([field, path]) => [field, valueAt(options, path)])),
    method: toMethod(options.method),
    softWeight: options.softWeight ?? softWeightOf(options.dataset),
    samples,
    evals: evals.length > 0 ? evals : undefined,
    bestBy: typeof bestBy === 'string' ? { score: bestBy } : bestBy,
  };
  const definedFields = Object.entries(config).filter(([, value]) => value !== undefined);
  return {
    name,
    ...Object.fromEntries(
      LABELS.flatMap(label => (options[label] === undefined ? [] : [[label, options[label]]])),
    ),
    ...(task && { task }),
    config: Object.fromEntries(definedFields) as JobInput['config'],
  };
}

/** The rows of a teacher say by themselves that they are learned softly. */
function softWeightOf(dataset: TrainerOptions['dataset']): number | undefined {
  return dataset.type === 'distilled' ? toSettings(dataset).soft?.weight : undefined;
}

/** A function stays in this process, and so does a grader that names a server, with its key. */
function toMethod(method: TrainerOptions['method']): unknown {
  if (method?.type !== 'grpo') return method;
  const { rewardTimeoutMs: _, reward, ...options } = method;
  return { ...options, reward: isRewardedHere(reward) ? { type: 'function' } : reward };
}

function valueAt(options: object, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown>)?.[name], options);
}

const OWN_OPTIONS = [
  ...[...PATHS.values()].map(path => path.split('.')[0]!),
  ...['name', 'task', ...LABELS, 'model', 'dataset', 'evalDataset', 'from'],
  ...['samples', 'evals', 'bestBy', 'callbacks', 'abortSignal'],
];

/** The names within an option that is a group of options. */
const GROUPS = {
  lora: Object.keys(loraOptions),
  callbacks: [
    'onStarted',
    'onLog',
    'onCheckpoint',
    'onCompleted',
    'onFailed',
  ] satisfies (keyof TrainerCallbacks)[],
} as const;

interface DatasetKind {
  needed: string;
  /** What that must be, and whether it is. Left out where it is checked elsewhere. */
  must?: readonly [what: string, fits: (value: unknown) => boolean];
  others: readonly string[];
}

const A_TEXT = ['a text', value => typeof value === 'string'] satisfies DatasetKind['must'];

/** What a kind of data set needs, and what it may have besides. */
const DATASETS: ReadonlyMap<string, DatasetKind> = new Map<string, DatasetKind>([
  ['file', { needed: 'path', must: A_TEXT, others: ['columns', 'map'] }],
  ['rows', { needed: 'rows', must: ['a list of rows', Array.isArray], others: ['columns', 'map'] }],
  ['huggingface', { needed: 'name', must: A_TEXT, others: ['split', 'subset', 'columns', 'map'] }],
  ['blob', { needed: 'url', must: A_TEXT, others: ['token', 'columns', 'map'] }],
  ['distilled', { needed: 'teacher', others: DISTIL_OPTIONS }],
]);

type Fail = (what: string) => never;

const failCreating: Fail = what => {
  throw new OptionError(`createTrainer: ${what}`);
};

/**
 * Throws an `OptionError` that names the invalid option at the call site, instead of later when the cloud rejects
 * it.
 */
export function assertTrainerOptions(options: TrainerOptions, fail: Fail = failCreating): void {
  if (typeof options !== 'object' || options === null) fail('pass an object with options.');
  assertKnown(options, OWN_OPTIONS, '', fail);
  for (const group of ['lora', 'callbacks'] as const)
    assertKnown(options[group] ?? {}, GROUPS[group], `${group}.`, fail);
  for (const [name, callback] of Object.entries(options.callbacks ?? {}))
    if (callback !== undefined && typeof callback !== 'function')
      fail(`\`callbacks.${name}\` must be a function.`);
  if (options.abortSignal !== undefined && typeof options.abortSignal?.throwIfAborted !== 'function')
    fail('`abortSignal` must be an AbortSignal: the `signal` of an AbortController.');
  for (const name of ['dataset', 'evalDataset'] as const) {
    const dataset = options[name] as Record<string, unknown> | undefined;
    if (dataset === undefined && name === 'evalDataset') continue;
    const kind = DATASETS.get(String(dataset?.type));
    if (dataset === undefined) fail('`dataset` is required.');
    if (!kind) fail(`\`${name}.type\` must be one of ${[...DATASETS.keys()].join(', ')}.`);
    const { needed, must: [what, fits] = [], others } = kind!;
    if (dataset![needed] === undefined) fail(`\`${name}.${needed}\` is required.`);
    if (fits && !fits(dataset![needed])) fail(`\`${name}.${needed}\` must be ${what}.`);
    assertKnown(dataset!, ['type', needed, ...others], `${name}.`, fail);
    const distilFault = dataset!.type === 'distilled' && findDistilFault(options[name] as DistilledData);
    if (distilFault) fail(distilFault.replace('`', `\`${name}.`));
    if (dataset!.map !== undefined) assertMap(dataset!, name, fail);
    if (dataset!.type === 'rows' && dataset!.columns !== undefined)
      fail(`\`${name}.columns\` is for files, the Hub and URLs; rename the columns of the rows before.`);
    const columnsFault = dataset!.columns !== undefined && findFault(columnMap, dataset!.columns, 'It');
    if (columnsFault) fail(`\`${name}.columns\`: ${columnsFault}`);
  }
  if (options.task !== undefined && typeof options.task?.toMessages !== 'function')
    fail('`task` must be a task from defineTask.');
  assertRowsFitMethod(options, fail);
  if (options.method?.type === 'grpo') assertRewards(options.method, fail);
  if (options.evalDataset && options.evalFraction !== undefined)
    fail('`evalDataset` and `evalFraction` cannot be used together.');
  assertEvals(options, fail);
  if (options.from !== undefined && !isStart(options.from))
    fail('`from` must be `latest`, the ID of a job, `{ job, step }` or an adapter.');
  const trial = toJobInput(options, options.model ?? 'base', {
    datasetSource: { type: 'upload', datasetId: 'x' },
    // Which adapter it is, is known once the job is created.
    ...(options.from !== undefined && { from: { kind: 'final', jobId: NO_JOB } }),
  });
  const fault = findFault(jobInput, trial, 'It');
  if (fault) fail(inOwnNames(fault));
}

/** What the rows of such a method are, which are no answers to learn as they are. */
const ROWS_OF_METHODS = {
  dpo: 'whose rows have two answers',
  grpo: 'whose rows are prompts without answers',
} as const;

/** Before a teacher is asked for answers that could not be learned. */
function assertRowsFitMethod(options: TrainerOptions, fail: Fail): void {
  const type = options.method?.type;
  if (type !== 'dpo' && type !== 'grpo') return;
  const rule = `cannot be used with the method ${type}, ${ROWS_OF_METHODS[type]}.`;
  if (options.task) fail(`\`task\` ${rule}`);
  for (const name of ['dataset', 'evalDataset'] as const)
    if (options[name]?.type === 'distilled') fail(`\`${name}\` of \`distil\` ${rule}`);
}

function assertRewards({ reward, rewardTimeoutMs = 1 }: GrpoMethod, fail: Fail): void {
  if (typeof reward !== 'function' && (typeof reward !== 'object' || reward === null))
    fail('`method.reward` must be a function, or one of the graders.');
  const fault = typeof reward === 'function' ? null : findRewardFault(reward);
  if (fault) fail(fault);
  if (typeof rewardTimeoutMs !== 'number' || !(rewardTimeoutMs > 0))
    fail('`method.rewardTimeoutMs` must be a number above 0.');
}

const NO_JOB = '00000000-0000-0000-0000-000000000000';

function isStart(from: StartFrom): boolean {
  if (typeof from === 'string') return from.trim() !== '';
  if (typeof from !== 'object' || from === null) return false;
  if (!('job' in from)) return findFault(adapterRef, from, 'It') === null;
  const { job, step, ...others } = from;
  const isStep = step === undefined || (Number.isSafeInteger(step) && step >= 0);
  return typeof job === 'string' && job !== '' && isStep && Object.keys(others).length === 0;
}

function assertKnown(given: object, known: readonly string[], group: string, fail: Fail): void {
  if (typeof given !== 'object') fail(`\`${group.slice(0, -1)}\` must be an object.`);
  const unknown = Object.keys(given).find(name => !known.includes(name));
  if (unknown !== undefined) fail(`unknown option \`${group}${unknown}\`.`);
}

function assertEvals({ evals = {}, bestBy }: TrainerOptions, fail: Fail): void {
  if (typeof evals !== 'object' || evals === null) fail('`evals` must be an object of functions.');
  for (const [name, measure] of Object.entries(evals))
    if (typeof measure !== 'function') fail(`\`evals.${name}\` must be a function.`);
  const score = typeof bestBy === 'object' ? bestBy?.score : bestBy;
  if (score !== undefined && !Object.hasOwn(evals, score))
    fail(`\`bestBy\` must name one of \`evals\`, and there is no \`${score}\`.`);
}

function assertMap({ type, map, columns }: Record<string, unknown>, name: string, fail: Fail): void {
  if (typeof map !== 'function') fail(`\`${name}.map\` must be a function.`);
  if (type === 'rows') fail(`\`${name}.map\` is for files, the Hub and URLs; map the rows before.`);
  if (columns !== undefined) fail(`\`${name}.map\` and \`${name}.columns\` cannot be used together.`);
}

/** `epochs` for `numTrainEpochs`; undefined if the field and its option have the same name. */
export function optionOfField(field: string): string | undefined {
  const path = pathOf(field);
  return path === field ? undefined : path;
}

function inOwnNames(fault: string): string {
  return fault.replace(
    /`config\.([^`[.]+)([^`]*)`/,
    (_, field: string, rest: string) => `\`${pathOf(field)}${rest}\``,
  );
}

const KINDS: ReadonlyMap<string, SettingKind> = new Map([
  ['model', 'text'],
  ['from', 'text'],
  ...[...optionsByField.values()].flatMap(({ path, schema }) => settingsIn(path, schema)),
  ['bestBy', 'text'],
]);

export const SETTING_NAMES = [...KINDS.keys()];

type SettingValue = string | number | boolean;

/** By setting name. */
export type SettingValues = Readonly<Record<string, SettingValue>>;

export class SettingError extends Error {}

/** Throws a `SettingError` for an unknown setting or the wrong type. Lists stay text until used. */
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

/**
 * The trainer's options with these settings applied. Throws a `SettingError` for a value that is not allowed.
 */
export function withSettings(options: TrainerOptions, settings: SettingValues): TrainerOptions {
  const changed = { ...options } as Record<string, unknown>;
  for (const [name, value] of Object.entries(settings)) {
    const [first, second] = name.split('.') as [string, string | undefined];
    const parsed = kindOf(name) === 'list' ? String(value).split(',').map(trim) : value;
    changed[first] = second === undefined ? parsed : { ...(changed[first] as object), [second]: parsed };
  }
  const checked = changed as unknown as TrainerOptions;
  assertTrainerOptions(checked, what => {
    throw new SettingError(what);
  });
  return checked;
}

const trim = (text: string) => text.trim();
