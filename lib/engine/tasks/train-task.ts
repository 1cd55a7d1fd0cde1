// Runs one training job and reports it as events of the contract.
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunDevice, RunDocument } from '../../contract/index.js';
import { findDiskFault } from '../../system/index.js';
import type { EngineEvent, FromWorker, RunFailureCode, RunFile, TrainTask } from '../process/messages.js';
import { isOutOfMemory } from '../runtime/index.js';
import {
  describeAdapter,
  OtherRunError,
  type Preparing,
  prepareTraining,
  type SavedAdapter,
  type Score,
  type TokenTrainRequest,
  type TrainEvent,
  type TrainJob,
} from '../train/index.js';
import { recordStart } from './record-start.js';
import { type DeviceEvent, type Started, trainOnDevice } from './train-on-device.js';

/** Resolves when there is room for more. */
type Send = (message: FromWorker) => Promise<void>;

/** A run whose rows are files of tokens. */
export interface TokenTask extends Omit<TrainTask, 'request'> {
  request: Omit<TokenTrainRequest, 'signal' | 'pause' | 'onHeldUp' | 'score'>;
}

/** Reports the outcome instead of throwing; false if the job failed or was interrupted. */
export async function runTraining(
  task: TrainTask | TokenTask,
  send: Send,
  control: Control,
): Promise<boolean> {
  const emit: Emit = fields =>
    send({ type: 'event', event: { ...fields, jobId: task.jobId, timestamp: new Date().toISOString() } });
  try {
    const onHeldUp = (diskFault: string | null) => void send({ type: 'held-up', diskFault });
    const isPaused = await runJob(task, emit, { ...control, onHeldUp });
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
    const text = error instanceof Error ? error.message : String(error);
    await emit({ type: 'training.failed', error: text, code: failureCode(error) });
    await send({ type: 'done', status: 'failed' });
    return false;
  }
}

function failureCode(error: unknown): RunFailureCode | undefined {
  if (error instanceof OtherRunError) return 'other_run';
  return isOutOfMemory(error) ? 'out_of_memory' : undefined;
}

interface Control {
  /** Stops after the current pass. */
  signal: AbortSignal;
  /** Stops after the current step, with a checkpoint. */
  pause: AbortSignal;
  onHeldUp?: (diskFault: string | null) => void;
  /** Asks the parent for rewards. */
  score?: Score;
}

type Fields<E = EngineEvent> = E extends EngineEvent ? Omit<E, 'jobId' | 'timestamp'> : never;

/** Whether it was paused. */
async function runJob(
  { request, device, dryRun, measuredSteps }: TrainTask | TokenTask,
  emit: Emit,
  control: Control,
): Promise<boolean> {
  let emitted = Promise.resolve();
  const onPreparing = (event: Preparing) => {
    emitted = emitted.then(() => emit(toPreparing(event)));
    emitted.catch(() => {});
  };
  const prepared = await prepareTraining({ ...request, ...control }, { onPreparing });
  try {
    await emitted;
    const [training, evaluation] = prepared.data;
    const replayedRows = prepared.replayed.reduce((sum, { rows }) => sum + rows, 0);
    const names = {
      model: request.modelName,
      dataset: prepared.dataset,
      ...(training && { rows: training.rows }),
      ...(evaluation && { evalRows: evaluation.rows }),
      ...(replayedRows > 0 && { replayedRows }),
    };
    const place = { folder: request.folder, device, names };
    if (measuredSteps !== undefined) return await measure(prepared.job, measuredSteps, place, emit);
    if (dryRun) return await runTrial(prepared.job, place, emit);
    return await emitEvents(prepared.job, place, event => recordStart(request, prepared, event), emit);
  } finally {
    prepared.close();
  }
}

