// The options of a training run: each one once, under its name in the SDK. What a request may hold, the SDK's types, `--set`,
// defaults and the options in a run's document follow from these tables. Their comments are what users read in editors and in
// docs/sdk.md.
import * as z from 'zod/mini';
import { runResources } from '../cluster.js';
import { type Grader, grader } from '../graders.js';
import { boundList, positiveInteger, step } from '../text.js';
import { functionReward } from './reward-requests.js';

interface TrainingOption {
  schema: z.ZodMiniType;
  /** Without one, a job that does not set the option has none. */
  default?: unknown;
  /** Its name in a job's config and in the run's document, if that is another one. */
  field?: string;
  /** Not for the training itself: it says how rows are read, or how the cloud runs the job. */
  for?: 'rows' | 'cloud';
  /**
   * For what PyTorch does not have, the reason. Jobs that choose it use svc's own engine, and `engine: 'torch'` is refused for
   * them. It is not chosen at its default; without one, not if it is left out or false.
   */
  notInTorch?: string;
}

type OptionTable = Readonly<Record<string, TrainingOption>>;

/** Some of the options of a table, as a program chooses them. */
export type ChosenOptions<Options extends OptionTable> = {
  -readonly [Name in keyof Options]?: z.output<Options[Name]['schema']>;
};

/**
 * The projections of a base model that LoRA can target, by their PEFT names: those of most architectures, and of others. A model
 * has those of one line, which is the default of `targetModules` for it.
 */
const MODULES = [
  ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'gate_proj', 'up_proj', 'down_proj'],
  ['q_proj', 'k_proj', 'v_proj', 'in_proj', 'out_proj', 'w1', 'w3', 'w2'],
  ['q_proj', 'k_proj', 'v_proj', 'o_proj', 'input_linear', 'output_linear'],
  ['qkv_proj', 'o_proj', 'gate_up_proj', 'down_proj'],
  [
    ...(['q_proj', 'k_proj', 'v_proj', 'in_proj_qkv', 'in_proj_z', 'in_proj_b', 'in_proj_a'] as const),
    ...(['o_proj', 'out_proj', 'gate_proj', 'up_proj', 'down_proj'] as const),
  ],
] as const;

export type TargetModule = (typeof MODULES)[number][number];

export const TARGET_DEFAULTS: readonly (readonly TargetModule[])[] = MODULES;
const [USUAL_MODULES] = MODULES;
const TARGET_MODULES: readonly TargetModule[] = [...new Set(MODULES.flat())];

/** `known`: those that the base model has. */
export function describeMissingModule(name: string, known: readonly string[]): string {
  return `The base model has no ${name} to adapt. It has ${known.join(', ')}.`;
}

const positive = z.number().check(z.gt(0));
const notNegative = z.number().check(z.gte(0));
const fraction = z.number().check(z.gte(0), z.lt(1));

/** The options of the method `dpo`. */
export const dpoOptions = {
  /** How strongly the adapter is held to the base model: the lower, the further it may move. Default: 0.1. */
  beta: { schema: positive, default: 0.1 },
  /** The share of pairs that may be the wrong way round, from 0 to less than 0.5. Default: 0. */
  labelSmoothing: { schema: z.number().check(z.gte(0), z.lt(0.5)), default: 0 },
  /** Adds the usual loss of the chosen answers with this weight, so that they do not become less likely. Default: 0. */
  sftWeight: { schema: notNegative, default: 0 },
} as const satisfies OptionTable;

/** The options of the method `grpo`. */
export const grpoOptions = {
  /** How many answers to each prompt are compared. Default: 8. */
  group: { schema: z.int().check(z.gte(2), z.lte(64)), default: 8 },
  /** How strongly the adapter is held to what the run starts from. Default: 0.04. */
  beta: { schema: notNegative, default: 0.04 },
  /** How often a step updates the adapter with the same answers. From the second update on, `epsilon` acts. Default: 1. */
  updates: { schema: z.int().check(z.gte(1), z.lte(8)), default: 1 },
  /** How far the updates of a step may move the probability of a token, as a share, before it stops to count. Default: 0.2. */
  epsilon: { schema: z.number().check(z.gt(0), z.lt(1)), default: 0.2 },
  /** Of the answers. Default: 1. */
  temperature: { schema: z.number().check(z.gt(0), z.lte(2)), default: 1 },
  /** The longest answer, in tokens. With its prompt, it has `maxLength` tokens at most. Default: 256. */
  maxTokens: { schema: positiveInteger, default: 256 },
  /** A JSON schema that each answer has. Default: any text. */
  schema: { schema: z.record(z.string(), z.unknown()), notInTorch: 'torch does not have it' },
} as const satisfies OptionTable;

