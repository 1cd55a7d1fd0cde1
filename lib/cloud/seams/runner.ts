// The interface of what runs jobs: a process on this machine, or a cluster.
import type { RunDocument } from '../../contract/index.js';
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

/** The cloud's side of one attempt. */
interface AttemptDesk {
  /** Resolves when the event is recorded. A runner keeps only so many pending. */
  record(event: EngineEvent): void | Promise<void>;
  /** While a run waits for the disk: the fault's code, and null once it continues. */
  heldUp(diskFault: string | null): void;
  /** The files that the document names, for a process on this machine. */
  locate(run: RunDocument): TrainTask;
}

export interface JobRunner {
  /** Starts an attempt and reports its events in order. */
  start(run: RunDocument, desk: AttemptDesk): JobRun;
}
