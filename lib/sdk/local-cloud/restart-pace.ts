// Paces restarts of a cloud that keeps exiting: at once the first time, then after a wait that doubles. Intended
// exits do not count. State is per process, because one process keeps asking.
import { ApiError } from '../../contract/index.js';
import { doubled } from '../../system/index.js';

const WAITS = { firstMs: 1000, longestMs: 30_000 };
/** A cloud that ran for this long is restarted without a wait. */
const STEADY_MS = 60_000;

export interface RestartPace {
  /** Records a start; throws if it is too early. `wasStopped`: the last cloud was stopped on purpose. */
  begin(now: number, wasStopped?: boolean): void;
  /** A user asked for the start: forgets earlier exits. */
  reset(): void;
  /** Records why the last start failed, to be thrown if it is too early for another. */
  fail(error: unknown): void;
}

export function createRestartPace(): RestartPace {
  let starts = 0;
  let last = Number.NEGATIVE_INFINITY;
  let failure: unknown;
  return {
    begin(now, wasStopped = false) {
      // After a failed start the mark is still that of the cloud before, so it says nothing about this exit.
      const isWished = wasStopped && failure === undefined;
      if (isWished || now - last > STEADY_MS) starts = 0;
      const wait = starts < 2 ? 0 : doubled(starts - 2, WAITS);
      if (now - last < wait) throw failure ?? notAgain(last + wait - now);
      starts++;
      last = now;
      failure = undefined;
    },
    reset() {
      starts = 0;
      failure = undefined;
    },
    fail(error) {
      failure = error;
    },
  };
}

function notAgain(waitMs: number): ApiError {
  return new ApiError(
    'cloud_unreachable',
    `The local cloud keeps exiting soon after it starts. It can be restarted in ${Math.ceil(waitMs / 1000)} s; see "svc cloud logs".`,
  );
}
