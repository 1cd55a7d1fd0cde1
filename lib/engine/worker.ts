// The engine's process: loads ONNX Runtime, runs one training job, and tells what happens in the events of the
// contract, over the channel to its parent. When the channel closes it stops at the next pass and ends.
import type { JobEvent } from '../contract/index.js';
import {
  describeAdapter,
  prepareTraining,
  type SavedAdapter,
  type TrainEvent,
  train,
} from './train/index.js';
import type { FromWorker, ToWorker, TrainTask } from './worker-messages.js';

const stopped = new AbortController();
process.once('disconnect', () => stopped.abort(new Error('The parent is gone.')));
process.on('message', (message: ToWorker) => {
  if (message.type === 'cancel') stopped.abort(new Error('Cancelled.'));
  else void runTraining(message);
});

async function runTraining(task: TrainTask): Promise<void> {
  try {
    await followTraining(task);
    send({ type: 'done', status: 'completed' });
  } catch (error) {
    if (stopped.signal.aborted) send({ type: 'done', status: 'cancelled' });
    else fail(task, error);
  } finally {
    if (process.connected) process.disconnect();
  }
}

async function followTraining({ jobId, request, dryRun }: TrainTask): Promise<void> {
  const prepared = await prepareTraining({ ...request, signal: stopped.signal });
  const artifacts: SavedAdapter[] = [];
  const about = { model: request.modelName, dataset: prepared.dataset };
  const job = dryRun ? { ...prepared.job, options: { ...prepared.job.options, maxSteps: 1 } } : prepared.job;
  for await (const event of train(job)) {
    const saved = await describeSaved(event);
    if (saved) artifacts.push(saved);
    tell(jobId, toFields(event, about, artifacts, saved));
  }
}

async function describeSaved(event: TrainEvent): Promise<SavedAdapter | null> {
  if (event.type === 'checkpoint') return describeAdapter(event.folder, 'checkpoint', event.step);
  return event.type === 'completed' ? describeAdapter(event.folder, 'final', event.step) : null;
}

type Fields<E = JobEvent> = E extends JobEvent ? Omit<E, 'jobId' | 'timestamp'> : never;

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

function fail({ jobId }: TrainTask, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  tell(jobId, { type: 'training.failed', error: reason });
  send({ type: 'done', status: 'failed' });
  process.exitCode = 1;
}

function tell(jobId: string, fields: Fields): void {
  send({ type: 'event', event: { ...fields, jobId, timestamp: new Date().toISOString() } });
}

function send(message: FromWorker): void {
  if (process.connected) process.send!(message);
}
