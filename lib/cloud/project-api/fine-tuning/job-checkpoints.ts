// The checkpoints of a job in OpenAI's format.
import {
  type FineTuningCheckpoint,
  type JobEvent,
  toAdapterRef,
  toModelId,
} from '../../../contract/index.js';
import type { Db } from '../../store/db.js';
import type { KeyScope } from '../models.js';
import { toSeconds, unknownCursor } from '../pages.js';
import { toMetrics } from './job-events.js';
import type { TunedRow } from './job-rows.js';

/** The newest first; one more than the limit, if there are more. */
export async function listJobCheckpoints(
  db: Db,
  { orgSlug }: KeyScope,
  job: TunedRow,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<FineTuningCheckpoint[]> {
  const rows = await db
    .selectFrom('artifacts')
    .select('step')
    .where('job_id', '=', job.id)
    .where('kind', '=', 'checkpoint')
    .where('step', '<', after === undefined ? Number.MAX_SAFE_INTEGER : readCursor(after, job.id))
    .orderBy('step', 'desc')
    .limit(limit + 1)
    .execute();
  const { model: baseModel } = JSON.parse(job.config) as { model: string };
  const checkpoints: FineTuningCheckpoint[] = [];
  for (const { step } of rows) {
    const { at, metrics } = await readSaving(db, job.id, step);
    const adapter = toAdapterRef(job.id, step);
    checkpoints.push({
      id: `${PREFIX}-${job.id}-${step}`,
      object: 'fine_tuning.job.checkpoint',
      created_at: toSeconds(at ?? job.created_at),
      fine_tuned_model_checkpoint: toModelId({ baseModel, orgSlug, jobName: job.name, adapter }),
      fine_tuning_job_id: job.id,
      metrics: { step, ...metrics },
      step_number: step,
    });
  }
  return checkpoints;
}

const PREFIX = 'ftckpt';

function readCursor(after: string, jobId: string): number {
  const [, step] = new RegExp(`^${PREFIX}-${jobId}-(\\d{1,15})$`).exec(after) ?? [];
  if (step === undefined) throw unknownCursor(after);
  return Number(step);
}

/** When the checkpoint was saved, and what its step measured. */
async function readSaving(db: Db, jobId: string, step: number) {
  const rows = await db
    .selectFrom('events')
    .select(['type', 'payload', 'at'])
    .where('job_id', '=', jobId)
    .where('type', 'in', ['training.log', 'checkpoint.saved'])
    .where(({ eb, fn, val }) => eb(fn('json_extract', ['payload', val('$.step')]), '=', step))
    .orderBy('seq')
    .execute();
  const logged = rows.find(({ type }) => type === 'training.log');
  const { train_loss, valid_loss } = logged
    ? toMetrics(JSON.parse(logged.payload) as Extract<JobEvent, { type: 'training.log' }>)
    : {};
  return {
    at: rows.find(({ type }) => type === 'checkpoint.saved')?.at,
    metrics: {
      ...(train_loss !== undefined && { train_loss }),
      ...(valid_loss !== undefined && { valid_loss }),
    },
  };
}
