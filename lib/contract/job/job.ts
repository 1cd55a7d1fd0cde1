// A training job: its request and its responses.
import * as z from 'zod/mini';
import { taskDescription, taskInput } from '../task.js';
import {
  boundList,
  NO_CONTROLS,
  orNull,
  PRINTABLE,
  printable,
  sha256,
  step,
  timestamp,
  uuid,
} from '../text.js';
import { JOB_STATUSES } from '../vocabulary.js';
import { bestBy, bestOfScores, sampleInputs, score, scoreNames } from './evals.js';
import { type FieldKind, JOB_FIELDS, type JobField, jobFieldsWith } from './job-fields.js';
import { choosesOwnEngine, OWN_ENGINE_CHOICES, trainingFields } from './training-options.js';

export const jobStatus = z.enum(JOB_STATUSES);

const COLUMNS = [
  'messages',
  'prompt',
  'completion',
  'text',
  'tools',
  'system',
  'conversations',
  'instruction',
  'input',
  'output',
  'chosen',
  'rejected',
] as const;

/** Maps a data set's columns to the standard ones: `{ prompt: 'question', completion: 'answer' }`. */
export const columnMap = z.partialRecord(z.enum(COLUMNS), z.string().check(z.minLength(1), z.maxLength(200)));

export type ColumnMap = z.output<typeof columnMap>;

const httpUrl = z.url({ protocol: /^https?$/ });

/** Where rows come from. Always a source that the cloud can reach, never a path. */
export const datasetSource = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('upload'),
    datasetId: z.string().check(z.minLength(1)),
    columns: z.optional(columnMap),
  }),
  z.strictObject({
    type: z.literal('huggingface'),
    name: z.string().check(z.minLength(1)),
    split: z.optional(z.string()),
    subset: z.optional(z.string()),
    columns: z.optional(columnMap),
  }),
  z.strictObject({
    type: z.literal('blob'),
    url: httpUrl,
    token: z.optional(z.string()),
    columns: z.optional(columnMap),
  }),
]);

export type DatasetSource = z.output<typeof datasetSource>;

/** The adapter of another job that training goes on from, in responses with its step and digest. */
const startingAdapter = z
  .strictObject({
    kind: z.enum(['final', 'checkpoint']),
    jobId: uuid,
    /** Required for a checkpoint. */
    step: z.optional(step),
    /** If given, an adapter with another digest is refused. */
    sha256: z.optional(sha256),
  })
  .check(
    z.refine(from => from.kind === 'final' || from.step !== undefined, {
      path: ['step'],
      error: 'is required for a checkpoint',
    }),
  );

export type StartingAdapter = z.output<typeof startingAdapter>;

const [uploadSource, hubSource] = datasetSource.def.options;

/** The rows of earlier runs. */
const replaySource = z.strictObject({
  source: z.discriminatedUnion('type', [uploadSource, hubSource]),
  /** The share that was held out, which is not replayed. */
  evalFraction: z.optional(z.number().check(z.gte(0), z.lt(1))),
});

const jobConfigFields = {
  model: z.string().check(z.minLength(1)),
  datasetSource,
  evalDatasetSource: z.optional(datasetSource),
  ...trainingFields,
  /** Default: a new adapter. Its rank, alpha and modules are those of the new one. */
  from: z.optional(startingAdapter),
  /** With `replay`. Default: those of the job that it continues, of the one that that job continued, and so on. */
  replaySources: z.optional(boundList(z.array(replaySource).check(z.minLength(1), z.maxLength(20)), 20)),
  /** Answered by the base model, each checkpoint and the final adapter. */
  samples: z.optional(sampleInputs),
  /** The scores that the program following the job reports at each checkpoint. */
  evals: z.optional(scoreNames),
  /** Default: the lowest evaluation loss, or the highest held-out reward if it learns from rewards. */
  bestBy: z.optional(bestBy),
};

/** Whether it compares answers with those of the model that the run starts from. */
const learnsAnswers = (method: { type: string } | undefined) => method !== undefined && method.type !== 'sft';

