// The interface of job runners: a process on this machine, or a cluster.
import type {
  RewardQuestion,
  RewardRequest,
  RewardResponse,
  RunDocument,
  RunOrder,
} from '../../contract/index.js';
import type { EngineEvent, RunFile, RunOutcome, TrainTask } from '../../engine/index.js';

/** A running job. */
export interface JobRun {
  /** The outcome. A process that exits without reporting has failed. */
  ended: Promise<{
    status: RunOutcome;
    exitCode: number | null;
    signal: string | null;
    /** The code of the fault that interrupted it. */
    diskFault?: string;
    /** It was killed because it stopped responding. */
    hung?: true;
  }>;
  /** Stops it soon. */
  cancel(): void;
  /** Stops it after the current step, with a checkpoint to resume from. */
  pause(): void;
  /** Stops it at once. */
  kill(): void;
  /** Stops following a remote run that continues; the next cloud attaches to it again. */
  detach?(): void;
}

/** A remote worker's report of how its attempt ended. */
export interface WorkerEnd {
  status: RunOutcome;
  exitCode?: number | undefined;
  diskFault?: string | undefined;
}

/** An attempt that waits for a remote worker, or is being run by one. */
export interface RemoteAttempt {
  /** The URL for claiming it. */
  url: string;
  /** Null if the attempt was opened before the cloud restarted: only its digest is kept. */
  claimToken: string | null;
  /** The worker's final report, or that its lease is over. Replaced after each lapse. */
  readonly ended: Promise<WorkerEnd | 'lapsed'>;
  readonly lease: { claimedBy: string | null; until: Date | null };
  want(order: RunOrder): void;
}

/** The cloud's side of one attempt. */
export interface AttemptDesk {
  /** Resolves when the event is recorded. A runner limits how many are pending. */
  record(event: EngineEvent): void | Promise<void>;
  /** Called while a run waits for the disk, with the fault's code, and with null once it continues. */
  heldUp(diskFault: string | null): void;
  /** Called with the reason for waiting, such as for a free GPU, as a sentence, and with null once it continues. */
  waitsFor(reason: string | null): void;
  /** Gives the answers of a step their rewards, for a run that learns from them. */
  score(request: RewardRequest): Promise<RewardResponse>;
  /** The same for a process that knows rows by their places alone. */
  scoreRows(question: RewardQuestion): Promise<RewardResponse>;
  /** The files in the document, for a process on this machine. */
  locate(run: RunDocument): TrainTask;
  /** Prepares the run's files for a process on this machine that reads no data files. */
  prepare(): Promise<RunFile>;
  /** Prepares the run's files and opens the run API for a remote worker. */
  admit(): Promise<RemoteAttempt>;
}

export interface Obstacle {
  /** A sentence for the job's owner. */
  reason: string;
  /** The run would fit if others ended. Otherwise, such as for a GPU that no machine has, later jobs may overtake it. */
  passes: boolean;
}

export interface JobRunner {
  /** Starts an attempt and reports its events in order. */
  start(run: RunDocument, desk: AttemptDesk): JobRun;
  /** Follows a remote attempt that started before the cloud restarted. */
  attach?(run: RunDocument, desk: AttemptDesk): JobRun;
  /**
   * Why a run does not fit now; null if it does. If missing, every run fits. `before`: the resources of runs that start
   * before it and are not running yet.
   */
  findObstacle?(
    run: Pick<RunDocument, 'resources'>,
    before: readonly RunDocument['resources'][],
  ): Promise<Obstacle | null>;
  /** Trains a few steps on this machine to measure them, before there is a job. */
  measure?(
    task: TrainTask,
    onEvent: (event: EngineEvent) => void,
  ): { ended: Promise<{ status: RunOutcome }>; kill(): void };
  /** Waits until finished runs are cleaned up. */
  close?(): Promise<void>;
}
