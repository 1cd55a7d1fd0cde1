// A worker's lease on an attempt: renewed by each report, over when there was none for too long or the worker said its
// last word.
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

export function createLease(ms: number): Lease {
  let until: Date | null = null;
  let timer: NodeJS.Timeout | undefined;
  let current = defer();
  let isLapsed = false;

  function lapse(): void {
    isLapsed = true;
    current.resolve('lapsed');
  }

  function renew(): void {
    if (isLapsed) current = defer();
    isLapsed = false;
    until = new Date(Date.now() + ms);
    clearTimeout(timer);
    timer = setTimeout(lapse, ms).unref();
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
      const renewals = setInterval(renew, ms / RENEWALS).unref();
      try {
        await work();
      } finally {
        clearInterval(renewals);
      }
    },
    end(how) {
      clearTimeout(timer);
      if (isLapsed) current = defer();
      current.resolve(how);
    },
    close: () => clearTimeout(timer),
  };
}

function defer() {
  let resolve: (how: WorkerEnd | 'lapsed') => void = () => {};
  const promise = new Promise<WorkerEnd | 'lapsed'>(settle => {
    resolve = settle;
  });
  return { promise, resolve };
}
