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
  const savings = await readSavings(
    db,
    job.id,
    rows.map(({ step }) => step),
  );
  return rows.map(({ step }) => {
    const { at, losses } = savings.get(step) ?? {};
    const adapter = toAdapterRef(job.id, step);
    return {
      id: `${PREFIX}-${job.id}-${step}`,
      object: 'fine_tuning.job.checkpoint',
      created_at: toSeconds(at ?? job.created_at),
      fine_tuned_model_checkpoint: toModelId({ baseModel, orgSlug, jobName: job.name, adapter }),
      fine_tuning_job_id: job.id,
      metrics: { step, ...losses },
      step_number: step,
    };
  });
}

const PREFIX = 'ftckpt';

function readCursor(after: string, jobId: string): number {
  const [, step] = new RegExp(`^${PREFIX}-${jobId}-(\\d{1,15})$`).exec(after) ?? [];
  if (step === undefined) throw unknownCursor(after);
  return Number(step);
}

interface Saving {
  at?: string;
  losses?: { train_loss?: number; valid_loss?: number };
}

/** When the checkpoints of these steps were saved, and what the steps measured. One pass over the log for all. */
async function readSavings(db: Db, jobId: string, steps: readonly number[]): Promise<Map<number, Saving>> {
  const savings = new Map<number, Saving>();
  if (steps.length === 0) return savings;
  const rows = await db
    .selectFrom('events')
    .select(['payload', 'at'])
    .where('job_id', '=', jobId)
    .where('type', 'in', ['training.log', 'checkpoint.saved'])
    .where(({ eb, fn, val }) => eb(fn('json_extract', ['payload', val('$.step')]), 'in', steps))
    .execute();
  for (const { payload, at } of rows) {
    const event = JSON.parse(payload) as Extract<JobEvent, { step: number }>;
    const news = event.type === 'training.log' ? { losses: toLosses(toMetrics(event)) } : { at };
    savings.set(event.step, { ...savings.get(event.step), ...news });
  }
  return savings;
}

function toLosses({ train_loss, valid_loss }: Record<string, number>) {
  return {
    ...(train_loss !== undefined && { train_loss }),
    ...(valid_loss !== undefined && { valid_loss }),
  };
}
