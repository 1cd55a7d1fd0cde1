// A worker's lease on an attempt: renewed by each report, over when there was none for too long or the worker said its
// last word.
import type { Clock, Timer } from '../../clock/index.js';
import type { WorkerEnd } from '../seams/runner.js';

interface Lease {
  readonly until: Date | null;
  /** Another promise after each lapse. */
  readonly ended: Promise<WorkerEnd | 'lapsed'>;
  renew(): void;
  /** While the cloud works on a report, the worker waits for the answer and sends no other. */
  renewDuring(work: () => Promise<void>): Promise<void>;
  end(how: WorkerEnd): void;
  close(): void;
}

/** How often a lease is renewed in its time. */
const RENEWALS = 4;

export function createLease(ms: number, clock: Clock): Lease {
  let until: Date | null = null;
  let timer: Timer | undefined;
  let current = defer();
  let isLapsed = false;

  function lapse(): void {
    isLapsed = true;
    current.resolve('lapsed');
  }

  function renew(): void {
    if (isLapsed) current = defer();
    isLapsed = false;
    until = new Date(clock.now() + ms);
    timer?.stop();
    timer = clock.after(ms, lapse);
  }

  return {
    get until() {
      return until;
    },
    get ended() {
      return current.promise;
    },
    renew,
    async renewDuring(work) {
      const renewals = clock.every(ms / RENEWALS, renew);
      try {
        await work();
      } finally {
        renewals.stop();
      }
    },
    end(how) {
      timer?.stop();
      if (isLapsed) current = defer();
      current.resolve(how);
    },
    close: () => timer?.stop(),
  };
}

function defer() {
  let resolve: (how: WorkerEnd | 'lapsed') => void = () => {};
  const promise = new Promise<WorkerEnd | 'lapsed'>(settle => {
    resolve = settle;
  });
  return { promise, resolve };
}
