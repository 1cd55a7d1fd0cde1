// The state of the run on the Overview page: whether one can be started, and how the last one ended.
import type { TrainStatus } from '../contract/index.js';
import type { RunAction } from './labels.js';

/** Shown instead of output. Runs started elsewhere are in Jobs. */
export const NO_OUTPUT_TEXT = 'No runs started here yet.';

/** How often to check for runs started elsewhere. Studio answers this without calling the cloud. */
export const RUN_POLL_MS = 1000;

export interface RunState {
  /** Null until known. */
  readonly action: RunAction | null;
  /** Null until known. */
  readonly status: TrainStatus | null;
  /** A run was requested here or is being followed here. */
  readonly busy: boolean;
}

/** A run can be started if a trainer is known and no run is in progress. */
export function canRun({ action, status, busy }: RunState): boolean {
  return action?.kind === 'ready' && !busy && status !== null && !status.running;
}

export interface RunOutcome {
  readonly state: 'running' | 'completed' | 'failed';
  readonly text: string;
}

/** The state of the last run; null if there was none. */
export function runOutcome(status: TrainStatus | null): RunOutcome | null {
  if (!status || status.startedAt === null) return null;
  if (status.running) return { state: 'running', text: 'running' };
  if (status.exitCode === 0) return { state: 'completed', text: 'completed' };
  return {
    state: 'failed',
    text: status.exitCode === null ? 'exited' : `exited with code ${status.exitCode}`,
  };
}
