// Turns a job into the document for its runner.
import type { RunDocument } from '../../contract/index.js';
import { TRAIN_DEFAULTS } from '../../engine/index.js';
import { isOther } from '../artifacts/same-base.js';
import type { StoredConfig } from './defaults.js';
import { JobError } from './failure.js';
import type { JobContext } from './job-context.js';
import type { Attempt } from './record-events.js';
import { resolveSource } from './resolve-source.js';

/** Downloads what is needed. Throws errors whose messages are for the job's user. */
export async function prepareRun(
  context: JobContext,
  attempt: Attempt & { org_id: string; config: string; base_digest: string | null },
  signal: AbortSignal,
): Promise<RunDocument> {
  const config = JSON.parse(attempt.config) as StoredConfig;
  const { baseModel } = context.deps;
  if (config.model !== baseModel.name)
    throw new JobError(`The job is for ${config.model}, but this cloud now has ${baseModel.name}.`);
  if (isOther(attempt.base_digest, baseModel.digest))
    throw new JobError(
      `The weights of ${baseModel.name} changed since the run started, so it cannot continue. Start the run again.`,
    );
  const resolve = (role: 'training' | 'evaluation', source: StoredConfig['datasetSource']) =>
    resolveSource(context, attempt, role, source, signal);
  return {
    format: 1,
    jobId: attempt.id,
    attempt: attempt.number,
    // PyTorch does not compare answers.
    engine: config.engine ?? (config.method ? 'node' : null),
    resources: config.resources ?? {},
    dryRun: config.dryRun,
    model: { name: baseModel.name, sha256: baseModel.digest ?? null },
    data: {
      training: await resolve('training', config.datasetSource),
      evaluation: config.evalDatasetSource ? await resolve('evaluation', config.evalDatasetSource) : null,
      evaluationFraction: config.evalFraction ?? null,
      trainOn: config.trainOnResponsesOnly ? 'assistant' : 'all',
      tooLong: config.tooLong,
    },
    options: toOptions(config),
  };
}

/** The options of a config as the engine names them. */
export function toOptions(config: StoredConfig): RunDocument['options'] {
  return {
    ...(config.method && { method: config.method }),
    rank: config.loraR,
    alpha: config.loraAlpha,
    dropout: config.loraDropout,
    modules: config.targetModules,
    maxLength: config.maxLength,
    maxSteps: config.maxSteps ?? null,
    epochs: config.numTrainEpochs,
    learningRate: config.learningRate,
    batchSize: config.batchSize,
    accumulation: config.gradientAccumulationSteps,
    schedule: config.lrSchedulerType,
    warmupSteps: config.warmupSteps,
    weightDecay: config.weightDecay,
    maxGradientNorm: TRAIN_DEFAULTS.maxGradientNorm,
    loggingSteps: config.loggingSteps,
    saveSteps: config.saveSteps,
    evalSteps: config.evalSteps ?? null,
    keepCheckpoints: TRAIN_DEFAULTS.keepCheckpoints,
    seed: config.seed,
  };
}
