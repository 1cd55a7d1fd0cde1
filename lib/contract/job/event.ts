// Job events, as stored in the job's log and sent as Server-Sent Events.
import * as z from 'zod/mini';
import { positiveInteger, step, timestamp } from '../text.js';
import { DEVICES, WEIGHT_PRECISIONS } from '../vocabulary.js';
import { sampleGenerated, scoreRecorded } from './evals.js';
import { artifact, jobStatus } from './job.js';

const common = { jobId: z.string(), timestamp };
const optionalNumber = z.optional(z.nullable(z.number()));

/** Rows longer than the limit for training. */
const longRows = z.object({
  maxLength: positiveInteger,
  /** Truncated. */
  truncated: step,
  skipped: step,
  /** The first few, by row number in their files. */
  first: z.array(z.object({ file: z.string(), row: positiveInteger, tokens: step })),
});

export type LongRows = z.output<typeof longRows>;

/** Sent while rows are being read: before training, and during it for large data sets. The latest one counts. */
const trainingPreparing = z.object({
  type: z.literal('training.preparing'),
  ...common,
  rows: step,
  /** Null until all have been counted. */
  totalRows: z.nullable(step),
  tooLong: z.optional(longRows),
  /** Set once all rows have been read. */
  trainTokens: z.optional(step),
});

const runDevice = z.object({
  type: z.enum(DEVICES),
  /** Such as `NVIDIA H100 80GB HBM3`, if the machine says it. */
  name: z.optional(z.string()),
  /** Such as `PyTorch 2.13.0`, if not svc's own engine. */
  software: z.optional(z.string()),
  /** Why not on the GPU, or why more slowly there, in sentences. */
  reason: z.optional(z.string()),
});

export type RunDevice = z.output<typeof runDevice>;

/** Sent again when an attempt, or another device within one, resumes the run. */
const trainingStarted = z.object({
  type: z.literal('training.started'),
  ...common,
  model: z.string(),
  dataset: z.string(),
  totalSteps: step,
  trainableParameters: step,
  /** Null until all rows have been read. */
  trainTokens: z.nullable(step),
  /** Rows of each file, with those that are skipped or held out. */
  rows: z.optional(step),
  evalRows: z.optional(step),
  /** Rows of earlier runs that are trained on besides. */
  replayedRows: z.optional(step),
  /** The precision in which the base model's weights are used. */
  weights: z.optional(z.enum(WEIGHT_PRECISIONS)),
  /** What the run computes on. */
  device: z.optional(runDevice),
  tooLong: z.optional(longRows),
  resumedFromStep: z.optional(step),
  damagedCheckpoints: z.optional(z.array(step)),
});

const trainingLog = z.object({
  type: z.literal('training.log'),
  ...common,
  step: z.number(),
  loss: optionalNumber,
  evalLoss: optionalNumber,
  learningRate: optionalNumber,
  epoch: optionalNumber,
  tokensPerSecond: optionalNumber,
  /** Of all rows in the steps since the last log, learned or not. */
  tokens: optionalNumber,
  /** The training process's memory. */
  memoryBytes: optionalNumber,
  /** The training process's CPU time since the last event of this type; 100 is one core. */
  cpuPercent: optionalNumber,
  /** For the dpo method: the mean difference between the rewards of chosen and rejected answers. */
  rewardMargin: optionalNumber,
  /** The share of pairs whose chosen answer has the higher reward. */
  rewardAccuracy: optionalNumber,
  chosenReward: optionalNumber,
  rejectedReward: optionalNumber,
  evalRewardMargin: optionalNumber,
  evalRewardAccuracy: optionalNumber,
  evalChosenReward: optionalNumber,
  evalRejectedReward: optionalNumber,
  /** With `softWeight`: how far the model is from what a teacher expected, in the mean over all learned tokens. Part of the loss. */
  softLoss: optionalNumber,
  evalSoftLoss: optionalNumber,
  /**
   * For the method grpo: the mean reward of the answers of a step. Parts of rewards follow as `reward.NAME`, and those of an
   * evaluation as `evalReward.NAME`.
   */
  reward: optionalNumber,
  /** Of the likeliest answers to held-out prompts. */
  evalReward: optionalNumber,
  /** The standard deviation of the rewards of a group, on average. */
  rewardSpread: optionalNumber,
  /** How far the answers are from what the run starts from: the divergence per token. */
  kl: optionalNumber,
  /** The mean length of answers. */
  answerTokens: optionalNumber,
  /** The share of answers that ended because they were too long. */
  cutAnswers: optionalNumber,
  /** The share of groups whose answers all got the same reward. */
  quietGroups: optionalNumber,
  /** The share of answers that got no reward. */
  failedRewards: optionalNumber,
  /** With several updates a step: the share of tokens that stopped to count since they had moved by `epsilon`, on average. */
  clippedTokens: optionalNumber,
  /** How long the parts of a step took, on average: sampling its answers, waiting for their rewards, and learning from them. */
  rolloutSeconds: optionalNumber,
  rewardSeconds: optionalNumber,
  trainingSeconds: optionalNumber,
});

const checkpointSaved = z.object({
  type: z.literal('checkpoint.saved'),
  ...common,
  step,
  artifacts: z.array(artifact),
});

const trainingCompleted = z.object({
  type: z.literal('training.completed'),
  ...common,
  artifacts: z.array(artifact),
  metrics: z.record(z.string(), z.unknown()),
  /** The adapter was trained elsewhere; nothing else was recorded. */
  imported: z.optional(z.literal(true)),
});

const trainingFailed = z.object({ type: z.literal('training.failed'), ...common, error: z.string() });

const end = z.object({ type: z.literal('end'), ...common, status: jobStatus });

export type StepLogged = z.output<typeof trainingLog>;

export type StepMeasure = Exclude<keyof StepLogged, 'type' | keyof typeof common>;

export const STEP_MEASURES = Object.keys(trainingLog.shape).filter(
  (name): name is StepMeasure => name !== 'type' && !(name in common),
);

export const jobEvent = z.discriminatedUnion('type', [
  trainingPreparing,
  trainingStarted,
  trainingLog,
  checkpointSaved,
  sampleGenerated,
  scoreRecorded,
  trainingCompleted,
  trainingFailed,
  end,
]);

export type JobEvent = z.output<typeof jobEvent>;
