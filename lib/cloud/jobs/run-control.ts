// Tells a running job to end, whether its trainer has started yet or not.
import type { Clock, Timer } from '../../clock/index.js';
import type { JobRun } from '../seams/runner.js';

export interface RunControl {
  /** Aborted by each of the following; no further attempt starts. */
  readonly signal: AbortSignal;
  /** Aborted when waiting is pointless. */
  readonly killed: AbortSignal;
  /** Ends the trainer, by force if it does not respond. */
  cancel(): void;
  /** Ends the trainer after saving a checkpoint. */
  pause(): void;
  /** Leaves a trainer elsewhere alone; pauses one on this machine. */
  detach(): void;
  /** Whether a trainer goes on without this cloud. */
  readonly isDetached: boolean;
  kill(): void;
  /** Sets the current trainer. */
  attach(run: JobRun): void;
  /** Whether there was a trainer yet. */
  readonly isStarted: boolean;
  /** Nothing is left to end. */
  close(): void;
}

/** How long a canceled trainer may take to end. */
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
