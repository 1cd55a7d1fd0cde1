// The events of a job in OpenAI's format: each of ours is one of theirs.
import type { FineTuningEvent, JobEvent } from '../../../contract/index.js';
import type { Db } from '../../store/db.js';
import { toSeconds, unknownCursor } from '../pages.js';
import type { TunedRow } from './job-rows.js';

/** The newest first; one more than the limit, if there are more. */
export async function listJobEvents(
  db: Db,
  { id }: Pick<TunedRow, 'id'>,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<FineTuningEvent[]> {
  const rows = await db
    .selectFrom('events')
    .select(['seq', 'payload'])
    .where('job_id', '=', id)
    .where('seq', '<', after === undefined ? Number.MAX_SAFE_INTEGER : readCursor(after, id))
    .orderBy('seq', 'desc')
    .limit(limit + 1)
    .execute();
  return rows.map(({ seq, payload }) => toEvent(id, seq, JSON.parse(payload) as JobEvent));
}

const PREFIX = 'ftevent';

function readCursor(after: string, jobId: string): number {
  const [, seq] = new RegExp(`^${PREFIX}-${jobId}-(\\d{1,15})$`).exec(after) ?? [];
  if (seq === undefined) throw unknownCursor(after);
  return Number(seq);
}

function toEvent(jobId: string, seq: number, event: JobEvent): FineTuningEvent {
  const said = describe(event);
  return {
    id: `${PREFIX}-${jobId}-${seq}`,
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
  cancelled: 'The job was cancelled.',
};

function describeStep(event: Extract<JobEvent, { type: 'training.log' }>): Said {
  const metrics = Object.entries(toMetrics(event));
  const losses = metrics.filter(([name]) => name.endsWith('_loss'));
  const text = losses.map(([name, value]) => `, ${name.replace('_', ' ')} ${value.toPrecision(4)}`).join('');
  return { message: `Step ${event.step}${text}`, metrics: Object.fromEntries(metrics) };
}

/** The metrics of a step under OpenAI's names, without those that were not measured. */
export function toMetrics(event: Extract<JobEvent, { type: 'training.log' }>): Record<string, number> {
  const { step, loss, evalLoss, learningRate, epoch } = event;
  const all = {
    step,
    train_loss: loss,
    valid_loss: evalLoss,
    learning_rate: learningRate,
    epoch,
    train_reward_margin: event.rewardMargin,
    train_reward_accuracy: event.rewardAccuracy,
    valid_reward_margin: event.evalRewardMargin,
    valid_reward_accuracy: event.evalRewardAccuracy,
  };
  return Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}
