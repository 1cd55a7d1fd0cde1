// The events of a job, as they lie in its log and travel as Server-Sent Events.
import * as z from 'zod/mini';
import { artifact, jobStatus } from './job.js';
import { step, timestamp } from './text.js';

const common = { jobId: z.string(), timestamp };
const optionalNumber = z.optional(z.nullable(z.number()));

export const trainingStarted = z.object({
  type: z.literal('training.started'),
  ...common,
  model: z.string(),
  dataset: z.string(),
  totalSteps: step,
  trainableParameters: step,
  trainTokens: step,
  resumedFromStep: z.optional(step),
  damagedCheckpoints: z.optional(z.array(step)),
});

export const trainingLog = z.object({
  type: z.literal('training.log'),
  ...common,
  step: z.number(),
  loss: optionalNumber,
  evalLoss: optionalNumber,
  learningRate: optionalNumber,
  epoch: optionalNumber,
  tokensPerSecond: optionalNumber,
});

export const checkpointSaved = z.object({
  type: z.literal('checkpoint.saved'),
  ...common,
  step,
  artifacts: z.array(artifact),
});

export const trainingCompleted = z.object({
  type: z.literal('training.completed'),
  ...common,
  artifacts: z.array(artifact),
  metrics: z.record(z.string(), z.unknown()),
});

export const trainingFailed = z.object({ type: z.literal('training.failed'), ...common, error: z.string() });

export const end = z.object({ type: z.literal('end'), ...common, status: jobStatus });

export const jobEvent = z.discriminatedUnion('type', [
  trainingStarted,
  trainingLog,
  checkpointSaved,
  trainingCompleted,
  trainingFailed,
  end,
]);

export type JobEvent = z.output<typeof jobEvent>;