/** A job request. The cloud fills in omitted fields. */
export const jobConfigInput = z.strictObject(jobConfigFields).check(
  z.refine(config => config.evalDatasetSource === undefined || config.evalFraction === undefined, {
    path: ['evalFraction'],
    error: 'cannot be combined with `evalDatasetSource`',
  }),
  z.refine(({ evals, bestBy: by }) => !evals || !by || evals.includes(by.score), {
    path: ['bestBy', 'score'],
    error: 'must be one of `evals`',
  }),
  z.refine(({ method, trainOnResponsesOnly }) => !learnsAnswers(method) || trainOnResponsesOnly !== false, {
    path: ['trainOnResponsesOnly'],
    error: 'must not be false with the method dpo or grpo, which compare answers only',
  }),
  z.refine(({ from, keepOptimizer }) => keepOptimizer !== true || from !== undefined, {
    path: ['keepOptimizer'],
    error: 'must not be true without `from`',
  }),
  z.refine(({ from, replay = 0 }) => replay === 0 || from !== undefined, {
    path: ['replay'],
    error: 'must be 0 without `from`',
  }),
  z.refine(({ method, keepOptimizer }) => !learnsAnswers(method) || keepOptimizer !== true, {
    path: ['keepOptimizer'],
    error:
      'must not be true with the method dpo or grpo, which compare answers with the adapter that they begin with',
  }),
  ...OWN_ENGINE_CHOICES.map(({ name, reason, isMade }) =>
    z.refine<{ engine?: string | undefined }>(config => config.engine !== 'torch' || !isMade(config), {
      path: ['engine'],
      error: `must be node with ${name}; ${reason}`,
    }),
  ),
  z.refine(({ method, resources }) => method?.type !== 'grpo' || (resources?.workers ?? 1) === 1, {
    path: ['resources', 'workers'],
    error: 'must be 1 with the method grpo',
  }),
  z.refine<{ engine?: string | undefined; resources?: { workers?: number | undefined } | undefined }>(
    config =>
      (config.resources?.workers ?? 1) === 1 || (config.engine !== 'node' && !choosesOwnEngine(config)),
    {
      path: ['resources', 'workers'],
      error: "must be 1 with svc's own engine, node, which trains on one machine",
    },
  ),
  z.refine(({ method, softWeight = 0 }) => !learnsAnswers(method) || softWeight === 0, {
    path: ['softWeight'],
    error: 'must be 0 with the method dpo or grpo, which learn no answers as they are',
  }),
);

export type JobConfigInput = z.input<typeof jobConfigInput>;

/** The request with defaults and without secrets. Only for reading, so its shape is not checked. */
export const jobConfig = z.record(z.string(), z.unknown());

export type JobConfig = z.output<typeof jobConfig>;

const MOST_VARIED = 20;

type Fields = typeof JOB_FIELDS;

/** Fields where tags are typed separate them by commas. */
const tag = (longest: number) => printable(longest).check(z.regex(/^[^,]*$/, 'must not contain commas'));

const tagList = (longest: number, most: number) =>
  boundList(z.array(tag(longest)).check(z.maxLength(most)), most);

/** Line breaks are allowed, other control characters are not. */
const LINES = /^(?:[^\p{Cc}]|[\n\t])*$/u;

/** An empty text removes the value of a field that may have none. */
function editableSchema({ kind, missing, edit }: ReturnType<typeof jobFieldsWith<'edit'>>[number]) {
  const { longest, most = 0, isLong } = edit;
  if (kind === 'tags') return tagList(longest, most);
  if (missing === undefined) return printable(longest);
  return z.string().check(z.trim(), z.maxLength(longest), z.regex(isLong ? LINES : PRINTABLE, NO_CONTROLS));
}

const editableFields = Object.fromEntries(
  jobFieldsWith('edit').map(field => [field.name, editableSchema(field)]),
) as {
  -readonly [Name in keyof Fields as Fields[Name] extends { edit: unknown }
    ? Name
    : never]: Fields[Name]['kind'] extends 'tags' ? ReturnType<typeof tagList> : ReturnType<typeof printable>;
};

const { name: _, ...labels } = z.partial(z.strictObject(editableFields)).shape;

/** What a new job, or an imported one, has of the fields that people can edit. */
export const labelFields = { name: editableFields.name, ...labels };

