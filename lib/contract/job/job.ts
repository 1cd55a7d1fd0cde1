// A training job: its request and its responses.
import * as z from 'zod/mini';
import { runResources } from '../cluster.js';
import { boundList, orEmpty, orNull, positiveInteger, printable, step, timestamp, uuid } from '../text.js';
import { JOB_STATUSES } from '../vocabulary.js';
import { bestBy, bestOfScores, sampleInputs, score, scoreNames } from './evals.js';
import { jobGroup, jobLabelFields, jobLabels } from './job-labels.js';

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

/** Which columns of a data set stand for those that training knows: `{ prompt: 'question', completion: 'answer' }`. */
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

const share = z.number().check(z.gte(0), z.lt(0.5));

/** What a job learns from its rows: answers as they are, or which of two answers is preferred. */
const trainingMethod = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('sft') }),
  z.strictObject({
    type: z.literal('dpo'),
    /** How strongly the adapter is held to the base model: the lower, the further it may move. Default: 0.1. */
    beta: z.optional(z.number().check(z.gt(0))),
    /** The share of pairs that are thought to be the wrong way round. Default: 0. */
    labelSmoothing: z.optional(share),
    /** The weight of the usual loss of the chosen answers, which is added. Default: 0. */
    sftWeight: z.optional(z.number().check(z.gte(0))),
  }),
]);

type TrainingMethod = z.output<typeof trainingMethod>;

interface MethodConfig {
  method?: TrainingMethod | undefined;
  trainOnResponsesOnly?: boolean | undefined;
  engine?: string | undefined;
}

/** Options that make no sense with a job's method. */
const METHOD_CHECKS = [
  z.refine<MethodConfig>(
    ({ method, trainOnResponsesOnly }) => !(isDpo(method) && trainOnResponsesOnly === false),
    {
      path: ['trainOnResponsesOnly'],
      error: 'must not be false with the method dpo, which compares answers only',
    },
  ),
  z.refine<MethodConfig>(({ method, engine }) => !(isDpo(method) && engine === 'torch'), {
    path: ['engine'],
    error: 'must be node with the method dpo; torch does not have it',
  }),
] as const;

const isDpo = (method: TrainingMethod | undefined) => method?.type === 'dpo';

/** The layers that LoRA can target, by their PEFT names. */
export const TARGET_MODULES = [
  'q_proj',
  'k_proj',
  'v_proj',
  'o_proj',
  'gate_proj',
  'up_proj',
  'down_proj',
] as const;

const LR_SCHEDULERS = ['linear', 'cosine', 'constant', 'constant_with_warmup'] as const;

/** What happens to a row longer than `maxLength`: it is cut, skipped, or fails the job. */
const TOO_LONG = ['truncate', 'skip', 'error'] as const;

const positive = z.number().check(z.gt(0));
const notNegative = z.number().check(z.gte(0));
const fraction = z.number().check(z.gte(0), z.lt(1));

const jobConfigFields = {
  model: z.string().check(z.minLength(1)),
  datasetSource,
  method: z.optional(trainingMethod),
  loraR: z.optional(positiveInteger.check(z.lte(1024))),
  loraAlpha: z.optional(positive),
  loraDropout: z.optional(fraction),
  targetModules: z.optional(boundList(z.array(z.enum(TARGET_MODULES)).check(z.minLength(1)), 100)),
  maxLength: z.optional(positiveInteger),
  tooLong: z.optional(z.enum(TOO_LONG)),
  maxSteps: z.optional(positiveInteger),
  numTrainEpochs: z.optional(positive),
  learningRate: z.optional(positive),
  batchSize: z.optional(positiveInteger),
  gradientAccumulationSteps: z.optional(positiveInteger),
  lrSchedulerType: z.optional(z.enum(LR_SCHEDULERS)),
  warmupSteps: z.optional(step),
  weightDecay: z.optional(notNegative),
  loggingSteps: z.optional(positiveInteger),
  saveSteps: z.optional(positiveInteger),
  evalSteps: z.optional(positiveInteger),
  evalDatasetSource: z.optional(datasetSource),
  evalFraction: z.optional(fraction),
  trainOnResponsesOnly: z.optional(z.boolean()),
  seed: z.optional(z.int().check(z.gte(0), z.lte(0xffffffff))),
  dryRun: z.optional(z.boolean()),
  /** Answered by the base model, by each checkpoint and by the final adapter. */
  samples: z.optional(sampleInputs),
  /** What the program that follows the job reports at each checkpoint. */
  evals: z.optional(scoreNames),
  /** Default: the lowest evaluation loss. */
  bestBy: z.optional(bestBy),
  /** For a cloud that trains on a cluster. */
  resources: z.optional(runResources),
  engine: z.optional(z.enum(['node', 'torch'])),
};

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
  ...METHOD_CHECKS,
);

export type JobConfigInput = z.input<typeof jobConfigInput>;

/** The request with defaults filled in and secrets removed. For reading only, so its shape is not checked. */
export const jobConfig = z.record(z.string(), z.unknown());

export type JobConfig = z.output<typeof jobConfig>;

export const jobInput = z.strictObject({
  name: printable(100),
  config: jobConfigInput,
  ...jobLabelFields,
  /** The sweep that it is one run of. */
  group: z.optional(jobGroup),
});

export type JobInput = z.input<typeof jobInput>;

/** The name of an imported adapter's job, and whether its base model is this cloud's under another name. */
export const adapterImportFields = {
  name: z.optional(printable(100)),
  sameBaseModel: z.optional(z.enum(['true', 'false'])),
};

export interface AdapterImport {
  name?: string | undefined;
  sameBaseModel?: boolean | undefined;
}

const jobFields = {
  id: uuid,
  name: z.string(),
  status: jobStatus,
  error: orNull(z.string()),
  createdAt: timestamp,
  startedAt: orNull(timestamp),
  completedAt: orNull(timestamp),
  orgId: orEmpty,
  projectId: orEmpty,
  step: orNull(step),
  totalSteps: orNull(step),
  artifactCount: z._default(step, 0),
  /** What a queued or running job is waiting for, as a sentence; null if it is not waiting. */
  waitingFor: orNull(z.string()),
  ...jobLabels,
  /** So far, or at the end: the last training loss, the last evaluation loss, and the lowest of each. */
  loss: orNull(z.number()),
  evalLoss: orNull(z.number()),
  bestLoss: orNull(z.number()),
  bestEvalLoss: orNull(z.number()),
  /** Where the trainer has chosen a score to find the best adapter by. */
  bestScore: orNull(bestOfScores),
};

/** A job in a list: without its config. */
export const jobSummary = z.object(jobFields);

export type JobSummary = z.output<typeof jobSummary>;

/** The fields of `config` that differ from this cloud's defaults. */
export const customSettings = z.optional(z.array(z.string()));

export const job = z.object({
  ...jobFields,
  config: orNull(jobConfig),
  customSettings,
  /** The names of the uploaded files in `config`, by their IDs. */
  fileNames: z.optional(z.record(z.string(), z.string())),
  /** What was reported of its adapters, in that order. */
  scores: z.optional(z.array(score)),
});

export type Job = z.output<typeof job>;

export const artifact = z.object({
  name: z.string(),
  kind: z.enum(['final', 'checkpoint']),
  step,
  bytes: step,
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
});

export type Artifact = z.output<typeof artifact>;
