// Fine-tuning jobs in OpenAI's format: requests for a job, and jobs with their events and checkpoints.
import * as z from 'zod/mini';
import { ApiError } from '../errors.js';
import { positiveInteger, printable, step } from '../text.js';
import { parseRequest } from '../validate.js';
import { pageCursor, pageLimit } from './lists.js';
import {
  dropNulls,
  type Features,
  isEmpty,
  metadata,
  NEVER_NEUTRAL,
  refuseFeatures,
  refuseProto,
  requireObject,
  unsupported,
} from './published-format.js';

const orAuto = <const S extends z.ZodMiniType>(schema: S) => z.optional(z.union([z.literal('auto'), schema]));

const hyperparameters = z.object({
  n_epochs: orAuto(positiveInteger),
  batch_size: orAuto(positiveInteger),
  learning_rate_multiplier: orAuto(z.number().check(z.gt(0))),
});

export type Hyperparameters = z.output<typeof hyperparameters> & { beta?: 'auto' | number | undefined };

const dpoHyperparameters = z.extend(hyperparameters, {
  beta: orAuto(z.number().check(z.gt(0))),
});

/** Unknown fields are accepted and ignored. */
export const fineTuningRequest = z.looseObject({
  /** Checked like the model of a chat. */
  model: z.optional(z.unknown()),
  training_file: z.string().check(z.minLength(1)),
  validation_file: z.optional(z.string().check(z.minLength(1))),
  suffix: z.optional(printable(64)),
  seed: z.optional(z.int().check(z.gte(0), z.lte(0xffffffff))),
  metadata: z.optional(metadata),
  hyperparameters: z.optional(hyperparameters),
  method: z.optional(
    z.discriminatedUnion('type', [
      z.looseObject({
        type: z.literal('supervised'),
        supervised: z.optional(z.looseObject({ hyperparameters: z.optional(hyperparameters) })),
      }),
      z.looseObject({
        type: z.literal('dpo'),
        dpo: z.optional(z.looseObject({ hyperparameters: z.optional(dpoHyperparameters) })),
      }),
    ]),
  ),
});

export type FineTuningRequest = z.output<typeof fineTuningRequest>;

const FEATURES: Features = { integrations: isEmpty };
const METHODS: Features = { reinforcement: NEVER_NEUTRAL };
const STRUCTURED = new Set(['method', 'supervised', 'dpo', 'hyperparameters']);

/** The request, or an `ApiError` that names the invalid or unsupported parameter. */
export function parseFineTuningRequest(body: unknown): FineTuningRequest {
  const given = dropNulls(requireObject(body), STRUCTURED) as Record<string, unknown>;
  refuseFeatures(given, FEATURES);
  if (typeof given.method === 'object') refuseMethods(given.method as Record<string, unknown>);
  const request = parseRequest(fineTuningRequest, given);
  if (request.hyperparameters && hyperparametersOf(request.method))
    throw new ApiError('invalid_value', '`hyperparameters` are given twice; use those of `method`.', {
      param: 'hyperparameters',
    });
  return request;
}

/** Those of the chosen method; others are ignored. */
export function hyperparametersOf(method: FineTuningRequest['method']): Hyperparameters | undefined {
  return method?.type === 'dpo' ? method.dpo?.hyperparameters : method?.supervised?.hyperparameters;
}

function refuseMethods(method: Record<string, unknown>): void {
  if (method.type === 'reinforcement') throw unsupported('method.type', 'only `supervised` and `dpo` are');
  refuseFeatures(method, METHODS);
  const other = method.type === 'dpo' ? 'supervised' : 'dpo';
  if (method[other] !== undefined && method[other] !== null)
    throw new ApiError(
      'invalid_value',
      `\`method.${other}\` does not belong to this method; its type must be \`${other}\`.`,
      {
        param: `method.${other}`,
      },
    );
}

const seconds = z.int();
const resolved = z.object({
  n_epochs: z.number(),
  batch_size: z.number(),
  learning_rate_multiplier: z.number(),
});

export const fineTuningJob = z.object({
  id: z.string(),
  object: z.literal('fine_tuning.job'),
  created_at: seconds,
  error: z.nullable(z.object({ code: z.string(), message: z.string(), param: z.nullable(z.string()) })),
  fine_tuned_model: z.nullable(z.string()),
  finished_at: z.nullable(seconds),
  hyperparameters: resolved,
  model: z.string(),
  organization_id: z.string(),
  result_files: z.array(z.string()),
  seed: z.int(),
  status: z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled']),
  trained_tokens: z.nullable(z.int()),
  /** A file's ID; for a job that was not created from a file, its source. */
  training_file: z.string(),
  validation_file: z.nullable(z.string()),
  estimated_finish: z.nullable(seconds),
  metadata: z.nullable(z.record(z.string(), z.string())),
  method: z.discriminatedUnion('type', [
    z.object({ type: z.literal('supervised'), supervised: z.object({ hyperparameters: resolved }) }),
    z.object({
      type: z.literal('dpo'),
      dpo: z.object({ hyperparameters: z.extend(resolved, { beta: z.number() }) }),
    }),
  ]),
});

export type FineTuningJob = z.output<typeof fineTuningJob>;

export const fineTuningEvent = z.object({
  id: z.string(),
  object: z.literal('fine_tuning.job.event'),
  created_at: seconds,
  level: z.enum(['info', 'warn', 'error']),
  message: z.string(),
  type: z.enum(['message', 'metrics']),
  /** Empty for events without metrics. */
  data: z.record(z.string(), z.number()),
});

export type FineTuningEvent = z.output<typeof fineTuningEvent>;

export const fineTuningCheckpoint = z.object({
  id: z.string(),
  object: z.literal('fine_tuning.job.checkpoint'),
  created_at: seconds,
  fine_tuned_model_checkpoint: z.string(),
  fine_tuning_job_id: z.string(),
  metrics: z.object({
    step,
    train_loss: z.exactOptional(z.number()),
    valid_loss: z.exactOptional(z.number()),
  }),
  step_number: step,
});

export type FineTuningCheckpoint = z.output<typeof fineTuningCheckpoint>;

/** Another project's permission to use a model. */
export const checkpointPermission = z.object({
  id: z.string(),
  object: z.literal('checkpoint.permission'),
  created_at: seconds,
  project_id: z.string(),
});

const MOST_JOBS = 100;
const MOST_EVENTS = 1000;

/** A page of events or checkpoints. */
export const fineTuningPageQuery = z.object({ after: pageCursor, limit: pageLimit(MOST_EVENTS) });

export const fineTuningJobsQuery = z.object({
  after: pageCursor,
  limit: pageLimit(MOST_JOBS),
  /** Selects jobs with these entries. A text that is empty or `null` selects jobs without metadata. */
  metadata: z.optional(z.union([refuseProto(z.record(z.string(), z.string())), z.enum(['', 'null'])])),
});
