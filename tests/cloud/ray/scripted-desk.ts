// A desk that opens one door and tells what it was told. A test decides what the worker behind the door does.
import type { Clock } from '../../../lib/clock/index.js';
import type { RayDesk } from '../../../lib/cloud/ray/attempt.js';
import type { RayRun } from '../../../lib/cloud/ray/submission.js';
import type { RemoteAttempt, WorkerEnd } from '../../../lib/cloud/seams/runner.js';

export const RUN: RayRun = { jobId: 'job', attempt: 1, engine: 'torch', resources: { cpus: 1 } };

export function createScriptedDesk(clock: Clock) {
  let report: (end: WorkerEnd | 'lapsed') => void = () => {};
  const untilReported = () =>
    new Promise<WorkerEnd | 'lapsed'>(resolve => {
      report = resolve;
    });
  let ended = untilReported();
  const lease: RemoteAttempt['lease'] = { claimedBy: null, until: null };
  const [waits, wanted]: [waits: (string | null)[], wanted: string[]] = [[], []];
  return {
    waits,
    wanted,
    waitsFor: (reason: string | null) => void waits.push(reason),
    /** A worker claims the attempt. */
    claim(worker: string) {
      Object.assign(lease, { claimedBy: worker, until: new Date(clock.now() + 24 * 60 * 60_000) });
    },
    /** The worker's last report, or the end of its lease. */
    report: (end: WorkerEnd | 'lapsed') => report(end),
    expire() {
      lease.until = new Date(0);
      report('lapsed');
      ended = untilReported();
    },
    admit: async () => ({
      ...{ url: 'http://cloud/v1/runs/job/1', claimToken: 'claim-token', lease },
      get ended() {
        return ended;
      },
      want: (what: string) => void wanted.push(what),
    }),
  } satisfies RayDesk & Record<string, unknown>;
}
