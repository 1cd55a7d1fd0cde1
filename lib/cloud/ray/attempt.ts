// One attempt on a Ray cluster: submits it, watches both its lease and its submission, and cleans up.
import { constants } from 'node:os';
import type { Clock } from '../../clock/index.js';
import type { RunOrder } from '../../contract/index.js';
import type { AttemptDesk, JobRun, RemoteAttempt, WorkerEnd } from '../seams/runner.js';
import type { RayClient, RayPackage } from './client.js';
import { RayError, untilAnswered } from './ray-error.js';
import { isOver, lastLine, type Submission } from './ray-responses.js';
import { type RayRun, submissionId, toSubmission } from './submission.js';

/** How often to ask Ray for the submission's status. The lease usually tells first. */
const POLL_MS = 5000;
/** The first pause before retrying an unreachable cluster. */
const RETRY_MS = 1000;
/**
 * How long a worker may take to obey before its submission is stopped. One that is to pause and keeps its lease first
 * ends its step, however long that takes.
 */
const STOP_MS = 30_000;
/** How long a report may still be in transit after its submission has ended. */
const SETTLE_MS = 5000;
/** How long a submission may run without a lease: Ray restarts a dead node's task elsewhere. */
const LOST_MS = 10 * 60_000;
/** How long Ray may take to notice that a submission has ended: if removed earlier, it reappears as failed. */
const REST_MS = 3000;
/** How long a removed submission may still reappear. */
const GONE_MS = 10 * 60_000;

/** Python says the number of a signal that ended a process as a negative exit code. */
function signalOf(exitCode: number): string | null {
  const found = Object.entries(constants.signals).find(([, number]) => number === -exitCode);
  return found?.[0] ?? null;
}

export type RayDesk = Pick<AttemptDesk, 'waitsFor' | 'admit'>;

interface AttemptContext {
  client: RayClient;
  clock: Clock;
  readPackage(): Promise<RayPackage>;
  /** Why it waits, while no worker has claimed it. */
  describeWait(submission: Submission): Promise<string>;
  log(line: { message: string; error?: unknown }): void;
  /** Aborted to stop waiting for an unreachable cluster. */
  closing: AbortSignal;
}

type Ending = Awaited<JobRun['ended']> & {
  /** No worker ever claimed it; the reason is Ray's. */
  unclaimed?: string;
};

export interface RayJobRun extends Omit<Required<JobRun>, 'ended'> {
  ended: Promise<Ending>;
  /** Resolves when the submission is gone from the cluster, or the cluster does not respond. */
  cleared: Promise<void>;
  /** When a worker claimed it; null before that. */
  readonly claimedAt: number | null;
}

/** How often to check whether a submission can be removed. */
const LOOK_MS = 500;
const OUTCOME = { go: 'paused', pause: 'paused', cancel: 'cancelled' } as const;

