// The one run that can be started from a Studio: its status, its output, and its end together with Studio.
import { ApiError, type TrainStatus } from '../../contract/index.js';
import { createOutputLog, type OutputLog } from './output-log.js';
import type { StartTrain, TrainChild } from './train-child.js';

export interface TrainRun {
  status(): TrainStatus;
  /** Starts it, and gives what it prints. Refused while one is going. */
  start(): Promise<ReadableStream<Uint8Array>>;
  /** What the run of now, or the last one, printed; then what it prints. */
  output(): ReadableStream<Uint8Array>;
  /** Ends it. */
  stop(): Promise<void>;
  /** The same without waiting. */
  abandon(): void;
}

const NONE: TrainStatus = { running: false, startedAt: null, jobId: null, exitCode: null };

export interface TrainRunOptions {
  startTrain: StartTrain;
  /** Told when a run starts and when it ended. */
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
    // Said before the first wait: of two that come at once, one is refused.
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
    // Who sees the end of the output and asks is told that it has ended.
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
  return new ApiError('train_in_flight', `A run that was started here is still going${which}.`, {
    headers: { 'x-should-retry': 'false' },
  });
}
