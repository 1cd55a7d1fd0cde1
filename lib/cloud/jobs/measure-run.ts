// Measures a run by training its first steps in a temporary folder: how long it will take, and how much memory it needs.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiError, type DataMeasurement } from '../../contract/index.js';
import type { EngineEvent, TrainTask } from '../../engine/index.js';
import type { JobContext } from './job-context.js';

/** The first one also allocates memory, so its time does not count. */
const STEPS = 5;

export interface RunSize {
  totalSteps: number;
  /** Tokens that the model sees in the whole run. */
  tokens: number;
}

interface RunMeter {
  measure(
    request: Omit<TrainTask['request'], 'folder'>,
    size: RunSize,
    signal: AbortSignal,
  ): Promise<DataMeasurement>;
}

export function createRunMeter({ db, deps }: Pick<JobContext, 'db' | 'deps'>): RunMeter {
  let isMeasuring = false;

  async function isBusy(): Promise<boolean> {
    const running = db.selectFrom('jobs').select('id').where('status', '=', 'running');
    return (await running.where('paused_at', 'is', null).limit(1).executeTakeFirst()) !== undefined;
  }

  return {
    async measure(request, size, signal) {
      const { runner } = deps;
      if (!runner.measure)
        throw new ApiError(
          'unsupported_parameter',
          'This cloud cannot measure runs: it trains on other machines, or with PyTorch.',
          { param: 'measure' },
        );
      if (isMeasuring || (await isBusy()))
        throw new ApiError(
          'engine_busy',
          'A job is training here, so the time of another one cannot be measured. Try again when it has ended.',
        );
      isMeasuring = true;
      const folder = await mkdtemp(join(tmpdir(), 'svc-measure-'));
      try {
        const task = { jobId: 'measure', measuredSteps: STEPS, request: { ...request, folder } };
        return toMeasurement(await trainSteps(runner.measure, task, signal), size);
      } finally {
        isMeasuring = false;
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

async function trainSteps(
  measure: NonNullable<JobContext['deps']['runner']['measure']>,
  task: TrainTask,
  signal: AbortSignal,
): Promise<EngineEvent[]> {
  const events: EngineEvent[] = [];
  const run = measure(task, event => void events.push(event));
  signal.addEventListener('abort', run.kill, { once: true });
  try {
    const { status } = await run.ended;
    signal.throwIfAborted();
    if (status === 'completed') return events;
  } finally {
    signal.removeEventListener('abort', run.kill);
  }
  const failed = events.find(event => event.type === 'training.failed');
  const reason = failed?.error ?? 'The trainer exited unexpectedly.';
  throw new ApiError('dataset_invalid', `The run cannot be measured: ${reason}`);
}

function toMeasurement(events: readonly EngineEvent[], { totalSteps, tokens }: RunSize): DataMeasurement {
  const logs = events.filter(event => event.type === 'training.log');
  const timed = logs.length > 1 ? logs.slice(1) : logs;
  const speeds = timed.map(({ tokensPerSecond }) => tokensPerSecond ?? 0).filter(speed => speed > 0);
  const sorted = speeds.toSorted((a, b) => a - b);
  const tokensPerSecond = sorted[sorted.length >> 1] ?? 0;
  const seconds = tokensPerSecond === 0 ? 0 : tokens / tokensPerSecond;
  const completed = events.find(event => event.type === 'training.completed');
  return {
    steps: Math.max(1, logs.length),
    secondsPerStep: seconds / Math.max(1, totalSteps),
    tokensPerSecond,
    seconds,
    memory: Number(completed?.metrics.memory ?? 0),
  };
}