/** Ray's text may quote the submission. */
function withoutToken(text: string, token: string | null): string {
  return text.replaceAll(token ?? '\0', '[token]').replace(/(svc_token['"]?: ?['"]?)[\w-]+/g, '$1[token]');
}

export const describeAway = (problem: string) => `Waiting for the Ray cluster: ${problem}`;

/** `isNew`: whether it still needs to be submitted. */
export function followAttempt(
  run: RayRun,
  desk: RayDesk,
  isNew: boolean,
  context: AttemptContext,
): RayJobRun {
  const { client, clock } = context;
  const id = submissionId(run);
  const killed = new AbortController();
  const over = new AbortController();
  /** Aborted when it is told to stop. */
  const ordered = new AbortController();
  let order: RunOrder = 'go';
  let orderedAt = 0;
  let isStopped = false;
  let isDetached = false;
  let remote: RemoteAttempt | null = null;
  let claimedAt: number | null = null;
  let wakeUp = () => {};

  const patience = {
    clock,
    signal: AbortSignal.any([killed.signal, over.signal]),
    firstMs: RETRY_MS,
    onWait: (problem: string | null) => desk.waitsFor(problem && describeAway(problem)),
  };
  const ask = <T>(call: () => Promise<T>) => untilAnswered(call, { ...patience, isKnown: true });
  const end = (status: Ending['status'], more: Partial<Ending> = {}): Ending => ({
    status,
    exitCode: null,
    signal: null,
    ...more,
  });

  function give(next: RunOrder): void {
    if (order === 'cancel' || order === next) return;
    order = next;
    orderedAt = clock.elapsed();
    ordered.abort();
    remote?.want(next);
    wakeUp();
  }

  async function work(): Promise<Ending> {
    const attempt = await desk.admit();
    remote = attempt;
    if (order !== 'go') attempt.want(order);
    if (isNew && !(await submit(attempt))) return end(OUTCOME[order]);
    return watch(attempt);
  }

  /** False if it was told to stop before it was submitted. If Ray has it anyway, it is removed. */
  async function submit({ url, claimToken }: RemoteAttempt): Promise<boolean> {
    if (order !== 'go' || claimToken === null) return false;
    const undisturbed = { ...patience, signal: AbortSignal.any([patience.signal, ordered.signal]) };
    try {
      await untilAnswered(async () => {
        const uri = await client.ensurePackage(await context.readPackage());
        undisturbed.signal.throwIfAborted();
        await client.submit(toSubmission(run, { url, claimToken }, uri));
      }, undisturbed);
    } catch (error) {
      if (ordered.signal.aborted) return false;
      throw error;
    }
    context.log({ message: `Job ${run.jobId}: submitted to Ray as ${id}.` });
    return true;
  }

  async function watch(attempt: RemoteAttempt): Promise<Ending> {
    let lapsed: Promise<unknown> | null = null;
    let lostAt: number | null = null;
    for (;;) {
      const asked = ask(() => client.findSubmission(id));
      // The worker may report its end while the cluster is unreachable.
      const before = attempt.ended;
      const news = before === lapsed ? null : await Promise.race([asked.then(() => null), before]);
      if (news === 'lapsed') lapsed = before;
      else if (news !== null) return toEnding(news);
      const submission = await asked;
      const { claimedBy, until } = attempt.lease;
      const hasLease = claimedBy !== null && until !== null && until.getTime() > clock.now();
      if (claimedBy !== null) claimedAt ??= clock.elapsed();
      if (submission === null || isOver(submission)) return settle(attempt, submission);
      lostAt = hasLease || claimedBy === null ? null : (lostAt ?? clock.elapsed());
      if (lostAt !== null && clock.elapsed() - lostAt > LOST_MS) return end('failed', { hung: true });
      desk.waitsFor(hasLease ? null : await context.describeWait(submission));
      const mustStop = order === 'cancel' || (order === 'pause' && !hasLease);
      if (mustStop && !isStopped && clock.elapsed() - orderedAt > STOP_MS) {
        isStopped = true;
        await ask(() => client.stop(id));
      }
      const ended = attempt.ended;
      const said = await nextNews(ended === lapsed ? null : ended);
      if (said === 'lapsed') lapsed = ended;
      else if (said !== null) return toEnding(said);
    }
  }

  /** Null after a while, or when there is something to do. */
  async function nextNews(ended: Promise<WorkerEnd | 'lapsed'> | null) {
    const waiting = new AbortController();
    const signal = AbortSignal.any([waiting.signal, killed.signal]);
    const woken = new Promise<null>(resolve => {
      wakeUp = () => resolve(null);
    });
    const pause = clock.sleep(POLL_MS, signal).then(() => null);
    pause.catch(() => {});
    try {
      return await Promise.race([...(ended ? [ended] : []), woken, pause]);
    } finally {
      waiting.abort();
    }
  }

  const toEnding = ({ status, exitCode, diskFault }: WorkerEnd): Ending => {
    const signal = signalOf(exitCode ?? 0);
    return end(status, {
      exitCode: signal === null ? (exitCode ?? null) : null,
      signal,
      ...(diskFault !== undefined && { diskFault }),
    });
  };

  /** The worker's last report decides, if there is one. */
  async function settle(attempt: RemoteAttempt, submission: Submission | null): Promise<Ending> {
    const late = clock.sleep(SETTLE_MS, killed.signal).then(() => 'lapsed' as const);
    late.catch(() => {});
    const said = await Promise.race([attempt.ended, late]);
    if (said !== 'lapsed') return toEnding(said);
    if (order !== 'go') return end(OUTCOME[order]);
    // A restarted Ray head forgets everything, which is not the job's fault.
    if (submission === null) {
      context.log({ message: `Job ${run.jobId}: Ray no longer knows ${id}.` });
      return end('paused');
    }
    const { status, driver_exit_code: exitCode = null } = submission;
    const message = withoutToken(submission.message ?? '', attempt.claimToken);
    context.log({ message: `Job ${run.jobId}: ${id} ended as ${status}. ${message}`.trimEnd() });
    const isUnclaimed = attempt.lease.claimedBy === null;
    return end('failed', {
      exitCode,
      ...(isUnclaimed && { unclaimed: lastLine(message) || `it ended as ${status}.` }),
    });
  }

  const ended = work()
    .catch((error: unknown) => {
      if (killed.signal.aborted) return end(OUTCOME[order === 'go' ? 'pause' : order]);
      throw error;
    })
    .finally(() => {
      over.abort();
      desk.waitsFor(null);
    });
  // After the worker's last report, its submission runs for another moment; without a report, it may never end by itself.
  const cleared = ended.then(
    ({ status }) => (isDetached ? undefined : clear(context, id, status === 'completed')),
    () => clear(context, id, false),
  );
  return {
    ended,
    cleared,
    get claimedAt() {
      return claimedAt;
    },
    cancel: () => give('cancel'),
    pause: () => give('pause'),
    kill() {
      killed.abort();
    },
    detach() {
      // Waits for a worker that was told to stop.
      if (order !== 'go') return;
      isDetached = true;
      killed.abort();
    },
  };
}

/** Removes the submission from Ray's list, where everyone could read it. Retries while the cluster is unreachable. */
async function clear({ client, clock, closing }: AttemptContext, id: string, mayEnd: boolean): Promise<void> {
  const began = clock.elapsed();
  const isLate = () => clock.elapsed() > began + STOP_MS;
  let until = began + 2 * STOP_MS;
  let isStopped = false;
  let overAt: number | null = null;
  let removedAt: number | null = null;
  /** Returns whether nothing is left to do. */
  async function look(): Promise<boolean> {
    const submission = await client.findSubmission(id);
    if (submission === null) return closing.aborted || removedAt === null;
    if (isOver(submission)) {
      overAt ??= clock.elapsed();
      if (clock.elapsed() < overAt + REST_MS && !closing.aborted) {
        until = Math.max(until, overAt + 2 * REST_MS);
        return false;
      }
      await client.forget(id);
      removedAt = clock.elapsed();
      until = removedAt + GONE_MS;
      return false;
    }
    if (!isStopped && (!mayEnd || isLate())) {
      await client.stop(id);
      isStopped = true;
    }
    return false;
  }
  while (clock.elapsed() < until) {
    try {
      if (await look()) return;
    } catch (error) {
      if (!(error instanceof RayError)) throw error;
      if (closing.aborted) return;
    }
    // A removed submission reappears within moments, or in rare cases later.
    const sinceMs = removedAt === null ? 0 : clock.elapsed() - removedAt;
    const ms = LOOK_MS + sinceMs / 2;
    await clock.sleep(ms, closing.aborted ? undefined : closing).catch(() => {});
  }
}
