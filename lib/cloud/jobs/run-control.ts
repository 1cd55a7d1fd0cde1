// How a job that runs is told to end, whether its trainer is there yet or not.
import type { JobRun } from '../seams/runner.js';

export interface RunControl {
  /** Aborted by each of the following: no further attempt is begun. */
  readonly signal: AbortSignal;
  /** Aborted when nothing is waited for any longer. */
  readonly killed: AbortSignal;
  /** Ends the trainer, by force when it does not listen. */
  cancel(): void;
  /** Ends the trainer behind a checkpoint. */
  pause(): void;
  kill(): void;
  /** From now on this is the trainer. */
  take(run: JobRun): void;
  /** There is nothing left to end. */
  close(): void;
}

export function createRunControl(cancelGraceMs: number): RunControl {
  const stopped = new AbortController();
  const killed = new AbortController();
  let run: JobRun | null = null;
  let killTimer: NodeJS.Timeout | undefined;
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
      killTimer ??= setTimeout(kill, cancelGraceMs);
    },
    pause() {
      stopped.abort();
      run?.pause();
    },
    kill,
    take(started) {
      run = started;
    },
    close: () => clearTimeout(killTimer),
  };
}
