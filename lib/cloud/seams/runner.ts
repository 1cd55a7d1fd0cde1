// The interface of what runs jobs: a process on this machine, or a cluster.
import type { RunDocument, RunOrder } from '../../contract/index.js';
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
  /** Stops following a run that goes on elsewhere, for a cloud that ends and will attach to it again. */
  detach?(): void;
}

/** How a worker elsewhere says that its attempt ended. */
export interface WorkerEnd {
  status: RunOutcome;
  exitCode?: number | undefined;
  diskFault?: string | undefined;
}

/** An attempt that waits for a worker elsewhere, or is in its hands. */
export interface RemoteAttempt {
  /** Where the worker claims it. */
  url: string;
  /** Null if the attempt was opened before the cloud was started again: only its digest is kept. */
  claimToken: string | null;
  /** What the worker reported at its end, or that its lease is over. Another promise after each lapse. */
  readonly ended: Promise<WorkerEnd | 'lapsed'>;
  readonly lease: { claimedBy: string | null; until: Date | null };
  want(order: RunOrder): void;
}

/** The cloud's side of one attempt. */
export interface AttemptDesk {
  /** Resolves when the event is recorded. A runner keeps only so many pending. */
  record(event: EngineEvent): void | Promise<void>;
  /** While a run waits for the disk: the fault's code, and null once it continues. */
  heldUp(diskFault: string | null): void;
  /** What the attempt waits for, such as a free GPU, as a sentence; null once it goes on. */
  waitsFor(reason: string | null): void;
  /** The files that the document names, for a process on this machine. */
  locate(run: RunDocument): TrainTask;
  /** Makes the files that the run needs, and opens the door for a worker elsewhere. */
  admit(): Promise<RemoteAttempt>;
}

export interface Obstacle {
  /** A sentence, for the job's owner. */
  reason: string;
  /** The run would have a place if others ended. Otherwise, such as for a GPU that no machine has, it keeps nobody waiting. */
  passes: boolean;
}

export interface JobRunner {
  /** Starts an attempt and reports its events in order. */
  start(run: RunDocument, desk: AttemptDesk): JobRun;
  /** Follows an attempt that goes on elsewhere since before the cloud was started again. */
  attach?(run: RunDocument, desk: AttemptDesk): JobRun;
  /**
   * Why a run has no place now; null if it has one. Without it, every run has one. `before`: what runs will take that get
   * their place now, before it, and that were not started yet.
   */
  findObstacle?(
    run: Pick<RunDocument, 'resources'>,
    before: readonly RunDocument['resources'][],
  ): Promise<Obstacle | null>;
  /** Trains a few steps here to measure them, for whoever asks before there is a job. */
  measure?(
    task: TrainTask,
    onEvent: (event: EngineEvent) => void,
  ): { ended: Promise<{ status: RunOutcome }>; kill(): void };
  /** Waits until what has ended is cleared away. */
  close?(): Promise<void>;
}
