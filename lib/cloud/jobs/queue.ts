// Who runs next: jobs in the order in which they were asked for, so many at once. Those that the cloud was running when
// it ended come first.
import { sql } from 'kysely';
import type { JobContext } from './job-context.js';
import { type RunningJob, runJob } from './running-job.js';

export interface JobQueue {
  /** Takes up what was interrupted, then what waits. Before, nothing runs. */
  start(): Promise<void>;
  /** To be told when a job was added. */
  wake(): void;
  /** Ends the trainer of a job that was cancelled. */
  stop(jobId: string): void;
  /** Resolves when nothing of the job runs, and sees to that. */
  clear(jobId: string): Promise<void>;
  /** The jobs that have a place now, whatever their rows say. */
  readonly running: ReadonlySet<string>;
  /** Pauses what runs, and kills what has not ended after `graceMs`; all of it goes on at the next start. */
  close(graceMs?: number): Promise<void>;
}

export interface JobQueueOptions {
  /** How long a cancelled trainer may take to end. */
  cancelGraceMs?: number;
}

const CLOSE_GRACE_MS = 10_000;

export function createJobQueue(context: JobContext, { cancelGraceMs }: JobQueueOptions = {}): JobQueue {
  const places = new Map<string, RunningJob>();
  /** Jobs of which nothing could be written down: to be tried at the next start, and not for ever. */
  const abandoned = new Set<string>();
  let isOpen = false;
  let filling: Promise<void> = Promise.resolve();

  function wake(): void {
    filling = filling.then(fillPlaces).catch(error => {
      context.deps.log({ message: 'The queue of jobs could not be read.', error });
    });
  }

  async function fillPlaces(): Promise<void> {
    while (isOpen && places.size < context.deps.concurrency) {
      const jobId = await findNext(context, [...places.keys(), ...abandoned]);
      if (jobId === null || !isOpen) return;
      enter(jobId);
    }
  }

  function enter(jobId: string): void {
    const job = runJob(context, jobId, cancelGraceMs);
    places.set(jobId, job);
    void job.over
      .catch(error => {
        abandoned.add(jobId);
        context.deps.log({ message: `What became of job ${jobId} could not be written down.`, error });
      })
      .then(() => {
        places.delete(jobId);
        wake();
      });
  }

  return {
    async start() {
      isOpen = true;
      wake();
      await filling;
    },
    wake,
    stop: jobId => places.get(jobId)?.cancel(),
    async clear(jobId) {
      places.get(jobId)?.kill();
      await places.get(jobId)?.over.catch(() => {});
    },
    get running() {
      return new Set(places.keys());
    },
    async close(graceMs = CLOSE_GRACE_MS) {
      isOpen = false;
      await filling;
      const jobs = [...places.values()];
      for (const job of jobs) job.pause();
      const timer = setTimeout(() => {
        for (const job of jobs) job.kill();
      }, graceMs);
      await Promise.allSettled(jobs.map(({ over }) => over));
      clearTimeout(timer);
    },
  };
}

async function findNext({ db }: JobContext, taken: readonly string[]): Promise<string | null> {
  const next = await db
    .selectFrom('jobs')
    .select('id')
    .where('status', 'in', ['queued', 'running'])
    .$if(taken.length > 0, query => query.where('id', 'not in', taken))
    .orderBy(sql`status = 'queued'`)
    .orderBy('number')
    .limit(1)
    .executeTakeFirst();
  return next?.id ?? null;
}
