// Trying graders in OpenAI's format: one answer is graded, or a grader is checked.
import * as z from 'zod/mini';
import { type Grader, grader, nameSingleGrader } from '../graders.js';
import { defineRoutes, json } from '../route.js';
import { parseRequest } from '../validate.js';
import { dropNulls, requireObject } from './published-format.js';

const runRequest = z.looseObject({
  grader,
  /** The answer to grade. */
  model_sample: z.string().check(z.maxLength(1_000_000)),
  /** The row that it is for. */
  item: z.optional(z.unknown()),
});

const validateRequest = z.looseObject({ grader });

export function parseGraderRun(body: unknown): z.output<typeof runRequest> {
  return parseRequest(runRequest, readBody(body));
}

export function parseGraderValidation(body: unknown): { grader: Grader } {
  return parseRequest(validateRequest, readBody(body));
}

const STRUCTURED = new Set(['grader', 'sampling_params']);

function readBody(body: unknown): unknown {
  const given = dropNulls(requireObject(body), STRUCTURED) as { grader?: unknown };
  return { ...given, grader: nameSingleGrader(given.grader) };
}

const FLAGS = [
  'formula_parse_error',
  'invalid_variable_error',
  'model_grader_parse_error',
  'model_grader_refusal_error',
  'model_grader_server_error',
  'other_error',
  'python_grader_runtime_error',
  'python_grader_server_error',
  'sample_parse_error',
  'truncated_observation_error',
  'unresponsive_reward_error',
] as const;

type Flag = (typeof FLAGS)[number];

const flags = Object.fromEntries(FLAGS.map(name => [name, z.boolean()])) as Record<Flag, z.ZodMiniBoolean>;
const detail = z.nullable(z.string());

const graderRun = z.object({
  reward: z.number(),
  metadata: z.object({
    name: z.string(),
    type: z.string(),
    errors: z.object({
      ...flags,
      model_grader_server_error_details: detail,
      python_grader_runtime_error_details: detail,
      python_grader_server_error_type: detail,
      /** What was wrong, in sentences; OpenAI's format has no place for it. */
      messages: z.array(z.string()),
    }),
    /** In seconds. */
    execution_time: z.number(),
    scores: z.record(z.string(), z.number()),
    token_usage: z.nullable(z.int()),
    sampled_model_name: z.nullable(z.string()),
  }),
  /** Of a multi grader. */
  sub_rewards: z.record(z.string(), z.number()),
  model_grader_token_usage_per_model: z.record(
    z.string(),
    z.object({
      prompt_tokens: z.int(),
      completion_tokens: z.int(),
      total_tokens: z.int(),
      cached_tokens: z.int(),
    }),
  ),
});

export type GraderRun = z.output<typeof graderRun>;

export const NO_GRADER_ERRORS = Object.fromEntries(FLAGS.map(name => [name, false])) as Record<Flag, false>;

export const graderRoutes = defineRoutes({
  runGrader: {
    method: 'POST',
    path: '/openai/v1/fine_tuning/alpha/graders/run',
    summary: 'Grades an answer.',
    body: runRequest,
    response: json(graderRun),
  },
  validateGrader: {
    method: 'POST',
    path: '/openai/v1/fine_tuning/alpha/graders/validate',
    summary: 'Checks a grader, and returns it.',
    body: validateRequest,
    response: json(validateRequest),
  },
});
