// What a job that does not say otherwise is run with: the one table of it.
import { type JobConfigInput, TARGET_MODULES } from '../../contract/index.js';

export const JOB_DEFAULTS = {
  loraR: 16,
  loraAlpha: 32,
  loraDropout: 0,
  targetModules: [...TARGET_MODULES],
  maxLength: 512,
  tooLong: 'truncate',
  numTrainEpochs: 3,
  learningRate: 2e-4,
  batchSize: 8,
  gradientAccumulationSteps: 1,
  lrSchedulerType: 'linear',
  warmupSteps: 0,
  weightDecay: 0,
  loggingSteps: 1,
  saveSteps: 50,
  trainOnResponsesOnly: true,
  seed: 42,
  dryRun: false,
} satisfies Partial<JobConfigInput>;

type Defaulted = keyof typeof JOB_DEFAULTS;

/** What is asked of a run, with nothing left open and without secrets: as it is stored, and answered. */
export type StoredConfig = Omit<JobConfigInput, Defaulted> & {
  [Key in Defaulted]: NonNullable<JobConfigInput[Key]>;
};
