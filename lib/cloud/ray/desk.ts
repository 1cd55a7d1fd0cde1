// What the runner needs of a run and of the cloud's desk. The cloud's own types have more.
import type { RunResources } from '../../contract/index.js';
import type { RunOutcome } from '../../engine/index.js';

export interface RayRun {
  jobId: string;
  attempt: number;
  engine: 'node' | 'torch' | null;
  resources: RunResources;
}

export interface RayDesk {
  /** Where the attempt runs, or what it waits for. */
  place(text: string | null): void;
  /** Opens the door for a worker. */
  admit(): Promise<RayAttempt>;
}

export interface RayAttempt {
  url: string;
  claimToken: string;
  /** What the worker reported at its end, or that no worker has the attempt anymore: the lease is over. */
  readonly ended: Promise<WorkerEnd | 'lapsed'>;
  readonly lease: { claimedBy: string | null; until: Date | null };
  want(what: 'go' | 'pause' | 'cancel'): void;
}

export interface WorkerEnd {
  status: RunOutcome;
  exitCode?: number | null | undefined;
  diskFault?: string | undefined;
}
