// The events of a job, as they lie in its log and travel as Server-Sent Events.
import * as z from 'zod/mini';
import { artifact, jobStatus } from './job.js';
import { positiveInteger, step, timestamp } from './text.js';

const common = { jobId: z.string(), timestamp };
const optionalNumber = z.optional(z.nullable(z.number()));

/** Rows that are longer than the longest that is trained on. */
export const longRows = z.object({
  maxLength: positiveInteger,
  /** Lost their end. */
  truncated: step,
  /** Were left out. */
  skipped: step,
  /** The first few, by the numbers that they have in their files. */
  first: z.array(z.object({ file: z.string(), row: positiveInteger, tokens: step })),
});

export type LongRows = z.output<typeof longRows>;

/** Comes while rows are read: before the training starts, and beside it where there are many. The last one counts. */
export const trainingPreparing = z.object({
  type: z.literal('training.preparing'),
  ...common,
  rows: step,
  /** Null while they are still being found. */
  totalRows: z.nullable(step),
  tooLong: z.optional(longRows),
  /** Once all rows were read. */
  trainTokens: z.optional(step),
});

export const trainingStarted = z.object({
  type: z.literal('training.started'),
  ...common,
  model: z.string(),
  dataset: z.string(),
  totalSteps: step,
  trainableParameters: step,
  /** Null while not all rows were read. */
  trainTokens: z.nullable(step),
  tooLong: z.optional(longRows),
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
  trainingPreparing,
  trainingStarted,
  trainingLog,
  checkpointSaved,
  trainingCompleted,
  trainingFailed,
  end,
]);

export type JobEvent = z.output<typeof jobEvent>;
