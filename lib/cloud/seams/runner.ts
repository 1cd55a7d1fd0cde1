// The seam where it is chosen who runs a job: a process of this machine, or a cluster.
import type { EngineEvent, RunOutcome, TrainTask } from '../../engine/index.js';

/** A job that is being run. */
export interface JobRun {
  /** How it ended; one that died without a word has failed. */
  ended: Promise<{
    status: RunOutcome;
    exitCode: number | null;
    signal: string | null;
    /** The code of the fault that interrupted it. */
    diskFault?: string;
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
  /**
   * Starts the task, and hands on what it reports, in order. The promises resolve when that is written: a runner lets only
   * so many be open. A run that waits because its disk fails says the fault's code, and null when it goes on.
   */
  start(
    task: TrainTask,
    onEvent: (event: EngineEvent) => void | Promise<void>,
    onHeldUp?: (diskFault: string | null) => void,
  ): JobRun;
}
