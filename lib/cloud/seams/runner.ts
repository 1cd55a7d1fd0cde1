// The interface of what runs jobs: a process on this machine, or a cluster.
import type { EngineEvent, RunOutcome, TrainTask } from '../../engine/index.js';

/** A running job. */
export interface JobRun {
  /** How it ended. A process that exits without reporting has failed. */
  ended: Promise<{
    status: RunOutcome;
    exitCode: number | null;
    signal: string | null;
    /** The code of the fault that interrupted it. */
    diskFault?: string;
    /** It was killed because it stopped responding. */
    hung?: true;
  }>;
  /** Ends it soon. */
  cancel(): void;
  /** Ends it after the current step, with a checkpoint to resume from. */
  pause(): void;
  /** Ends it at once. */
  kill(): void;
}

export interface JobRunner {
  /**
   * Starts the task and reports its events in order. Each promise resolves when its event is recorded; a runner keeps
   * only so many pending. While a run waits for the disk, it reports the fault's code, and null once it continues.
   */
  start(
    task: TrainTask,
    onEvent: (event: EngineEvent) => void | Promise<void>,
    onHeldUp?: (diskFault: string | null) => void,
  ): JobRun;
}