const method = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('sft') }),
  z.strictObject({ type: z.literal('dpo'), ...optionalFields(dpoOptions) }),
  z.strictObject({
    type: z.literal('grpo'),
    /** What gives an answer its reward. */
    reward: z.union([grader, functionReward]),
    ...optionalFields(grpoOptions),
  }),
]);

/** Learn the answers of rows, which of two answers is preferred, or from rewards for the model's own answers. */
export type LearningMethod = z.output<typeof method>['type'];

const METHOD_OPTIONS: Readonly<Record<LearningMethod, OptionTable>> = {
  sft: {},
  dpo: dpoOptions,
  grpo: grpoOptions,
};

/** In the SDK's `lora`. */
export const loraOptions = {
  /** Rank. Default: 16. */
  r: { schema: positiveInteger.check(z.lte(1024)), default: 16, field: 'loraR' },
  /** Scaling is `alpha / r`. Default: 32. */
  alpha: { schema: positive, default: 32, field: 'loraAlpha' },
  /** The share of the adapter's inputs to drop in each pass. Default: 0. */
  dropout: { schema: fraction, default: 0, field: 'loraDropout' },
  /** The projections that get an adapter, by their names in the base model. Default: all of them. */
  targetModules: {
    schema: boundList(
      z.array(z.enum(TARGET_MODULES)).check(
        z.minLength(1),
        z.refine(names => new Set(names).size === names.length, { error: 'must not have a module twice' }),
      ),
      100,
    ),
    default: USUAL_MODULES as readonly TargetModule[],
  },
} as const satisfies OptionTable;

export const trainingOptions = {
  /** What to learn from the rows. Default: `sft`, their answers as they are. */
  method: { schema: method },
  /**
   * The weight of the distance from a teacher's probabilities, added to the loss, for rows with `logprobs`.
   * Default: 0, or the weight that `distil` has with `soft`.
   */
  softWeight: { schema: notNegative, default: 0 },
  /** The maximum row length, in tokens. Default: 512. */
  maxLength: { schema: positiveInteger, default: 512 },
  /**
   * What to do with longer rows. Default: `truncate`, which cuts off the end, and skips the row if nothing is left to learn.
   * `skip` skips it; `error` fails the job and names the row.
   */
  tooLong: { schema: z.enum(['truncate', 'skip', 'error']), default: 'truncate', for: 'rows' },
  /** Optimizer steps. Default: as many as `epochs` takes. */
  maxSteps: { schema: positiveInteger },
  /** How often to go through the rows. Default: 3. */
  epochs: { schema: positive, default: 3, field: 'numTrainEpochs' },
  /** The highest learning rate. Default: 2e-4. */
  learningRate: { schema: positive, default: 2e-4 },
  /** Rows per batch. Default: 8. */
  batchSize: { schema: positiveInteger, default: 8 },
  /** Batches per optimizer step. Default: 1. */
  gradientAccumulationSteps: { schema: positiveInteger, default: 1 },
  /** How the learning rate changes from step to step. Default: `linear`, down to 0. */
  lrScheduler: {
    schema: z.enum(['linear', 'cosine', 'constant', 'constant_with_warmup']),
    default: 'linear',
    field: 'lrSchedulerType',
  },
  /** Steps in which the learning rate rises from 0. Default: 0. */
  warmupSteps: { schema: step, default: 0 },
  /** How much AdamW shrinks the adapter's weights. Default: 0. */
  weightDecay: { schema: notNegative, default: 0 },
  /** The largest norm of all gradients of a step together; larger ones are scaled down to it. Default: 1. */
  maxGradNorm: { schema: positive, default: 1 },
  /** How often to log the loss, in steps. Default: 1. */
  loggingSteps: { schema: positiveInteger, default: 1 },
  /**
   * How often to save the adapter, in steps. Default: 50. It is also saved at the end. All checkpoints are kept with the
   * job, to chat with or publish. The state to resume training from is kept only for the last three and the best.
   */
  saveSteps: { schema: positiveInteger, default: 50 },
  /** How often to evaluate, in steps. Default: only at the end. */
  evalSteps: { schema: positiveInteger },
  /** Rows are chosen by what they say, so that each stays on its side when the data set grows. Equal rows stay together. */
  evalFraction: { schema: fraction, for: 'rows' },
  /** Train only on the assistant's messages. Default: true. */
  trainOnResponsesOnly: { schema: z.boolean(), default: true, for: 'rows' },
  /**
   * The chat template's `enable_thinking`, for rows and for chats with the adapters. Default: as the template has it. For
   * models that think: `false` trains answers without thoughts.
   */
  enableThinking: { schema: z.boolean(), for: 'rows' },
  /** Decides the order of rows, the first adapter and dropout. Default: 42. */
  seed: { schema: z.int().check(z.gte(0), z.lte(0xffffffff)), default: 42 },
  /**
   * With `from`, continues with the optimizer of that run, too, from its final adapter; with the same rows, seed and batch size, also
   * where that run stopped in the order of rows. Default: false, a fresh optimizer.
   */
  keepOptimizer: { schema: z.boolean(), for: 'cloud', notInTorch: 'torch starts with a fresh optimizer' },
  /**
   * With `from`, the share of the rows to train on that come from the runs before, against forgetting: that run, the one that it
   * went on from, and so on. From 0 to less than 1. What those held out for evaluation stays unseen. Default: 0.
   */
  replay: { schema: fraction, for: 'rows' },
  /** Runs a single step to check that everything fits. Nothing is kept. Default: false. */
  dryRun: { schema: z.boolean(), default: false, for: 'cloud' },
  /** What it needs on a cluster. Default: one CPU for one worker. Without effect on a cloud that trains on its own machine. */
  resources: { schema: runResources, for: 'cloud' },
  /**
   * What trains on a cluster, or on a cloud started with `--torch`: svc's own engine or PyTorch. Default: PyTorch where a cluster
   * has a GPU, and on such a cloud. Other clouds use their own engine.
   */
  engine: { schema: z.enum(['node', 'torch']), for: 'cloud' },
} as const satisfies OptionTable;

