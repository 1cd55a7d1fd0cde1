// A job's events and checkpoints in OpenAI's format. Each of our events becomes one of theirs.
import {
  type FineTuningCheckpoint,
  type FineTuningEvent,
  type JobEvent,
  readJobEvent,
  type StepLogged,
  type StepMeasure,
  toAdapterRef,
  toFrames,
  toModelId,
} from '../../../contract/index.js';
import { unknownCursor } from '../../answers/lists.js';
import { toSeconds } from '../../openai-values.js';
import type { Db } from '../../store/db.js';
import { readLog } from '../../store/events.js';
import type { KeyScope } from '../models.js';
import { type TunedRow, toTuningId } from './job-rows.js';

/** Newest first; one more than the limit, if there are more. */
export async function listJobEvents(
  db: Db,
  { id, last_seq }: Pick<TunedRow, 'id' | 'last_seq'>,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<FineTuningEvent[]> {
  const last = Math.min(last_seq, after === undefined ? last_seq : readCursor(EVENT, id, after) - 1);
  const parts = await readLog(db, id, Math.max(0, last - limit - 1), last);
  const newest = toFrames(parts).reverse();
  return newest.map(frame => toEvent(id, frame.id, readJobEvent(frame)));
}

const EVENT = 'ftevent';

function toEvent(jobId: string, seq: string, event: JobEvent): FineTuningEvent {
  const said = describe(event);
  return {
    id: `${EVENT}-${jobId}-${seq}`,
    object: 'fine_tuning.job.event',
    created_at: toSeconds(event.timestamp),
    level: said.level ?? 'info',
    message: said.message,
    type: said.metrics ? 'metrics' : 'message',
    data: said.metrics ?? {},
  };
}

interface Said {
  message: string;
  level?: FineTuningEvent['level'];
  metrics?: Record<string, number>;
}

function describe(event: JobEvent): Said {
  switch (event.type) {
    case 'training.preparing':
      return { message: `Read ${event.rows} of ${event.totalRows ?? 'all'} rows.` };
    case 'training.started':
      return {
        message:
          event.resumedFromStep === undefined
            ? `Training started: ${event.totalSteps} steps.`
            : `Training resumed from step ${event.resumedFromStep} of ${event.totalSteps}.`,
      };
    case 'training.log':
      return describeStep(event);
    case 'checkpoint.saved':
      return { message: `Checkpoint saved at step ${event.step}.` };
    case 'sample.generated':
      return { message: `Sample ${event.sample + 1} answered at step ${event.step}.` };
    case 'score.recorded':
      return { message: `Score ${event.name} at step ${event.step}: ${event.value}` };
    case 'training.completed':
      return { message: 'The adapter is saved.' };
    case 'training.failed':
      return { message: event.error, level: 'error' };
    case 'end':
      return { message: ENDS[event.status] ?? `The job is ${event.status}.` };
  }
}

const ENDS: Readonly<Record<string, string>> = {
  completed: 'The job has successfully completed.',
  failed: 'The job has failed.',
  cancelled: 'The job was canceled.',
};

function describeStep(event: StepLogged): Said {
  const metrics = Object.entries(toMetrics(event));
  const losses = metrics.filter(([name]) => /_(?:loss|reward_mean)$/.test(name));
  const text = losses
    .map(([name, value]) => `, ${name.replaceAll('_', ' ')} ${value.toPrecision(4)}`)
    .join('');
  return { message: `Step ${event.step}${text}`, metrics: Object.fromEntries(metrics) };
}

/** A step's metrics under OpenAI's names; unmeasured ones are left out. */
export function toMetrics(event: Partial<Pick<StepLogged, StepMeasure>>): Record<string, number> {
  const { step, loss, evalLoss, learningRate, epoch } = event;
  const all = {
    step,
    train_loss: loss,
    valid_loss: evalLoss,
    learning_rate: learningRate,
    epoch,
    train_reward_mean: event.reward,
    valid_reward_mean: event.evalReward,
    train_reward_margin: event.rewardMargin,
    train_reward_accuracy: event.rewardAccuracy,
    valid_reward_margin: event.evalRewardMargin,
    valid_reward_accuracy: event.evalRewardAccuracy,
  };
  return Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}

/** Newest first; one more than the limit, if there are more. The adapter of the last step is the final one. */
export async function listJobCheckpoints(
  db: Db,
  { orgSlug }: KeyScope,
  job: TunedRow,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<FineTuningCheckpoint[]> {
  const rows = await db
    .selectFrom('artifacts')
    .select(['kind', 'step'])
    .where('job_id', '=', job.id)
    // An imported adapter has no steps.
    .where('step', '>', 0)
    .where('step', '<', after === undefined ? Number.MAX_SAFE_INTEGER : readCursor(CHECKPOINT, job.id, after))
    .orderBy('step', 'desc')
    .limit(limit + 1)
    .execute();
  const { model: baseModel } = JSON.parse(job.config) as { model: string };
  const savings = await readSavings(
    db,
    job.id,
    rows.map(({ step }) => step),
  );
  return rows.map(({ kind, step }) => {
    const { at, losses } = savings.get(step) ?? {};
    const adapter = toAdapterRef(job.id, kind === 'final' ? null : step);
    return {
      id: `${CHECKPOINT}-${job.id}-${step}`,
      object: 'fine_tuning.job.checkpoint',
      created_at: toSeconds(at ?? job.completed_at ?? job.created_at),
      fine_tuned_model_checkpoint: toModelId({ baseModel, orgSlug, jobName: job.name, adapter }),
      fine_tuning_job_id: toTuningId(job.id),
      metrics: { step, ...losses },
      step_number: step,
    };
  });
}

const CHECKPOINT = 'ftckpt';

interface Saving {
  at?: string;
  losses?: Omit<FineTuningCheckpoint['metrics'], 'step'>;
}

/** When the checkpoints of these steps were saved, and the metrics of the steps. */
async function readSavings(db: Db, jobId: string, steps: readonly number[]): Promise<Map<number, Saving>> {
  const savings = new Map<number, Saving>();
  if (steps.length === 0) return savings;
  const logged = db
    .selectFrom('steps')
    .select(['step', 'loss', 'evalLoss', 'reward', 'evalReward'])
    .where('job_id', '=', jobId)
    .where('step', 'in', steps);
  for (const { step, ...measured } of await logged.execute()) {
    savings.set(step, { losses: toMetrics(measured) });
  }
  const saved = db
    .selectFrom('events')
    .select(['payload', 'at'])
    .where('job_id', '=', jobId)
    .where('type', '=', 'checkpoint.saved');
  for (const { payload, at } of await saved.execute()) {
    const { step } = JSON.parse(payload) as { step: number };
    savings.set(step, { ...savings.get(step), at });
  }
  return savings;
}

/** The number at the end of an ID that belongs to the job: an event's number, or a checkpoint's step. */
function readCursor(prefix: string, jobId: string, after: string): number {
  const [, number] = new RegExp(`^${prefix}-${jobId}-(\\d{1,15})$`).exec(after) ?? [];
  if (number === undefined) throw unknownCursor(after);
  return Number(number);
}
