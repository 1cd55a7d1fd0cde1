// Decides which jobs run: a limited number at once, in the order they were created. Those that were running when the
// cloud ended come first.
import { sql } from 'kysely';
import type { StoredConfig } from './defaults.js';
import type { JobContext } from './job-context.js';
import { retryMs } from './persist.js';
import { type RunningJob, runJob } from './running-job.js';

export interface JobQueueOptions {
  /** How long a canceled trainer may take to end. */
  cancelGraceMs?: number;
}

const CLOSE_GRACE_MS = 10_000;
const ASIDE_MS = 30_000;
/** How often it looks for a place, and how many jobs may be passed over by later ones that have one. */
const [PLACE_MS, MOST_BLOCKED] = [2000, 50];

export class JobQueue {
  readonly #context: JobContext;
  readonly #cancelGraceMs: number | undefined;
  readonly #slots = new Map<string, RunningJob>();
  /** Jobs whose outcome could not be saved for an unknown reason. Retried after a while. */
  readonly #aside = new Set<string>();
  /** Queued jobs that have no place now. */
  #blocked: NextJob[] = [];
  #isOpen = false;
  #filling: Promise<void> = Promise.resolve();
  #failures = 0;
  #retryTimer: NodeJS.Timeout | undefined;

  constructor(context: JobContext, { cancelGraceMs }: JobQueueOptions = {}) {
    this.#context = context;
    this.#cancelGraceMs = cancelGraceMs;
  }

  /** Starts interrupted jobs, then queued ones. Nothing runs before this. */
  async start(): Promise<void> {
    this.#isOpen = true;
    this.wake();
    await this.#filling;
  }

  /** Call it after adding a job. */
  wake(): void {
    clearTimeout(this.#retryTimer);
    this.#filling = this.#filling.then(() => this.#fillSlots()).catch(error => this.#retryLater(error));
  }

  /** Ends the trainer of a canceled job. */
  stop(jobId: string): void {
    this.#slots.get(jobId)?.cancel();
  }

  /** Ends the trainer of a paused job, with a checkpoint. */
  pause(jobId: string): void {
    this.#slots.get(jobId)?.pause();
  }

  /** Kills the job's trainer, if any, and waits for it. */
  async clear(jobId: string): Promise<void> {
    this.#slots.get(jobId)?.kill();
    await this.#slots.get(jobId)?.over.catch(() => {});
  }

  /** The jobs that have a slot now, whatever their rows say. */
  get running(): ReadonlySet<string> {
    return new Set(this.#slots.keys());
  }

  /**
   * Pauses running jobs and kills what has not ended after `graceMs`; what runs elsewhere goes on. All of them resume at the
   * next start.
   */
  async close(graceMs = CLOSE_GRACE_MS): Promise<void> {
    this.#isOpen = false;
    clearTimeout(this.#retryTimer);
    await this.#filling;
    const jobs = [...this.#slots.values()];
    for (const job of jobs) job.detach();
    const timer = setTimeout(() => {
      for (const job of jobs) job.kill();
    }, graceMs);
    await Promise.allSettled(jobs.map(({ over }) => over));
    clearTimeout(timer);
  }

  async #fillSlots(): Promise<void> {
    const blocked: NextJob[] = [];
    while (
      this.#isOpen &&
      this.#slots.size < this.#context.deps.concurrency &&
      blocked.length < MOST_BLOCKED
    ) {
      const passed = blocked.map(({ id }) => id);
      const job = await findNext(this.#context, [...this.#slots.keys(), ...this.#aside, ...passed]);
      if (job === null || !this.#isOpen) break;
      if (await this.#findObstacle(job)) blocked.push(job);
      else this.#startJob(job);
    }
    this.#failures = 0;
    this.#setBlocked(blocked);
  }

  /** Says what the job waits for, if it has no place now. */
  async #findObstacle(job: NextJob): Promise<boolean> {
    const { deps, waits } = this.#context;
    const { resources = {} } = JSON.parse(job.config) as Pick<StoredConfig, 'resources'>;
    const obstacle = (job.status === 'queued' && (await deps.runner.findObstacle?.({ resources }))) || null;
    waits.report(job, 'place', obstacle);
    return obstacle !== null;
  }

  #setBlocked(blocked: NextJob[]): void {
    for (const job of this.#blocked)
      if (!blocked.some(({ id }) => id === job.id) && !this.#slots.has(job.id))
        this.#context.waits.report(job, 'place', null);
    this.#blocked = blocked;
    if (blocked.length > 0 && this.#isOpen)
      this.#retryTimer = setTimeout(() => this.wake(), PLACE_MS).unref();
  }

  /** Nobody else may wake it. */
  #retryLater(error: unknown): void {
    if (this.#failures === 0) this.#context.deps.log({ message: 'Could not read the job queue.', error });
    if (this.#isOpen) this.#retryTimer = setTimeout(() => this.wake(), retryMs(this.#failures++)).unref();
  }

  #startJob(next: NextJob): void {
    const job = runJob(this.#context, next, this.#cancelGraceMs);
    this.#slots.set(next.id, job);
    void job.over
      .catch(error => {
        this.#context.deps.log({ message: `Could not follow job ${next.id} to its end.`, error });
        this.#setAside(next.id);
      })
      .then(() => {
        this.#slots.delete(next.id);
        this.wake();
      });
  }

  /** Lets other jobs go first for a while. */
  #setAside(jobId: string): void {
    this.#aside.add(jobId);
    setTimeout(() => {
      this.#aside.delete(jobId);
      if (this.#isOpen) this.wake();
    }, ASIDE_MS).unref();
  }
}

interface NextJob {
  id: string;
  project_id: string;
  status: string;
  config: string;
}

async function findNext({ db }: JobContext, taken: readonly string[]): Promise<NextJob | null> {
  const next = await db
    .selectFrom('jobs')
    .select(['id', 'project_id', 'status', 'config'])
    .where('status', 'in', ['queued', 'running'])
    .where('paused_at', 'is', null)
    .$if(taken.length > 0, query => query.where('id', 'not in', taken))
    .orderBy(sql`status = 'queued'`)
    .orderBy('number')
    .limit(1)
    .executeTakeFirst();
  return next ?? null;
}