/** Works in a temporary folder, so that a trial keeps nothing and never touches what a real run has saved. */
async function runTrial(
  job: TrainJob,
  place: RunPlace,
  emit: Emit,
  changes: Partial<TrainJob> = {},
): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-dry-run-'));
  try {
    const options = { ...job.options, maxSteps: 1, saveSteps: null, ...changes.options };
    const trial = { ...job, folder, attempt: undefined, readsAllRows: true, ...changes, options };
    return await emitEvents(trial, place, null, emit);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A trial of a few steps that reports its memory use. */
async function measure(job: TrainJob, steps: number, place: RunPlace, emit: Emit): Promise<boolean> {
  const maxSteps = Math.min(steps, job.options.maxSteps ?? steps);
  const options = { ...job.options, maxSteps, saveSteps: null, evalSteps: null, loggingSteps: 1 };
  const tellMemory: Emit = fields =>
    emit(
      fields.type === 'training.completed'
        ? { ...fields, metrics: { memory: 1024 * process.resourceUsage().maxRSS } }
        : fields,
    );
  return runTrial(job, place, tellMemory, { options, evaluation: [], readsAllRows: false });
}

/** A trial records nothing and keeps no files. */
async function emitEvents(
  job: TrainJob,
  { folder, device, names }: RunPlace,
  onStart: ((event: Started) => Promise<void>) | null,
  emit: Emit,
): Promise<boolean> {
  const usage = createUsageMeter();
  for await (const event of trainOnDevice(job, folder, device)) {
    if (event.type === 'paused') return true;
    if (event.type === 'started') await onStart?.(event);
    await emit(toFields(event, names, onStart ? await describeSaved(event) : [], usage));
  }
  return false;
}

/** The files behind the event: one checkpoint or, at the end, all kept checkpoints and the final adapter. */
async function describeSaved(event: TrainEvent): Promise<SavedAdapter[]> {
  if (event.type === 'checkpoint') return [await describeAdapter(event.folder, 'checkpoint', event.step)];
  if (event.type !== 'completed') return [];
  const saved: SavedAdapter[] = [];
  // There may be more than files that can be open at once.
  for (const { step, folder } of event.checkpoints)
    saved.push(await describeAdapter(folder, 'checkpoint', step));
  return [...saved, await describeAdapter(event.folder, 'final', event.step)];
}

interface RunPlace {
  /** The run's folder, where it marks that it uses the GPU. */
  folder: string;
  device: RunDevice | undefined;
  names: RunNames;
}

interface RunNames {
  model: string;
  dataset: string;
  rows?: number;
  evalRows?: number;
  replayedRows?: number;
}

type Emit = (fields: Fields) => Promise<void>;

function toFields(
  event: Exclude<DeviceEvent, { type: 'paused' }>,
  names: RunNames,
  artifacts: SavedAdapter[],
  usage: UsageMeter,
): Fields {
  switch (event.type) {
    case 'preparing':
      return toPreparing(event);
    case 'started': {
      const { resumedFromStep, damagedCheckpoints, type: _, ...rest } = event;
      return {
        type: 'training.started',
        ...names,
        ...rest,
        ...(resumedFromStep !== null && { resumedFromStep }),
        ...(damagedCheckpoints.length > 0 && { damagedCheckpoints }),
      };
    }
    case 'log': {
      const { metrics, ...rest } = event;
      return { ...rest, ...metrics, type: 'training.log', ...usage() };
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

export function readRunFile(text: string): TokenTask {
  const { run, modelFolder, rows, initialPath, folder } = JSON.parse(text) as RunFile;
  const { name, data, replayed, tooLong, fingerprint, reading, trainingPath, evaluationPath } = rows;
  return {
    jobId: run.jobId,
    dryRun: run.dryRun,
    request: {
      tokens: {
        ...{ name, data, tooLong, fingerprint, reading, trainingPath, evaluationPath },
        ...(replayed && { replayed }),
      },
      modelFolder,
      modelName: run.model.name,
      options: { ...run.options, threads: threadsOf(run) },
      ...(run.from && { from: { tensors: initialPath, sha256: run.from.sha256, state: null } }),
      folder,
    },
  };
}

/** One thread per allotted CPU, since others share the machine. The results are the same. */
function threadsOf({ resources: { cpus = 1 } }: RunDocument): number {
  return Math.max(1, Math.min(availableParallelism(), Math.ceil(cpus)));
}

const MAX_EVENTS_IN_FLIGHT = 256;

interface EventWindow {
  /** Resolves when there is room for an event. */
  acquire(): Promise<void>;
  /** Resolves when none is in flight. */
  settled(): Promise<void>;
  release(count: number): void;
  /** For a run that is stopping: its few remaining events must not wait. */
  removeLimit(): void;
}

/**
 * Keeps a trainer from running ahead of its parent: once too many events are in flight, the next one waits until the
 * parent has handled one.
 */
export function createEventWindow(): EventWindow {
  let inFlight = 0;
  let wake = () => {};
  const woken = () =>
    new Promise<void>(resolve => {
      wake = resolve;
    });
  return {
    async acquire() {
      while (inFlight >= MAX_EVENTS_IN_FLIGHT) await woken();
      inFlight++;
    },
    async settled() {
      while (inFlight > 0) await woken();
    },
    release(count) {
      inFlight -= count;
      wake();
    },
    removeLimit() {
      inFlight = Number.NEGATIVE_INFINITY;
      wake();
    },
  };
}

interface Usage {
  memoryBytes: number;
  /** 100 is one core. */
  cpuPercent: number;
}

type UsageMeter = () => Usage;

/** This process's memory, and its CPU usage since the last call. */
function createUsageMeter(): UsageMeter {
  let since = { cpu: process.cpuUsage(), at: performance.now() };
  return () => {
    const now = { cpu: process.cpuUsage(), at: performance.now() };
    const spent = now.cpu.user + now.cpu.system - since.cpu.user - since.cpu.system;
    const cpuPercent = Math.round(spent / 10 / Math.max(1, now.at - since.at));
    since = now;
    return { memoryBytes: process.memoryUsage.rss(), cpuPercent };
  };
}
