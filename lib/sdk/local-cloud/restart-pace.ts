// How often a cloud is started that does not stay: at once the first time, then after a wait that doubles. Ends that
// somebody wished for are none. It counts for one process, which is the one that keeps asking.
import { ApiError } from '../../contract/index.js';

const FIRST_MS = 1000;
const LONGEST_MS = 30_000;
/** A cloud that stayed for so long is started again without a wait. */
const STEADY_MS = 60_000;

export interface RestartPace {
  /** Notes a start, or throws when it is too early for one. `wasStopped`: the last cloud ended because it was told to. */
  begin(now: number, wasStopped?: boolean): void;
  /** A user asked for the start: nothing that was before counts. */
  reset(): void;
  /** Notes why the last one failed, for those who come too early. */
  fail(error: unknown): void;
}

export function createRestartPace(): RestartPace {
  let starts = 0;
  let last = Number.NEGATIVE_INFINITY;
  let failure: unknown;
  return {
    begin(now, wasStopped = false) {
      // What could not even be started leaves the mark of the one before it, which says nothing of this one's end.
      const isWished = wasStopped && failure === undefined;
      if (isWished || now - last > STEADY_MS) starts = 0;
      const wait = starts < 2 ? 0 : Math.min(LONGEST_MS, FIRST_MS * 2 ** (starts - 2));
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
    `The local cloud ends soon after each start. It is started again in ${Math.ceil(waitMs / 1000)} s; "svc cloud logs" shows what it said.`,
  );
}
