// One training job, told in the events of the contract.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JobEvent } from '../../contract/index.js';
import { findDiskFault } from '../../system/index.js';
import type { FromWorker, TrainTask } from '../process/messages.js';
import {
  describeAdapter,
  type Preparing,
  prepareTraining,
  type SavedAdapter,
  type TrainEvent,
  type TrainJob,
  train,
} from '../train/index.js';

/** Resolves when there is room for more. */
type Send = (message: FromWorker) => Promise<void>;

/** Runs the job to its end, whatever that is; false when it failed. */
export async function runTraining(task: TrainTask, send: Send, control: Control): Promise<boolean> {
  const tell = (fields: Fields) =>
    send({ type: 'event', event: { ...fields, jobId: task.jobId, timestamp: new Date().toISOString() } });
  try {
    const onHeldUp = (diskFault: string | null) => void send({ type: 'held-up', diskFault });
    const isPaused = await follow(task, tell, { ...control, onHeldUp });
    await send({ type: 'done', status: isPaused ? 'paused' : 'completed' });
    return true;
  } catch (error) {
    if (control.signal.aborted) {
      await send({ type: 'done', status: 'cancelled' });
      return true;
    }
    const fault = findDiskFault(error);
    if (fault) {
      await send({ type: 'done', status: 'interrupted', diskFault: fault });
      return false;
    }
    await tell({ type: 'training.failed', error: error instanceof Error ? error.message : String(error) });
    await send({ type: 'done', status: 'failed' });
    return false;
  }
}

interface Control {
  /** Ends it at the next pass. */
  signal: AbortSignal;
  /** Ends it behind the step that it is at, with a checkpoint. */
  pause: AbortSignal;
  onHeldUp?: (diskFault: string | null) => void;
}

type Fields<E = JobEvent> = E extends JobEvent ? Omit<E, 'jobId' | 'timestamp'> : never;

/** Whether it was paused. */
async function follow({ request, dryRun }: TrainTask, tell: Tell, control: Control): Promise<boolean> {
  let told = Promise.resolve();
  const onPreparing = (event: Preparing) => {
    told = told.then(() => tell(toPreparing(event)));
    told.catch(() => {});
  };
  const prepared = await prepareTraining({ ...request, ...control }, { onPreparing });
  try {
    await told;
    const about = { model: request.modelName, dataset: prepared.dataset };
    return dryRun ? await tryOut(prepared.job, about, tell) : await followJob(prepared.job, about, tell);
  } finally {
    prepared.close();
  }
}

/** Nothing of a trial is kept, nor mixed with what a real run has saved. */
async function tryOut(job: TrainJob, about: About, tell: Tell): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-dry-run-'));
  try {
    const options = { ...job.options, maxSteps: 1, saveSteps: null };
    const trial = { ...job, options, folder, attempt: undefined, readsAllRows: true };
    return await followJob(trial, about, tell, true);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function followJob(job: TrainJob, about: About, tell: Tell, isTrial = false): Promise<boolean> {
  for await (const event of train(job)) {
    if (event.type === 'paused') return true;
    await tell(toFields(event, about, isTrial ? [] : await describeSaved(event)));
  }
  return false;
}

/** What lies on the disk: of a checkpoint itself, and at the end all that were kept, and the final adapter. */
async function describeSaved(event: TrainEvent): Promise<SavedAdapter[]> {
  if (event.type === 'checkpoint') return [await describeAdapter(event.folder, 'checkpoint', event.step)];
  if (event.type !== 'completed') return [];
  const kept = event.checkpoints.map(({ step, folder }) => describeAdapter(folder, 'checkpoint', step));
  return Promise.all([...kept, describeAdapter(event.folder, 'final', event.step)]);
}

interface About {
  model: string;
  dataset: string;
}

type Tell = (fields: Fields) => Promise<void>;

function toFields(
  event: Exclude<TrainEvent, { type: 'paused' }>,
  about: About,
  artifacts: SavedAdapter[],
): Fields {
  switch (event.type) {
    case 'preparing':
      return toPreparing(event);
    case 'started': {
      const { resumedFromStep, damagedCheckpoints, type: _, ...rest } = event;
      return {
        type: 'training.started',
        ...about,
        ...rest,
        ...(resumedFromStep !== null && { resumedFromStep }),
        ...(damagedCheckpoints.length > 0 && { damagedCheckpoints }),
      };
    }
    case 'log': {
      const { tokens: _, ...rest } = event;
      return { ...rest, type: 'training.log' };
    }
    case 'checkpoint':
      return { type: 'checkpoint.saved', step: event.step, artifacts };
    case 'completed':
      return { type: 'training.completed', artifacts, metrics: event.metrics };
  }
}

function toPreparing({ type: _, ...rest }: Preparing): Fields {
  return { type: 'training.preparing', ...rest };
}
