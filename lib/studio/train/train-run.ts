// The run started from this Studio, one at a time: its status, its output, and stopping it together with Studio.
import { ApiError, type TrainStatus } from '../../contract/index.js';
import { createOutputLog, type OutputLog } from './output-log.js';
import type { StartTrain, TrainChild } from './train-child.js';

export interface TrainRun {
  status(): TrainStatus;
  /** Starts a run and returns its output. Rejects while one is in progress. */
  start(): Promise<ReadableStream<Uint8Array>>;
  /** The output of the current or last run so far, then live. */
  output(): ReadableStream<Uint8Array>;
  stop(): Promise<void>;
  /** Like `stop`, without waiting. */
  abandon(): void;
}

const NONE: TrainStatus = { running: false, startedAt: null, jobId: null, exitCode: null };

export interface TrainRunOptions {
  startTrain: StartTrain;
  /** Called when a run starts and when it has ended. */
  onTrain?: ((status: TrainStatus) => void) | undefined;
}

export function createTrainRun({ startTrain, onTrain }: TrainRunOptions): TrainRun {
  let status = NONE;
  let log = createOutputLog();
  let child: TrainChild | undefined;
  log.close();

  async function start(): Promise<ReadableStream<Uint8Array>> {
    if (status.running) throw inFlight(status);
    const [lastStatus, own] = [status, createOutputLog()];
    // Set before the first await, so that of two simultaneous requests one is rejected.
    status = { ...NONE, running: true, startedAt: new Date().toISOString() };
    try {
      child = await startTrain({ onOutput: own.append, onJob: setJob });
    } catch (error) {
      status = lastStatus;
      throw error;
    }
    log = own;
    onTrain?.(status);
    void follow(child, own);
    return own.read();
  }

  function setJob(jobId: string): void {
    status = { ...status, jobId };
  }

  async function follow({ exited, drained }: TrainChild, own: OutputLog): Promise<void> {
    const exitCode = await exited;
    await drained;
    // Set before the output closes, so that a reader that checks the status at the end of the output sees
    // that the run has ended.
    status = { ...status, running: false, exitCode };
    own.close();
    onTrain?.(status);
  }

  return {
    status: () => status,
    start,
    output: () => log.read(),
    stop: async () => void (await child?.stop()),
    abandon: () => child?.abandon(),
  };
}

function inFlight({ jobId }: TrainStatus): ApiError {
  const which = jobId === null ? '' : ` (job ${jobId})`;
  return new ApiError('train_in_flight', `A run started here is still in progress${which}.`, {
    headers: { 'x-should-retry': 'false' },
  });
}
