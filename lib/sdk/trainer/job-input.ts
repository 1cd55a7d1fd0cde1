// Converts a trainer's options into a job request for the cloud.
import { columnMap, type DatasetSource, findFault, type JobInput, jobInput } from '../../contract/index.js';
import type { TrainerOptions } from './options.js';

const OWN_FIELDS: ReadonlySet<string> = new Set<keyof TrainerOptions>([
  'name',
  'tags',
  'model',
  'dataset',
  'evalDataset',
  'evalFraction',
  'method',
  'lora',
  'maxLength',
  'tooLong',
  'maxSteps',
  'epochs',
  'learningRate',
  'batchSize',
  'gradientAccumulationSteps',
  'lrScheduler',
  'warmupSteps',
  'weightDecay',
  'loggingSteps',
  'saveSteps',
  'evalSteps',
  'trainOnResponsesOnly',
  'seed',
  'dryRun',
  'resources',
  'engine',
  'samples',
  'evals',
  'bestBy',
  'callbacks',
  'abortSignal',
]);

interface Sources {
  datasetSource: DatasetSource;
  evalDatasetSource?: DatasetSource | undefined;
}

export function toJobInput(options: TrainerOptions, model: string, sources: Sources): JobInput {
  const { lora = {}, name, tags } = options;
  const evals = Object.keys(options.evals ?? {});
  const config = {
    model,
    ...sources,
    method: options.method,
    loraR: lora.r,
    loraAlpha: lora.alpha,
    loraDropout: lora.dropout,
    targetModules: lora.targetModules,
    maxLength: options.maxLength,
    tooLong: options.tooLong,
    maxSteps: options.maxSteps,
    numTrainEpochs: options.epochs,
    learningRate: options.learningRate,
    batchSize: options.batchSize,
    gradientAccumulationSteps: options.gradientAccumulationSteps,
    lrSchedulerType: options.lrScheduler,
    warmupSteps: options.warmupSteps,
    weightDecay: options.weightDecay,
    loggingSteps: options.loggingSteps,
    saveSteps: options.saveSteps,
    evalSteps: options.evalSteps,
    evalFraction: options.evalFraction,
    trainOnResponsesOnly: options.trainOnResponsesOnly,
    seed: options.seed,
    dryRun: options.dryRun,
    resources: options.resources,
    engine: options.engine,
    samples: options.samples,
    evals: evals.length > 0 ? evals : undefined,
    bestBy: typeof options.bestBy === 'string' ? { score: options.bestBy } : options.bestBy,
  };
  const given = Object.entries(config).filter(([, value]) => value !== undefined);
  return { name, ...(tags && { tags: [...tags] }), config: Object.fromEntries(given) as JobInput['config'] };
}

const DATASETS: ReadonlyMap<string, readonly string[]> = new Map([
  ['file', ['path']],
  ['rows', ['rows']],
  ['huggingface', ['name']],
  ['blob', ['url']],
]);

type Fail = (what: string) => never;

const failCreating: Fail = what => {
  throw new TypeError(`createTrainer: ${what}`);
};

/** Throws a TypeError that names the invalid option here, where it was written, not later when the cloud rejects it. */
export function assertTrainerOptions(options: TrainerOptions, fail: Fail = failCreating): void {
  if (typeof options !== 'object' || options === null) fail('pass an object with options.');
  const unknown = Object.keys(options).find(name => !OWN_FIELDS.has(name));
  if (unknown !== undefined) fail(`unknown option \`${unknown}\`.`);
  for (const name of ['dataset', 'evalDataset'] as const) {
    const dataset = options[name] as Record<string, unknown> | undefined;
    if (dataset === undefined && name === 'evalDataset') continue;
    const needed = DATASETS.get(String(dataset?.type));
    if (!needed) fail(`\`${name}.type\` must be one of ${[...DATASETS.keys()].join(', ')}.`);
    const missing = needed!.find(field => dataset![field] === undefined);
    if (missing !== undefined) fail(`\`${name}.${missing}\` is required.`);
    if (dataset!.map !== undefined) assertMap(dataset!, name, fail);
    const columnsFault = dataset!.columns !== undefined && findFault(columnMap, dataset!.columns, 'It');
    if (columnsFault) fail(`\`${name}.columns\`: ${columnsFault}`);
  }
  if (options.evalDataset && options.evalFraction !== undefined)
    fail('`evalDataset` and `evalFraction` cannot be used together.');
  assertEvals(options, fail);
  const trial = toJobInput(options, options.model ?? 'base', {
    datasetSource: { type: 'upload', datasetId: 'x' },
  });
  const fault = findFault(jobInput, trial, 'It');
  if (fault) fail(inOwnNames(fault));
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

/** The fields of a job's config that are named differently from their options. */
const OWN_NAMES: Readonly<Record<string, string>> = {
  loraR: 'lora.r',
  loraAlpha: 'lora.alpha',
  loraDropout: 'lora.dropout',
  targetModules: 'lora.targetModules',
  numTrainEpochs: 'epochs',
  lrSchedulerType: 'lrScheduler',
};

/** `epochs` for `numTrainEpochs`; undefined for a field that is named like its option. */
export function optionOfField(field: string): string | undefined {
  return Object.hasOwn(OWN_NAMES, field) ? OWN_NAMES[field] : undefined;
}

function inOwnNames(fault: string): string {
  return fault.replace(/`config\.([^`[]+)([^`]*)`/, (_, field: string, rest: string) => {
    return `\`${optionOfField(field) ?? field}${rest}\``;
  });
}
