// An attempt that this cloud is following: hands it to the worker that claims it, records that worker's reports, and ignores
// earlier workers.

import { randomBytes } from 'node:crypto';
import type { Clock, Timer } from '../../clock/index.js';
import {
  ApiError,
  type Claim,
  type ClaimInput,
  type JobEvent,
  REWARDS_POLL_MS,
  type ReportResponse,
  type RewardOutcome,
  type RewardQuestion,
  type RewardResponse,
  type RunDocument,
  type RunOrder,
  type RunReport,
} from '../../contract/index.js';
import { createMutex, keepResult } from '../../system/index.js';
import { hashToken } from '../auth/token.js';
import type { RemoteAttempt, WorkerEnd } from '../seams/runner.js';
import type { Tables } from '../store/tables.js';
import type { ResumeArchive, ResumeFile } from './run-folder.js';
import type { RunMaterials } from './run-materials.js';

/** The cloud's side of the attempt. */
export interface RunHost {
  run: RunDocument;
  /** The URL for claiming it. */
  url: string;
  claimToken: string | null;
  materials: RunMaterials;
  /** Records an event, and that all events up to `next` are recorded. */
  record(event: JobEvent, next: number): Promise<void>;
  /** Resolves when everything is recorded. */
  settled(): Promise<void>;
  heldUp(diskFault: string | null): void;
  /** Resolves with the rewards of a step's answers, however long that takes. */
  score(question: RewardQuestion): Promise<RewardResponse>;
  /** Stores the claim; returns the checkpoint to resume from. */
  take(claim: Pick<Tables['attempts'], 'run_hash' | 'worker'>): Promise<ResumeArchive | null>;
  /** Finds the one that the latest claim before this cloud was started resumes from. */
  findResume(): Promise<ResumeFile | null>;
}

/** Valid events of the job. */
type CheckedReport = Omit<RunReport, 'events'> & { events: readonly JobEvent[] };

export interface RemoteRun extends RemoteAttempt {
  readonly run: RunDocument;
  readonly materials: RunMaterials;
  /** The checkpoint that the current worker resumes from. */
  findResume(): Promise<ResumeFile | null>;
  claim(input: ClaimInput): Promise<Claim>;
  /** Null if earlier events are missing. */
  report(report: CheckedReport): Promise<ReportResponse | null>;
  /** Null after a while, or if it is told to stop. Asking again continues to wait for the same rewards. */
  score(question: RewardQuestion): Promise<RewardOutcome>;
  readonly next: number;
  /** Throws unless the token belongs to the latest claim. */
  assertHolder(tokenHash: string): void;
  /** Over: its worker saves nothing anymore. Detached: it goes on with the next cloud. */
  close(how: 'over' | 'detached'): void;
}

export interface LeaseTimes {
  leaseSeconds: number;
  reportSeconds: number;
}

const LEASE_TIMES: LeaseTimes = { leaseSeconds: 60, reportSeconds: 2 };

export function createRemoteRun(
  host: RunHost,
  stored: Pick<Tables['attempts'], 'run_hash' | 'worker' | 'next'>,
  { clock, times = LEASE_TIMES }: { clock: Clock; times?: LeaseTimes | undefined },
): RemoteRun {
  const lease = createLease(times.leaseSeconds * 1000, clock);
  const mutex = createMutex();
  let { run_hash: holder, worker, next } = stored;
  let order: RunOrder = 'go';
  let findResume = holder === null ? async () => null : keepResult(host.findResume);
  let isEnded = false;
  let asked: { key: string; answer: Promise<RewardOutcome> } | null = null;
  /** Aborted when it is told to stop. */
  const ordered = new AbortController();
  // A worker that was running it before this cloud restarted gets some time to report.
  if (holder !== null) lease.renew();

  async function claim(input: ClaimInput): Promise<Claim> {
    if (isEnded) throw attemptOver();
    const token = randomBytes(32).toString('base64url');
    // The previous worker is ignored from now on; its earlier reports are recorded first.
    holder = hashToken(token);
    worker = input.worker;
    await host.settled();
    const resume = await host.take({ run_hash: holder, worker });
    const file = resume && { path: resume.path, sha256: resume.facts.sha256 };
    findResume = async () => file;
    next = 0;
    lease.renew();
    const { materials, run } = host;
    const { model, rows, initial } = materials;
    return { token, run, ...times, model, rows, initial, resume: resume?.facts ?? null };
  }

  async function report({ from, events, heldUp, ended }: CheckedReport): Promise<ReportResponse | null> {
    lease.renew();
    if (from > next) return null;
    const fresh = events.slice(next - from);
    if (heldUp !== undefined) host.heldUp(heldUp);
    await lease.renewDuring(async () => {
      await Promise.all(fresh.map((event, i) => host.record(event, next + i + 1)));
      await host.settled();
    });
    next += fresh.length;
    if (ended) {
      isEnded = true;
      lease.end(ended);
    }
    return { next, want: order, ...times };
  }

  async function score(question: RewardQuestion): Promise<RewardOutcome> {
    const key = JSON.stringify(question);
    if (asked?.key !== key)
      asked = {
        key,
        answer: host.score(question).then(
          ({ rewards }) => ({ rewards }),
          error => ({ problem: error instanceof Error ? error.message : String(error) }),
        ),
      };
    const waited = new AbortController();
    const signal = AbortSignal.any([ordered.signal, waited.signal]);
    const later = clock.sleep(REWARDS_POLL_MS, signal).then(
      () => ({ rewards: null }),
      () => ({ rewards: null }),
    );
    try {
      return await Promise.race([asked.answer, later]);
    } finally {
      waited.abort();
    }
  }

  return {
    url: host.url,
    claimToken: host.claimToken,
    run: host.run,
    materials: host.materials,
    findResume: () => findResume(),
    get next() {
      return next;
    },
    get ended() {
      return lease.ended;
    },
    get lease() {
      return { claimedBy: worker, until: lease.until };
    },
    claim: input => mutex(() => claim(input)),
    report: given => mutex(() => report(given)),
    score,
    assertHolder(tokenHash) {
      if (tokenHash !== holder) throw tokenInvalid();
      if (isEnded) throw attemptOver();
    },
    want(given) {
      order = given;
      ordered.abort();
    },
    close(how) {
      isEnded ||= how === 'over';
      lease.close();
      ordered.abort();
    },
  };
}

export function tokenInvalid(): ApiError {
  return new ApiError('run_token_invalid', 'This token is not, or no longer, valid for this attempt.');
}

export function attemptOver(): ApiError {
  return new ApiError('attempt_over', 'This attempt is over: another one has started, or the job has ended.');
}

/** How many renewals fit into a lease's duration. */
const RENEWALS = 4;

/**
 * A worker's lease on an attempt. Each report renews it; it ends when none arrives for too long or the worker reports its
 * end.
 */
function createLease(ms: number, clock: Clock) {
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
    /** Replaced after each lapse. */
    get ended() {
      return current.promise;
    },
    renew,
    /** While the cloud processes a report, the worker waits for the response and sends nothing else. */
    async renewDuring(work: () => Promise<void>) {
      const renewals = clock.every(ms / RENEWALS, renew);
      try {
        await work();
      } finally {
        renewals.stop();
      }
    },
    end(how: WorkerEnd) {
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
