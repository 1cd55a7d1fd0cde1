// The seam where it is chosen who runs a job: a process of this machine, or a cluster.
import type { EngineEvent, FinalStatus, TrainTask } from '../../engine/index.js';

/** A job that is being run. */
export interface JobRun {
  /** How it ended; one that died without a word has failed. */
  ended: Promise<{
    status: FinalStatus;
    exitCode: number | null;
    signal: string | null;
    /** It was killed because it gave no sign of life any more. */
    hung?: true;
  }>;
  /** Ends it soon. */
  cancel(): void;
  /** Ends it behind the step that it is at, with a checkpoint to go on from. */
  pause(): void;
  /** Ends it at once. */
  kill(): void;
}

export interface JobRunner {
  /** Starts the task, and hands on what it tells, in order. */
  start(task: TrainTask, onEvent: (event: EngineEvent) => void): JobRun;
}
