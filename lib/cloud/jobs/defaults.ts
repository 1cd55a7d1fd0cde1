// The options of a job that does not set them: those of the engine, and those that only the cloud has.
import { type JobConfig, type JobConfigInput, TARGET_MODULES } from '../../contract/index.js';
import { TRAIN_DEFAULTS } from '../../engine/index.js';

export const JOB_DEFAULTS = {
  loraR: TRAIN_DEFAULTS.rank,
  loraAlpha: TRAIN_DEFAULTS.alpha,
  loraDropout: TRAIN_DEFAULTS.dropout,
  targetModules: [...TARGET_MODULES],
  maxLength: TRAIN_DEFAULTS.maxLength,
  tooLong: 'truncate',
  numTrainEpochs: TRAIN_DEFAULTS.epochs,
  learningRate: TRAIN_DEFAULTS.learningRate,
  batchSize: TRAIN_DEFAULTS.batchSize,
  gradientAccumulationSteps: TRAIN_DEFAULTS.accumulation,
  lrSchedulerType: TRAIN_DEFAULTS.schedule,
  warmupSteps: TRAIN_DEFAULTS.warmupSteps,
  weightDecay: TRAIN_DEFAULTS.weightDecay,
  loggingSteps: TRAIN_DEFAULTS.loggingSteps,
  saveSteps: 50,
  trainOnResponsesOnly: true,
  seed: TRAIN_DEFAULTS.seed,
  dryRun: false,
} satisfies Partial<JobConfigInput>;

/** Of the method dpo. */
const DPO_DEFAULTS = { beta: 0.1, labelSmoothing: 0, sftWeight: 0 };

/** As stored and answered, apart from secrets. A job and the preview of its data are completed alike. */
export function completeOptions(input: JobConfigInput): StoredConfig {
  const { method: _, ...options } = input;
  const method = completeMethod(input.method);
  return {
    ...JOB_DEFAULTS,
    ...options,
    ...(method && { method }),
    ...(input.bestBy && { bestBy: { higher: true, ...input.bestBy } }),
  } as StoredConfig;
}

/** Complete, or undefined to learn rows as they are. */
function completeMethod(method: JobConfigInput['method']): StoredMethod | undefined {
  if (method?.type !== 'dpo') return undefined;
  const { beta, labelSmoothing, sftWeight } = DPO_DEFAULTS;
  return {
    type: 'dpo',
    beta: method.beta ?? beta,
    labelSmoothing: method.labelSmoothing ?? labelSmoothing,
    sftWeight: method.sftWeight ?? sftWeight,
  };
}

type StoredMethod = { type: 'dpo' } & typeof DPO_DEFAULTS;

type Defaulted = keyof typeof JOB_DEFAULTS;

/** A complete config without secrets, as stored and answered. */
export type StoredConfig = Omit<JobConfigInput, Defaulted | 'method'> & { method?: StoredMethod } & {
  [Key in Defaulted]: NonNullable<JobConfigInput[Key]>;
};

/** What every job has: they are no choice that tells one run from another. */
const GIVEN = new Set(['model', 'datasetSource']);

/** Which settings of a job were chosen: those that differ from the defaults, and those that have none. */
export function listCustomSettings(config: JobConfig): string[] {
  const defaults: JobConfig = JOB_DEFAULTS;
  return Object.keys(config).filter(
    name => !GIVEN.has(name) && JSON.stringify(config[name]) !== JSON.stringify(defaults[name]),
  );
}
