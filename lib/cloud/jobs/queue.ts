// Decides which jobs run: a limited number at once, in the order they were created. Those that were running when the
// cloud ended come first.
import { sql } from 'kysely';
import type { JobContext } from './job-context.js';
import { retryMs } from './persist.js';
import { type RunningJob, runJob } from './running-job.js';

export interface JobQueue {
  /** Starts interrupted jobs, then queued ones. Nothing runs before this. */
  start(): Promise<void>;
  /** Call it after adding a job. */
  wake(): void;
  /** Ends the trainer of a canceled job. */
  stop(jobId: string): void;
  /** Kills the job's trainer, if any, and waits for it. */
  clear(jobId: string): Promise<void>;
  /** The jobs that have a slot now, whatever their rows say. */
  readonly running: ReadonlySet<string>;
  /** Pauses running jobs and kills what has not ended after `graceMs`. All of them resume at the next start. */
  close(graceMs?: number): Promise<void>;
}

export interface JobQueueOptions {
  /** How long a canceled trainer may take to end. */
  cancelGraceMs?: number;
}

const CLOSE_GRACE_MS = 10_000;
const ASIDE_MS = 30_000;

export function createJobQueue(context: JobContext, { cancelGraceMs }: JobQueueOptions = {}): JobQueue {
  const slots = new Map<string, RunningJob>();
  /** Jobs whose outcome could not be saved for an unknown reason. Retried after a while. */
  const aside = new Set<string>();
  let isOpen = false;
  let filling: Promise<void> = Promise.resolve();
  let failures = 0;
  let retryTimer: NodeJS.Timeout | undefined;

  function wake(): void {
    clearTimeout(retryTimer);
    filling = filling.then(fillSlots).then(noteSuccess, tryAgain);
  }

  function noteSuccess(): void {
    failures = 0;
  }

  /** Nobody else may wake it. */
  function tryAgain(error: unknown): void {
    if (failures === 0) context.deps.log({ message: 'Could not read the job queue.', error });
    if (isOpen) retryTimer = setTimeout(wake, retryMs(failures++)).unref();
  }

  async function fillSlots(): Promise<void> {
    while (isOpen && slots.size < context.deps.concurrency) {
      const job = await findNext(context, [...slots.keys(), ...aside]);
      if (job === null || !isOpen) return;
      startJob(job);
    }
  }

  function startJob(next: NextJob): void {
    const job = runJob(context, next, cancelGraceMs);
    slots.set(next.id, job);
    void job.over
      .catch(error => {
        context.deps.log({ message: `Could not follow job ${next.id} to its end.`, error });
        setAside(next.id);
      })
      .then(() => {
        slots.delete(next.id);
        wake();
      });
  }

  /** Lets other jobs go first for a while. */
  function setAside(jobId: string): void {
    aside.add(jobId);
    setTimeout(() => {
      aside.delete(jobId);
      if (isOpen) wake();
    }, ASIDE_MS).unref();
  }

  return {
    async start() {
      isOpen = true;
      wake();
      await filling;
    },
    wake,
    stop: jobId => slots.get(jobId)?.cancel(),
    async clear(jobId) {
      slots.get(jobId)?.kill();
      await slots.get(jobId)?.over.catch(() => {});
    },
    get running() {
      return new Set(slots.keys());
    },
    async close(graceMs = CLOSE_GRACE_MS) {
      isOpen = false;
      clearTimeout(retryTimer);
      await filling;
      const jobs = [...slots.values()];
      for (const job of jobs) job.pause();
      const timer = setTimeout(() => {
        for (const job of jobs) job.kill();
      }, graceMs);
      await Promise.allSettled(jobs.map(({ over }) => over));
      clearTimeout(timer);
    },
  };
}

interface NextJob {
  id: string;
  project_id: string;
}

async function findNext({ db }: JobContext, taken: readonly string[]): Promise<NextJob | null> {
  const next = await db
    .selectFrom('jobs')
    .select(['id', 'project_id'])
    .where('status', 'in', ['queued', 'running'])
    .$if(taken.length > 0, query => query.where('id', 'not in', taken))
    .orderBy(sql`status = 'queued'`)
    .orderBy('number')
    .limit(1)
    .executeTakeFirst();
  return next ?? null;
}
