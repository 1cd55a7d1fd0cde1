// Stops a running job, whether or not its trainer has started yet.
import type { Clock, Timer } from '../../clock/index.js';
import type { JobRun } from '../seams/runner.js';

export interface RunControl {
  /** Aborted by every method below; no further attempt starts. */
  readonly signal: AbortSignal;
  /** Aborted when waiting is pointless. */
  readonly killed: AbortSignal;
  /** Stops the trainer, by force if it does not respond. */
  cancel(): void;
  /** Stops the trainer after it has saved a checkpoint. */
  pause(): void;
  /** Detaches from a remote trainer; pauses a local one. */
  detach(): void;
  /** Whether a trainer continues without this cloud. */
  readonly isDetached: boolean;
  kill(): void;
  /** Sets the current trainer. */
  attach(run: JobRun): void;
  /** Whether a trainer has started yet. */
  readonly isStarted: boolean;
  /** The trainer has ended. */
  close(): void;
}

/** How long a canceled trainer may take to stop. */
const CANCEL_GRACE_MS = 10_000;

export function createRunControl(clock: Clock): RunControl {
  const stopped = new AbortController();
  const killed = new AbortController();
  let run: JobRun | null = null;
  let isDetached = false;
  let killing: Timer | undefined;
  function kill(): void {
    stopped.abort();
    killed.abort();
    run?.kill();
  }
  return {
    signal: stopped.signal,
    killed: killed.signal,
    cancel() {
      stopped.abort();
      run?.cancel();
      killing ??= clock.after(CANCEL_GRACE_MS, kill);
    },
    pause() {
      stopped.abort();
      run?.pause();
    },
    detach() {
      stopped.abort();
      isDetached = run?.detach !== undefined;
      if (run?.detach) run.detach();
      else run?.pause();
    },
    get isDetached() {
      return isDetached;
    },
    kill,
    attach(started) {
      run = started;
    },
    get isStarted() {
      return run !== null;
    },
    close: () => killing?.stop(),
  };
}
