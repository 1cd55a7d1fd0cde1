// A job of ours in OpenAI's format.
import {
  type DatasetSource,
  type FineTuningJob,
  isFinalStatus,
  type JobStatus,
  toAdapterRef,
  toModelId,
} from '../../../contract/index.js';
import { JOB_DEFAULTS, type StoredConfig } from '../../jobs/defaults.js';
import type { Db } from '../../store/db.js';
import type { KeyScope } from '../models.js';
import { toSeconds } from '../pages.js';
import type { TunedRow } from './job-rows.js';
import { listResults } from './results.js';
import { countTrainedTokens, estimateFinish } from './run-facts.js';

const STATUSES = {
  queued: 'queued',
  running: 'running',
  completed: 'succeeded',
  failed: 'failed',
  cancelled: 'cancelled',
} as const satisfies Record<JobStatus, FineTuningJob['status']>;

export async function toFineTuningJob(db: Db, { orgSlug }: KeyScope, row: TunedRow): Promise<FineTuningJob> {
  const config = JSON.parse(row.config) as StoredConfig;
  const { evalDatasetSource } = config;
  const hyperparameters = toHyperparameters(config);
  const isPaused = row.paused_at !== null && !isFinalStatus(row.status);
  const finish = row.status === 'running' && !isPaused ? await estimateFinish(db, row) : null;
  return {
    id: row.id,
    object: 'fine_tuning.job',
    created_at: toSeconds(row.created_at),
    error: row.error === null ? null : { code: 'training_failed', message: row.error, param: null },
    fine_tuned_model: (await hasFinalAdapter(db, row.id))
      ? toModelId({
          baseModel: config.model,
          orgSlug,
          jobName: row.name,
          adapter: toAdapterRef(row.id, null),
        })
      : null,
    finished_at: row.completed_at === null ? null : toSeconds(row.completed_at),
    hyperparameters,
    model: config.model,
    organization_id: orgSlug,
    result_files: listResults(row),
    seed: config.seed,
    // The format has no status for a paused job.
    status: isPaused ? 'queued' : STATUSES[row.status],
    trained_tokens: isFinalStatus(row.status) ? await countTrainedTokens(db, row.id) : null,
    training_file: row.training_file ?? describeSource(config.datasetSource),
    validation_file: row.validation_file ?? (evalDatasetSource ? describeSource(evalDatasetSource) : null),
    estimated_finish: finish && toSeconds(finish.toISOString()),
    metadata: row.metadata === null ? null : (JSON.parse(row.metadata) as Record<string, string>),
    method: config.method
      ? { type: 'dpo', dpo: { hyperparameters: { ...hyperparameters, beta: config.method.beta } } }
      : { type: 'supervised', supervised: { hyperparameters } },
  };
}

/** As trained with, whether asked for or by default. */
function toHyperparameters({ numTrainEpochs, batchSize, learningRate }: StoredConfig) {
  return {
    n_epochs: numTrainEpochs,
    batch_size: batchSize,
    // Without what multiplying and dividing adds.
    learning_rate_multiplier: Number((learningRate / JOB_DEFAULTS.learningRate).toPrecision(12)),
  };
}

async function hasFinalAdapter(db: Db, jobId: string): Promise<boolean> {
  const final = db.selectFrom('artifacts').select('name').where('job_id', '=', jobId);
  return (await final.where('kind', '=', 'final').executeTakeFirst()) !== undefined;
}

/** For jobs that were not created from files. */
function describeSource(source: DatasetSource): string {
  switch (source.type) {
    case 'upload':
      return `upload:${source.datasetId}`;
    case 'huggingface':
      return `huggingface:${source.name}`;
    case 'blob':
      return source.url;
  }
}
