// An ended job's result file: a table of its steps. It is computed from the job's log and not stored separately.
import { type FileObject, isFinalStatus, isUuid, type JobStatus } from '../../../contract/index.js';
import type { StoredConfig } from '../../jobs/defaults.js';
import { toSeconds } from '../../openai-values.js';
import type { Db } from '../../store/db.js';
import type { KeyScope } from '../models.js';
import { toMetrics } from './job-events.js';
import { findTuned, type TunedRow } from './job-rows.js';

const PREFIX = 'file-results-';
const COLUMNS = ['step', 'train_loss', 'valid_loss', 'learning_rate', 'epoch'];
/** Of a job that learns from rewards. */
const REWARD_COLUMNS = ['train_reward_mean', 'valid_reward_mean'];
const STEPS_AT_ONCE = 500;

/** The IDs of the job's result files. */
export function listResults({
  id,
  status,
  step,
}: {
  id: string;
  status: JobStatus;
  step: number | null;
}): string[] {
  return isFinalStatus(status) && step !== null ? [`${PREFIX}${id}`] : [];
}

/** The job that a result file belongs to; null for other files, and before results exist. */
export async function findResults(db: Db, scope: KeyScope, fileId: string): Promise<TunedRow | null> {
  const jobId = fileId.startsWith(PREFIX) ? fileId.slice(PREFIX.length) : '';
  if (!isUuid(jobId)) return null;
  const job = await findTuned(db, scope, jobId);
  return listResults(job).length > 0 ? job : null;
}

export async function describeResults(db: Db, job: TunedRow): Promise<FileObject> {
  let bytes = 0;
  for await (const lines of writeResults(db, job)) bytes += lines.length;
  return {
    id: `${PREFIX}${job.id}`,
    object: 'file',
    bytes,
    created_at: toSeconds(job.completed_at!),
    filename: 'step_metrics.csv',
    purpose: 'fine-tune-results',
    status: 'processed',
  };
}

/** Reads page by page, so that a long job takes no more memory than a short one. */
export async function* writeResults(
  db: Db,
  { id, config }: Pick<TunedRow, 'id' | 'config'>,
): AsyncGenerator<Uint8Array> {
  const { method } = JSON.parse(config) as StoredConfig;
  const columns = method?.type === 'grpo' ? [...COLUMNS, ...REWARD_COLUMNS] : COLUMNS;
  yield Buffer.from(`${columns.join(',')}\n`);
  for (let after = 0; ; ) {
    const steps = await db
      .selectFrom('steps')
      .select(['seq', 'step', 'loss', 'evalLoss', 'learningRate', 'epoch', 'reward', 'evalReward'])
      .where('job_id', '=', id)
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(STEPS_AT_ONCE)
      .execute();
    const last = steps.at(-1);
    if (!last) return;
    const lines = steps.map(toMetrics).map(metrics => columns.map(name => metrics[name] ?? '').join(','));
    yield Buffer.from(`${lines.join('\n')}\n`);
    after = last.seq;
  }
}
