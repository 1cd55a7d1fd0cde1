// Queues a job: checks its config against this cloud, fills in defaults, and stores it without its secrets.
import { randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import {
  ApiError,
  type DatasetSource,
  isFinalStatus,
  type Job,
  type JobConfigInput,
  type JobInput,
} from '../../contract/index.js';
import type { ProjectScope } from '../auth/authorize.js';
import { claimUpload, isUploaded } from '../datasets/dataset-rows.js';
import type { CloudDeps } from '../deps.js';
import { type IdempotentRequest, once } from '../store/once.js';
import type { Tables } from '../store/tables.js';
import { completeConfig, type StoredConfig } from './defaults.js';
import type { JobContext } from './job-context.js';
import { type JobRow, toJob, toJobColumns } from './job-rows.js';
import { type JobSecrets, type Role, splitSecret } from './secrets.js';
import { withStartingAdapter } from './starting-adapter.js';

/** The job's owner. */
type JobOwner = Pick<ProjectScope, 'orgId' | 'projectId'>;

export interface NewJob extends JobInput {
  /** The OpenAI client's request. */
  fineTuning?: FineTuning;
}

interface FineTuning {
  /** For jobs created from files, which already hold their data sets, so the job is not the first to use the upload. */
  trainingFile: string;
  validationFile: string | null;
  metadata: Readonly<Record<string, string>> | null;
}

export async function createJob(
  context: JobContext,
  scope: JobOwner,
  { config: input, fineTuning, ...labels }: NewJob,
  idempotency: IdempotentRequest,
): Promise<Job> {
  requireModel(input.model, context.deps.baseModel.name);
  const { config: given, secrets } = splitConfig(input, context.deps.baseModel);
  const id = randomUUID();
  // The queue may start the job as soon as its row exists.
  if (Object.keys(secrets).length > 0) context.secrets.set(id, secrets);
  try {
    const { answer, isNew } = await once(
      { db: context.db, now: new Date(context.clock.now()) },
      idempotency,
      {
        create: async transaction => {
          const use = fineTuning ? isUploaded : claimUpload;
          const config = await withStartingAdapter(context, transaction, scope.orgId, {
            input,
            config: given,
          });
          const datasetIds = await useUploads(transaction, scope.orgId, config, use);
          const at = new Date(context.clock.now());
          const job = await insertJob(transaction, at, { id, scope, config, ...labels });
          if (fineTuning) await insertFineTuning(transaction, id, fineTuning);
          for (const dataset_id of datasetIds)
            await transaction.insertInto('job_datasets').values({ job_id: id, dataset_id }).execute();
          for (const role of Object.keys(secrets) as Role[])
            await transaction
              .insertInto('job_downloads')
              .values({ job_id: id, role, file: null, name: null })
              .execute();
          return toJob(job, context.waits);
        },
      },
    );
    if (isNew) context.changes.announce({ id, project_id: scope.projectId });
    else await bringBack(context, answer.id, id);
    return answer;
  } catch (error) {
    context.secrets.delete(id);
    throw error;
  }
}

/** A request that is sent again has its job's secrets, which the cloud has lost if it was started anew. */
async function bringBack({ db, secrets }: JobContext, jobId: string, id: string): Promise<void> {
  const again = secrets.get(id);
  if (!again) return;
  secrets.delete(id);
  secrets.set(jobId, again);
  const query = db.selectFrom('jobs').select('status').where('id', '=', jobId);
  const job = await query.executeTakeFirst();
  // Asked afterward: a job that ends from now on removes them itself.
  if (!job || isFinalStatus(job.status)) secrets.delete(jobId);
}

/** Throws unless it names the model that this cloud trains. */
export function requireModel(model: string, own: string): void {
  if (model === own) return;
  throw new ApiError('model_not_supported', `This cloud trains \`${own}\`, not \`${model}\`.`, {
    param: 'config.model',
  });
}

/** The config to store and return, and its secrets. */
function splitConfig(
  input: JobConfigInput,
  baseModel: CloudDeps['baseModel'],
): { config: StoredConfig; secrets: JobSecrets } {
  const training = splitSecret(input.datasetSource, 'config.datasetSource');
  const evaluation =
    input.evalDatasetSource && splitSecret(input.evalDatasetSource, 'config.evalDatasetSource');
  const config: StoredConfig = {
    ...completeConfig(input, baseModel),
    datasetSource: training.shown,
    ...(evaluation && { evalDatasetSource: evaluation.shown }),
  };
  const secrets: JobSecrets = {
    ...(training.secret && { training: training.secret }),
    ...(evaluation?.secret && { evaluation: evaluation.secret }),
  };
  return { config, secrets };
}

/** The uploads that the job reads, all of which must belong to the organization. */
async function useUploads(
  transaction: Transaction<Tables>,
  orgId: string,
  { datasetSource, evalDatasetSource, replaySources = [] }: StoredConfig,
  use: typeof claimUpload,
): Promise<Set<string>> {
  const ids = new Set<string>();
  const sources: [string, DatasetSource | undefined][] = [
    ['datasetSource', datasetSource],
    ['evalDatasetSource', evalDatasetSource],
    ...replaySources.map(({ source }, i): [string, DatasetSource] => [`replaySources.${i}.source`, source]),
  ];
  for (const [field, source] of sources) {
    if (source?.type !== 'upload') continue;
    // Earlier jobs claimed theirs.
    const isThere = field.startsWith('replay') ? isUploaded : use;
    if (!(await isThere(transaction, orgId, source.datasetId))) {
      throw new ApiError('dataset_invalid', `Data set ${source.datasetId} not found; upload it first.`, {
        param: `config.${field}.datasetId`,
      });
    }
    ids.add(source.datasetId);
  }
  return ids;
}

interface JobToInsert extends Omit<JobInput, 'config'> {
  id: string;
  scope: JobOwner;
  config: object;
}

/** A queued job, unless the transaction changes it. */
export function insertJob(
  transaction: Transaction<Tables>,
  now: Date,
  { id, scope, config, task, ...labels }: JobToInsert,
): Promise<JobRow> {
  return transaction
    .insertInto('jobs')
    .values({
      id,
      number: sql<number>`(SELECT coalesce(max(number), 0) + 1 FROM jobs)`,
      org_id: scope.orgId,
      project_id: scope.projectId,
      name: labels.name,
      trainer: labels.name,
      tags: '[]',
      ...toJobColumns(labels),
      status: 'queued',
      config: JSON.stringify(config),
      task: task ? JSON.stringify(task) : null,
      created_at: now.toISOString(),
      artifact_count: 0,
      attempt: 0,
      last_seq: 0,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function insertFineTuning(
  transaction: Transaction<Tables>,
  job_id: string,
  { trainingFile, validationFile, metadata }: FineTuning,
): Promise<void> {
  await transaction
    .insertInto('fine_tunings')
    .values({
      job_id,
      training_file: trainingFile,
      validation_file: validationFile,
      metadata: metadata && JSON.stringify(metadata),
    })
    .execute();
}
