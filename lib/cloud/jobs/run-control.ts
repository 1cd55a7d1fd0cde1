// How a job that runs is told to end, whether its trainer is there yet or not.
import type { JobRun } from './runner.js';

export interface RunControl {
  /** Aborted by each of the following: no further attempt is begun. */
  readonly signal: AbortSignal;
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
  let run: JobRun | null = null;
  let killTimer: NodeJS.Timeout | undefined;
  return {
    signal: stopped.signal,
    cancel() {
      stopped.abort();
      run?.cancel();
      killTimer ??= setTimeout(() => run?.kill(), cancelGraceMs);
    },
    pause() {
      stopped.abort();
      run?.pause();
    },
    kill() {
      stopped.abort();
      run?.kill();
    },
    take(started) {
      run = started;
    },
    close: () => clearTimeout(killTimer),
  };
}