type ByField<Options extends OptionTable> = {
  [Name in keyof Options as Options[Name] extends { field: infer Field extends string }
    ? Field
    : Name]: Options[Name];
};

type Table = ByField<typeof loraOptions> & ByField<typeof trainingOptions>;

type Field = keyof Table;

interface OptionOfField extends TrainingOption {
  /** Where the SDK has it: `lora.r`. */
  path: string;
}

function byField(options: OptionTable, group = ''): [Field, OptionOfField][] {
  return Object.entries(options).map(([name, option]) => [
    (option.field ?? name) as Field,
    { ...option, path: `${group}${name}` },
  ]);
}

/** All options, by the names of their fields. */
export const optionsByField = new Map([...byField(loraOptions, 'lora.'), ...byField(trainingOptions)]);

/** The fields of a request, none of them required. */
function optionalFields<Options extends OptionTable>(options: Options) {
  const fields = Object.entries(options).map(([name, { schema }]) => [name, z.optional(schema)]);
  return Object.fromEntries(fields) as {
    -readonly [Name in keyof Options]: z.ZodMiniOptional<Options[Name]['schema']>;
  };
}

export const trainingFields = optionalFields(Object.fromEntries(optionsByField) as unknown as Table);

/** The values of options, by their names. */
type Values<Options extends OptionTable, Names extends keyof Options = keyof Options> = {
  -readonly [Name in Names]: z.output<Options[Name]['schema']>;
};

/** The options that have a default. */
type Defaulted<Options extends OptionTable> = {
  [Name in keyof Options]: Options[Name] extends { default: unknown } ? Name : never;
}[keyof Options];

type DpoMethod = { type: 'dpo' } & Values<typeof dpoOptions>;

type GrpoMethod = { type: 'grpo'; reward: Grader | z.output<typeof functionReward> } & Values<
  typeof grpoOptions,
  Exclude<keyof typeof grpoOptions, 'schema'>
> & { schema?: z.output<typeof grpoOptions.schema.schema> | undefined };

/** Of a chat template. */
export type TemplateVariables = Readonly<Record<string, unknown>>;

/** The variables that an option sets, in training and in chats. */
export function templateVariablesOf({
  enableThinking,
}: {
  enableThinking?: boolean | undefined;
}): TemplateVariables | undefined {
  return enableThinking === undefined ? undefined : { enable_thinking: enableThinking };
}