const settingValue = z.union([z.number(), z.boolean(), z.string().check(z.maxLength(500))]);

const groupSetting = z.strictObject({
  /** The trainer's option, such as `lora.r`. */
  name: printable(100),
  value: settingValue,
});

/** One of several runs that differ in these settings. */
const jobGroup = z.strictObject({
  id: uuid,
  settings: boundList(z.array(groupSetting).check(z.maxLength(MOST_VARIED)), MOST_VARIED),
});

export type JobGroup = z.output<typeof jobGroup>;

export const jobInput = z.strictObject({
  name: editableFields.name,
  config: jobConfigInput,
  trainer: z.optional(printable(100)),
  ...labels,
  group: z.optional(jobGroup),
  /** What its adapters are trained to do. */
  task: z.optional(taskInput),
});

export type JobInput = z.input<typeof jobInput>;

/** Changes only the given fields. `tags` replaces all tags. */
export const jobPatch = z.partial(z.strictObject(editableFields));

export type JobPatch = z.input<typeof jobPatch>;

const flagText = z.optional(z.enum(['true', 'false']));

/** The name of an imported adapter's job, whether its base model is this cloud's under another name, and how it was trained. */
export const adapterImportFields = {
  name: z.optional(printable(100)),
  sameBaseModel: flagText,
  enableThinking: flagText,
};

export interface AdapterImport {
  name?: string | undefined;
  sameBaseModel?: boolean | undefined;
  /** As its trainer's option. */
  enableThinking?: boolean | undefined;
}

/** Where a job was trained, if not by svc. */
const jobOrigin = z.object({
  provider: z.string(),
  /** Its ID there. */
  id: z.string(),
  /** The model that was trained. */
  model: z.string(),
  fineTunedModel: orNull(z.string()),
});

export type JobOrigin = z.output<typeof jobOrigin>;

/** The schema of each kind of field in responses. */
const SHAPES = {
  id: uuid,
  text: z.string(),
  status: jobStatus,
  time: timestamp,
  count: step,
  loss: z.number(),
  reward: z.number(),
  score: bestOfScores,
  tags: z.array(z.string()),
  origin: jobOrigin,
  group: z.object({
    id: z.string(),
    settings: z.array(z.object({ name: z.string(), value: settingValue })),
  }),
} satisfies Record<FieldKind, z.ZodMiniType>;

type Shape<Field> = Field extends { kind: infer Kind extends FieldKind }
  ? Field extends { missing: null }
    ? z.ZodMiniDefault<z.ZodMiniNullable<(typeof SHAPES)[Kind]>>
    : Field extends { missing: unknown }
      ? z.ZodMiniDefault<(typeof SHAPES)[Kind]>
      : (typeof SHAPES)[Kind]
  : never;

const jobFields = Object.fromEntries(
  Object.entries<JobField>(JOB_FIELDS).map(([name, { kind, missing }]) => {
    if (missing === null) return [name, orNull(SHAPES[kind])];
    return [name, missing === undefined ? SHAPES[kind] : z._default(SHAPES[kind] as z.ZodMiniType, missing)];
  }),
) as { [Name in keyof typeof JOB_FIELDS]: Shape<(typeof JOB_FIELDS)[Name]> };

/** A job in a list, without its config. */
export const jobSummary = z.object(jobFields);

export type JobSummary = z.output<typeof jobSummary>;

/** The fields of `config` that differ from this cloud's defaults. */
export const customSettings = z.optional(z.array(z.string()));

export const job = z.object({
  ...jobFields,
  config: orNull(jobConfig),
  customSettings,
  /** Null or missing if it has none. */
  task: z.optional(z.nullable(taskDescription)),
  /** The names of uploaded files in `config`, by ID. */
  fileNames: z.optional(z.record(z.string(), z.string())),
  /** The job's scores, in reported order. */
  scores: z.optional(z.array(score)),
});

export type Job = z.output<typeof job>;

export const artifact = z.object({
  name: z.string(),
  kind: z.enum(['final', 'checkpoint']),
  step,
  bytes: step,
  sha256,
});

export type Artifact = z.output<typeof artifact>;
