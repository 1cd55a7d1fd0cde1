// Fine-tuning jobs in OpenAI's format: requests for a job, and jobs with their events and checkpoints.
import * as z from 'zod/mini';
import { ApiError } from '../errors.js';
import { grader, nameSingleGrader } from '../graders.js';
import { positiveInteger, printable, step } from '../text.js';
import { parseRequest } from '../validate.js';
import { pageCursor, pageLimit } from './lists.js';
import {
  dropNulls,
  type Features,
  isEmpty,
  metadata,
  refuseFeatures,
  refuseProto,
  requireObject,
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

const reinforcementHyperparameters = z.extend(hyperparameters, {
  /** Multiplies the number of answers to each prompt. */
  compute_multiplier: orAuto(z.number().check(z.gt(0))),
  eval_interval: orAuto(positiveInteger),
  eval_samples: orAuto(z.literal(1, 'must be 1: each held-out prompt is answered once')),
  /** Advice: a model thinks as its chat template says. */
  reasoning_effort: z.optional(z.enum(['default', 'low', 'medium', 'high'])),
});

export type ReinforcementHyperparameters = z.output<typeof reinforcementHyperparameters>;

const reinforcementMethod = z.looseObject({
  grader,
  hyperparameters: z.optional(reinforcementHyperparameters),
  response_format: z.optional(
    z.looseObject({
      type: z.literal('json_schema'),
      json_schema: z.looseObject({ schema: z.record(z.string(), z.unknown()) }),
    }),
  ),
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
      z.looseObject({ type: z.literal('reinforcement'), reinforcement: reinforcementMethod }),
    ]),
  ),
});

export type FineTuningRequest = z.output<typeof fineTuningRequest>;

const FEATURES: Features = { integrations: isEmpty };
const METHODS = ['supervised', 'dpo', 'reinforcement'] as const;
const STRUCTURED = new Set([
  ...METHODS,
  'method',
  'hyperparameters',
  'grader',
  'sampling_params',
  'response_format',
]);

/** The request, or an `ApiError` that names the invalid or unsupported parameter. */
export function parseFineTuningRequest(body: unknown): FineTuningRequest {
  const given = dropNulls(requireObject(body), STRUCTURED) as Record<string, unknown>;
  refuseFeatures(given, FEATURES);
  if (typeof given.method === 'object') refuseMethods(given.method as Record<string, unknown>);
  const request = parseRequest(fineTuningRequest, nameGrader(given));
  if (request.hyperparameters && hyperparametersOf(request.method))
    throw new ApiError('invalid_value', '`hyperparameters` are given twice; use those of `method`.', {
      param: 'hyperparameters',
    });
  return request;
}

function nameGrader(given: Record<string, unknown>): unknown {
  const method = given.method as { reinforcement?: { grader?: unknown } } | undefined;
  if (!method?.reinforcement?.grader) return given;
  const { reinforcement } = method;
  const named = { ...reinforcement, grader: nameSingleGrader(reinforcement.grader) };
  return { ...given, method: { ...method, reinforcement: named } };
}

/** Those of the chosen method; others are ignored. */
export function hyperparametersOf(method: FineTuningRequest['method']): Hyperparameters | undefined {
  if (method?.type === 'reinforcement') return method.reinforcement.hyperparameters;
  return method?.type === 'dpo' ? method.dpo?.hyperparameters : method?.supervised?.hyperparameters;
}

function refuseMethods(method: Record<string, unknown>): void {
  const other = METHODS.find(
    name => name !== method.type && method[name] !== undefined && method[name] !== null,
  );
  if (other !== undefined)
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
    z.object({
      type: z.literal('reinforcement'),
      reinforcement: z.object({
        grader: z.looseObject({ type: z.string() }),
        hyperparameters: z.extend(resolved, {
          compute_multiplier: z.number(),
          eval_interval: z.union([z.literal('auto'), z.number()]),
          eval_samples: z.number(),
        }),
      }),
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
    train_reward_mean: z.exactOptional(z.number()),
    valid_reward_mean: z.exactOptional(z.number()),
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