/** What a job's config says of it. */
export function readThinking(config: Readonly<Record<string, unknown>> | null): boolean | undefined {
  const given = config?.enableThinking;
  return typeof given === 'boolean' ? given : undefined;
}

/** With defaults filled in; `method` is missing for rows that are learned as they are. */
export type CompleteOptions = Values<Table, Defaulted<Table>> & {
  -readonly [Name in Exclude<Field, Defaulted<Table> | 'method'>]?:
    | z.output<Table[Name]['schema']>
    | undefined;
} & { method?: DpoMethod | GrpoMethod | undefined };

function defaultsOf<Options extends OptionTable>(options: Options) {
  const defaults = Object.entries(options).flatMap(([name, { default: value }]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? [...value] : value]],
  );
  return Object.fromEntries(defaults) as Values<Options, Defaulted<Options>>;
}

export const TRAINING_DEFAULTS = defaultsOf(Object.fromEntries(optionsByField) as unknown as Table);
export const DPO_DEFAULTS = defaultsOf(dpoOptions);
export const GRPO_DEFAULTS = defaultsOf(grpoOptions);

/** The same for every run. */
const FIXED_OPTIONS = {
  /** How many checkpoints can be resumed from, in addition to the best one. */
  keepCheckpoints: 3,
};

type EngineOption = {
  [Name in Field]: Table[Name] extends { for: string } ? never : Name;
}[Field];

/** What an engine trains with: null for options that are not set and have no default. */
export type RunOptions = typeof FIXED_OPTIONS & {
  [Name in EngineOption]: undefined extends CompleteOptions[Name]
    ? NonNullable<CompleteOptions[Name]> | null
    : CompleteOptions[Name];
};

/** Takes from a complete config what an engine reads. */
export function toRunOptions(config: CompleteOptions): RunOptions {
  const options = [...optionsByField].flatMap(([name, option]) =>
    option.for === undefined ? [[name, config[name] ?? option.default ?? null]] : [],
  );
  return { ...Object.fromEntries(options), ...FIXED_OPTIONS };
}

type Chosen = Readonly<Record<string, unknown>>;

interface OwnEngineChoice {
  /** As messages name it: "`softWeight`", "the method grpo's `schema`". */
  name: string;
  reason: string;
  isMade(config: object): boolean;
}

/** What a job can choose that PyTorch does not have. */
export const OWN_ENGINE_CHOICES: readonly OwnEngineChoice[] = [
  ...choicesIn(optionsByField, config => config),
  ...Object.entries(METHOD_OPTIONS).flatMap(([type, options]) => {
    const chosenIn = ({ method }: { method?: unknown }) =>
      (method as Chosen)?.type === type ? (method as Chosen) : null;
    return choicesIn(Object.entries(options), chosenIn, `the method ${type}'s `);
  }),
];

function choicesIn(
  options: Iterable<[string, TrainingOption]>,
  valuesIn: (config: Chosen) => Chosen | null,
  of = '',
): OwnEngineChoice[] {
  return [...options].flatMap(([name, { default: usual = false, notInTorch: reason }]) => {
    if (reason === undefined) return [];
    const isMade = (config: object) => (valuesIn(config as Chosen)?.[name] ?? usual) !== usual;
    return [{ name: `${of}\`${name}\``, reason, isMade }];
  });
}

/** Whether it chooses anything that PyTorch does not have. */
export function choosesOwnEngine(config: object): boolean {
  return OWN_ENGINE_CHOICES.some(choice => choice.isMade(config));
}

/** What a command line can set as a text. */
export type SettingKind = 'number' | 'boolean' | 'text' | 'list';

/** The settings in an option: itself, or each that it groups, such as `resources.cpus`. What those group has none. */
export function settingsIn(path: string, schema: z.core.$ZodType): [string, SettingKind][] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
      return settingsIn(path, def.innerType);
    case 'pipe':
      return settingsIn(path, def.out);
    case 'union':
      return def.options.flatMap(option => settingsIn(path, option));
    case 'record':
      return [];
    case 'object':
      if (path.includes('.')) return [];
      return Object.entries(def.shape).flatMap(([name, own]) => settingsIn(`${path}.${name}`, own));
    case 'array':
      return [[path, 'list']];
    case 'number':
    case 'boolean':
      return [[path, def.type]];
    default:
      return [[path, 'text']];
  }
}
