// A desk that opens one door and tells what it was told. A test decides what the worker behind the door does.
import type { Clock } from '../../../lib/clock/index.js';
import type { RayDesk } from '../../../lib/cloud/ray/attempt.js';
import type { RayRun } from '../../../lib/cloud/ray/submission.js';
import type { RemoteAttempt, WorkerEnd } from '../../../lib/cloud/seams/runner.js';

export const RUN: RayRun = { jobId: 'job', attempt: 1, engine: 'torch', resources: { cpus: 1 } };

export interface ScriptedDesk extends RayDesk {
  waits: (string | null)[];
  wanted: string[];
  /** A worker claims the attempt. */
  claim(worker: string): void;
  /** The worker's last report, or the end of its lease. */
  report(end: WorkerEnd | 'lapsed'): void;
  expire(): void;
}

export function createScriptedDesk(clock: Clock): ScriptedDesk {
  let report: (end: WorkerEnd | 'lapsed') => void = () => {};
  let ended = new Promise<WorkerEnd | 'lapsed'>(resolve => {
    report = resolve;
  });
  const lease: RemoteAttempt['lease'] = { claimedBy: null, until: null };
  const desk: ScriptedDesk = {
    waits: [],
    wanted: [],
    waitsFor: reason => void desk.waits.push(reason),
    claim(worker) {
      Object.assign(lease, { claimedBy: worker, until: new Date(clock.now() + 24 * 60 * 60_000) });
    },
    report: end => report(end),
    expire() {
      lease.until = new Date(0);
      report('lapsed');
      ended = new Promise(resolve => {
        report = resolve;
      });
    },
    admit: async () => ({
      url: 'http://cloud/v1/runs/job/1',
      claimToken: 'claim-token',
      lease,
      get ended() {
        return ended;
      },
      want: what => void desk.wanted.push(what),
    }),
  };
  return desk;
}
