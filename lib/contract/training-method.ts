// What a job learns from its rows: answers as they are, or which of two answers is preferred.
import * as z from 'zod/mini';

const share = z.number().check(z.gte(0), z.lt(0.5));

export const trainingMethod = z.discriminatedUnion('type', [
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
export const METHOD_CHECKS = [
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
