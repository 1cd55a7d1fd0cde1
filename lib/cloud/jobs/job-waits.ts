// Why jobs are waiting. Kept only in memory, so a restarted cloud finds out again.
import type { Clock } from '../../clock/index.js';
import { isFinalStatus } from '../../contract/index.js';
import { doubled } from '../../system/index.js';
import type { CloudDeps } from '../deps.js';
import type { Health } from '../health.js';
import { toStorageFault } from '../store/storage-fault.js';
import type { Tables } from '../store/tables.js';

/**
 * The part of a job that waits: its log for the database, its trainer for the disk, an attempt for both; or what is no problem of
 * the cloud: a remote worker for its own disk, and the whole job for a free slot on a machine, or for the program that computes
 * its rewards.
 */
type Waiter = 'log' | 'trainer' | 'attempt' | 'worker' | 'place' | 'rewards';

export interface JobWaits {
  /** The reason for waiting, in a sentence; null when it continues. */
  report(job: { id: string; project_id: string }, waiter: Waiter, message: string | null): void;
  /** The job no longer has a slot. */
  forget(job: { id: string; project_id: string }): void;
  of(job: Pick<Tables['jobs'], 'id' | 'status' | 'paused_at'>): string | null;
  /** The jobs that wait for a machine. */
  places(): { jobId: string; reason: string }[];
  /** For lists: the reasons of individual jobs, by ID, and the reason that applies to all other queued or running jobs. */
  list(): { jobs: Record<string, string>; queued: string | null; running: string | null };
}

/** The reason of a paused job. */
export const PAUSED = "It is paused. Resume it with OpenAI's client, or cancel it.";
const EARLIER_JOB = 'An earlier job is still running.';
const EARLIER_JOB_WAITS = 'An earlier job is waiting for the program that computes its rewards.';
const WAITERS: readonly Waiter[] = ['log', 'trainer', 'attempt', 'worker', 'place', 'rewards'];
/** No problems of the cloud. */
const HARMLESS: ReadonlySet<Waiter> = new Set(['worker', 'place', 'rewards']);

/** The health sends each change to every client with a list. */
export function createJobWaits(
  health: Health,
  isFull: () => boolean,
  onChange: (job: { id: string; project_id: string }) => void = () => {},
): JobWaits {
  const reasons = new Map<string, Map<Waiter, string>>();

  function report(job: { id: string; project_id: string }, waiter: Waiter, message: string | null): void {
    const own = reasons.get(job.id) ?? new Map<Waiter, string>();
    if ((own.get(waiter) ?? null) === message) return;
    if (message === null) own.delete(waiter);
    else own.set(waiter, message);
    if (own.size === 0) reasons.delete(job.id);
    else reasons.set(job.id, own);
    const problems = new Map([...own].filter(([each]) => !HARMLESS.has(each)));
    health.report(`job ${job.id}`, firstOf(problems));
    if (HARMLESS.has(waiter)) onChange(job);
  }

  function all() {
    const ofAll = health.problems().find(({ part }) => part === 'store')?.message ?? null;
    const waitsForRewards = [...reasons.values()].some(own => own.has('rewards'));
    const ofQueue = waitsForRewards ? EARLIER_JOB_WAITS : EARLIER_JOB;
    return { running: ofAll, queued: ofAll ?? (isFull() ? ofQueue : null) };
  }

  return {
    report,
    forget(job) {
      for (const waiter of WAITERS) report(job, waiter, null);
    },
    of({ id, status, paused_at }) {
      if (isFinalStatus(status)) return null;
      if (paused_at !== null) return PAUSED;
      return firstOf(reasons.get(id)) ?? all()[status as 'queued' | 'running'];
    },
    places: () =>
      [...reasons].flatMap(([jobId, own]) => {
        const reason = own.get('place');
        return reason === undefined ? [] : [{ jobId, reason }];
      }),
    list: () => ({
      jobs: Object.fromEntries([...reasons].map(([id, own]) => [id, firstOf(own)!])),
      ...all(),
    }),
  };
}

function firstOf(reasons: ReadonlyMap<Waiter, string> | undefined): string | null {
  return reasons?.values().next().value ?? null;
}

const WAITS = { firstMs: 100, longestMs: 5000 };

/** The pause before the next attempt. */
export function retryMs(tries: number): number {
  return doubled(tries, WAITS);
}

interface Persistence {
  job: { id: string; project_id: string };
  waiter: Waiter;
  /** Stops retrying and throws the last failure. */
  signal: AbortSignal;
}

/**
 * Runs work that needs the store or the disk, retrying with back-off. Such failures never end a job: it waits and says so.
 */
export async function persist<T>(
  { waits, deps, clock }: { waits: JobWaits; deps: Pick<CloudDeps, 'log'>; clock: Clock },
  { job, waiter, signal }: Persistence,
  act: () => Promise<T>,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      const result = await act();
      waits.report(job, waiter, null);
      return result;
    } catch (error) {
      const fault = toStorageFault(error);
      if (fault === null || signal.aborted) throw error;
      waits.report(job, waiter, fault.problem);
      if (tries === 0) deps.log({ message: `Job ${job.id} is waiting.`, error: fault.cause });
    }
    await clock.sleep(retryMs(tries), signal).catch(() => {});
  }
}
