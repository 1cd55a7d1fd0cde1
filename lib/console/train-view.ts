// What the page that starts runs says of the run: whether one can be started, and how the last one ended.
import type { TrainStatus } from '../contract/index.js';
import type { RunAction } from './labels.js';

/** In place of the output: runs that were started elsewhere are among the jobs. */
export const NO_OUTPUT_TEXT = 'Nothing was run from here yet.';

/** How often a face asks whether a run was begun elsewhere, of a Studio that knows it without asking anyone. */
export const RUN_POLL_MS = 1000;

export interface RunState {
  /** Null until it is known. */
  readonly action: RunAction | null;
  /** Null until it is known. */
  readonly status: TrainStatus | null;
  /** Asked for here, or being followed here. */
  readonly busy: boolean;
}

/** A run can be started when a trainer is known and no run is going. */
export function canRun({ action, status, busy }: RunState): boolean {
  return action?.kind === 'ready' && !busy && status !== null && !status.running;
}

export interface RunOutcome {
  readonly state: 'running' | 'completed' | 'failed';
  readonly text: string;
}

/** How the run goes or went; null when there was none. */
export function runOutcome(status: TrainStatus | null): RunOutcome | null {
  if (!status || status.startedAt === null) return null;
  if (status.running) return { state: 'running', text: 'running' };
  if (status.exitCode === 0) return { state: 'completed', text: 'completed' };
  return {
    state: 'failed',
    text: status.exitCode === null ? 'ended' : `ended with exit code ${status.exitCode}`,
  };
}
