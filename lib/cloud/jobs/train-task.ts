// Turns a job into the task for its runner.
import type { TrainTask } from '../../engine/index.js';
import { isOther } from '../artifacts/same-base.js';
import type { StoredConfig } from './defaults.js';
import { JobError } from './failure.js';
import type { JobContext } from './job-context.js';
import type { Attempt } from './record-events.js';
import { type EngineSource, resolveSource } from './resolve-source.js';

/** Downloads what is needed. Throws errors whose messages are for the job's user. */
export async function prepareTask(
  context: JobContext,
  attempt: Attempt & { org_id: string; config: string; base_digest: string | null },
  signal: AbortSignal,
): Promise<TrainTask> {
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
  const source = await resolve('training', config.datasetSource);
  const evaluationSource =
    config.evalDatasetSource && (await resolve('evaluation', config.evalDatasetSource));
  return toTask(context, attempt, config, { source, evaluationSource });
}

interface Sources {
  source: EngineSource;
  evaluationSource: EngineSource | undefined;
}

function toTask(
  { deps, folders }: JobContext,
  { id, number }: Attempt,
  config: StoredConfig,
  sources: Sources,
): TrainTask {
  return {
    jobId: id,
    dryRun: config.dryRun,
    request: {
      ...sources,
      modelFolder: deps.baseModel.folder,
      modelName: deps.baseModel.name,
      evaluationFraction: config.evalFraction,
      trainOn: config.trainOnResponsesOnly ? 'assistant' : 'all',
      tooLong: config.tooLong,
      options: toOptions(config),
      folder: folders.job(id),
      cacheFolder: folders.downloads,
      roundedFolder: folders.rounded,
      allowPrivateAddresses: !deps.exposed,
      // The token in the cloud's own environment is only for the cloud itself.
      hubToken: '',
      attempt: number,
    },
  };
}

function toOptions(config: StoredConfig): TrainTask['request']['options'] {
  return {
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
    loggingSteps: config.loggingSteps,
    saveSteps: config.saveSteps,
    evalSteps: config.evalSteps ?? null,
    seed: config.seed,
  };
}
