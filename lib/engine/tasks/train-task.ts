// One training job, told in the events of the contract.
import type { JobEvent } from '../../contract/index.js';
import type { FromWorker, TrainTask } from '../process/messages.js';
import {
  describeAdapter,
  prepareTraining,
  type SavedAdapter,
  type TrainEvent,
  train,
} from '../train/index.js';

type Send = (message: FromWorker) => void;

/** Runs the job to its end, whatever that is; true when it completed or was cancelled. */
export async function runTraining(task: TrainTask, send: Send, signal: AbortSignal): Promise<boolean> {
  const tell = (fields: Fields) =>
    send({ type: 'event', event: { ...fields, jobId: task.jobId, timestamp: new Date().toISOString() } });
  try {
    await follow(task, tell, signal);
    send({ type: 'done', status: 'completed' });
    return true;
  } catch (error) {
    if (signal.aborted) {
      send({ type: 'done', status: 'cancelled' });
      return true;
    }
    tell({ type: 'training.failed', error: error instanceof Error ? error.message : String(error) });
    send({ type: 'done', status: 'failed' });
    return false;
  }
}

type Fields<E = JobEvent> = E extends JobEvent ? Omit<E, 'jobId' | 'timestamp'> : never;

async function follow(
  { request, dryRun }: TrainTask,
  tell: (fields: Fields) => void,
  signal: AbortSignal,
): Promise<void> {
  const prepared = await prepareTraining({ ...request, signal });
  const artifacts: SavedAdapter[] = [];
  const about = { model: request.modelName, dataset: prepared.dataset };
  const job = dryRun ? { ...prepared.job, options: { ...prepared.job.options, maxSteps: 1 } } : prepared.job;
  for await (const event of train(job)) {
    const saved = await describeSaved(event);
    if (saved) artifacts.push(saved);
    tell(toFields(event, about, artifacts, saved));
  }
}

async function describeSaved(event: TrainEvent): Promise<SavedAdapter | null> {
  if (event.type === 'checkpoint') return describeAdapter(event.folder, 'checkpoint', event.step);
  return event.type === 'completed' ? describeAdapter(event.folder, 'final', event.step) : null;
}

function toFields(
  event: TrainEvent,
  about: { model: string; dataset: string },
  artifacts: readonly SavedAdapter[],
  saved: SavedAdapter | null,
): Fields {
  switch (event.type) {
    case 'started': {
      const { resumedFromStep, type: _, ...rest } = event;
      return {
        type: 'training.started',
        ...about,
        ...rest,
        ...(resumedFromStep !== null && { resumedFromStep }),
      };
    }
    case 'log':
      return { ...event, type: 'training.log' };
    case 'checkpoint':
      return { type: 'checkpoint.saved', step: event.step, artifacts: saved ? [saved] : [] };
    case 'completed':
      return { type: 'training.completed', artifacts: [...artifacts], metrics: event.metrics };
  }
}
