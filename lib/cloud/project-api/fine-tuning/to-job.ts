// Converts one of our jobs to OpenAI's format, with its run's progress from the log.
import { sql } from 'kysely';
import {
  type DatasetSource,
  type FineTuningJob,
  GRPO_DEFAULTS,
  isFinalStatus,
  type JobStatus,
  TRAINING_DEFAULTS,
  toAdapterRef,
  toModelId,
} from '../../../contract/index.js';
import type { StoredConfig } from '../../jobs/defaults.js';
import { startingRef } from '../../jobs/starting-adapter.js';
import { toSeconds } from '../../openai-values.js';
import type { Db } from '../../store/db.js';
import type { KeyScope } from '../models.js';
import { type TunedRow, toTuningId } from './job-rows.js';
import { listResults } from './results.js';

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
    id: toTuningId(row.id),
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
    model: await nameModel(db, orgSlug, config),
    organization_id: orgSlug,
    result_files: listResults(row),
    seed: config.seed,
    // The format has no status for a paused job.
    status: isPaused ? 'queued' : STATUSES[row.status],
    trained_tokens: isFinalStatus(row.status) ? await countTrainedTokens(db, row.id) : null,
    training_file: row.training_file ?? describeSource(config.datasetSource),
    validation_file: row.validation_file ?? (evalDatasetSource ? describeSource(evalDatasetSource) : null),
    estimated_finish: finish && toSeconds(finish),
    metadata: row.metadata === null ? null : (JSON.parse(row.metadata) as Record<string, string>),
    method: toMethod(config, hyperparameters),
  };
}

function toMethod(
  { method, evalSteps }: StoredConfig,
  hyperparameters: FineTuningJob['hyperparameters'],
): FineTuningJob['method'] {
  if (!method) return { type: 'supervised', supervised: { hyperparameters } };
  if (method.type === 'dpo')
    return { type: 'dpo', dpo: { hyperparameters: { ...hyperparameters, beta: method.beta } } };
  return {
    type: 'reinforcement',
    reinforcement: {
      grader: method.reward.type === 'function' ? OWN_FUNCTION : method.reward,
      hyperparameters: {
        ...hyperparameters,
        compute_multiplier: method.group / GRPO_DEFAULTS.group,
        eval_interval: evalSteps ?? 'auto',
        eval_samples: 1,
      },
    },
  };
}

/** The format has no other type for code. Only the program that started the job has it. */
const OWN_FUNCTION = { type: 'python', name: 'function', source: '# A function of the program.' };

/** What was trained: the base model, or the adapter that the job went on from, whose job may have been deleted since. */
async function nameModel(db: Db, orgSlug: string, { model: baseModel, from }: StoredConfig): Promise<string> {
  if (!from) return baseModel;
  const job = db.selectFrom('jobs').select('name').where('id', '=', from.jobId);
  const jobName = (await job.executeTakeFirst())?.name ?? '';
  return toModelId({ baseModel, orgSlug, jobName, adapter: startingRef(from) });
}

/** The values used in training, whether requested or default. */
function toHyperparameters({ numTrainEpochs, batchSize, learningRate }: StoredConfig) {
  return {
    n_epochs: numTrainEpochs,
    batch_size: batchSize,
    // Rounds off the error from multiplying and dividing.
    learning_rate_multiplier: Number((learningRate / TRAINING_DEFAULTS.learningRate).toPrecision(12)),
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

/** Tokens learned so far; null until all rows have been read. */
async function countTrainedTokens(db: Db, jobId: string): Promise<number | null> {
  const trainTokens = sql<number | null>`json_extract(payload, '$.trainTokens')`;
  const read = await db
    .selectFrom('events')
    .select(trainTokens.as('tokens'))
    .where('job_id', '=', jobId)
    .where('type', 'in', ['training.started', 'training.preparing'])
    .where(trainTokens, 'is not', null)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst();
  const [last] = await readLastSteps(db, jobId, 1);
  if (!read || last?.epoch == null) return null;
  return Math.round(read.tokens! * last.epoch);
}

/** How many recent steps determine the speed. */
const RECENT_STEPS = 20;

/** Null while there is too little data. A pause or an interruption says nothing about the speed. */
async function estimateFinish(
  db: Db,
  { id, total_steps }: Pick<TunedRow, 'id' | 'total_steps'>,
): Promise<Date | null> {
  const started = await db
    .selectFrom('events')
    .select('seq')
    .where('job_id', '=', id)
    .where('type', '=', 'training.started')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  const steps = await readLastSteps(db, id, RECENT_STEPS, started?.seq);
  const [last, first] = [steps[0], steps.at(-1)];
  if (!last || !first || last.step === first.step || total_steps === null) return null;
  const msPerStep = (last.at - first.at) / (last.step - first.step);
  return new Date(last.at + msPerStep * (total_steps - last.step));
}

/** Newest first. */
function readLastSteps(db: Db, jobId: string, count: number, after = 0) {
  return db
    .selectFrom('steps')
    .select(['at', 'step', 'epoch'])
    .where('job_id', '=', jobId)
    .where('seq', '>', after)
    .orderBy('seq', 'desc')
    .limit(count)
    .execute();
}
