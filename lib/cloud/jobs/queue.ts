// Decides which jobs run: a limited number at once, in creation order. Jobs that were running when the cloud ended come
// first. Later jobs may overtake one that does not fit on any machine now, but only a limited number of them.
import type { Timer } from '../../clock/index.js';
import type { RunResources } from '../../contract/index.js';
import type { JobContext } from './job-context.js';
import { retryMs } from './job-waits.js';
import { type RunningJob, runJob } from './running-job.js';
import { findInterrupted, type NextJob, openLine, type WaitingJob } from './waiting-jobs.js';

const CLOSE_GRACE_MS = 10_000;
const ASIDE_MS = 30_000;
/** How often to look for free machines. */
const PLACE_MS = 2000;
/** How many later jobs may overtake a waiting one that would fit without them. */
const MOST_PASSES = 64;

export class JobQueue {
  readonly #context: JobContext;
  readonly #slots = new Map<string, RunningJob>();
  readonly #resources = new Map<string, RunResources>();
  /** Jobs whose outcome could not be saved for an unknown reason. Retried after a while. */
  readonly #aside = new Set<string>();
  /** Queued jobs that fit on no machine now. */
  #blocked: readonly WaitingJob[] = [];
  /** How many later jobs have overtaken each waiting one. */
  #passes = new Map<string, number>();
  #lastGroup: string | null = null;
  #isOpen = false;
  #filling: Promise<void> = Promise.resolve();
  #failures = 0;
  #retrying: Timer | undefined;

  constructor(context: JobContext) {
    this.#context = context;
  }

  /** Starts interrupted jobs, then queued ones. Nothing runs until this is called. */
  async start(): Promise<void> {
    this.#isOpen = true;
    this.wake();
    await this.#filling;
  }

  /** Call it after adding a job. */
  wake(): void {
    this.#retrying?.stop();
    this.#filling = this.#filling.then(() => this.#fillSlots()).catch(error => this.#retryLater(error));
  }

  /** Stops the trainer of a canceled job. */
  stop(jobId: string): void {
    this.#slots.get(jobId)?.cancel();
  }

  /** Stops the trainer of a paused job, with a checkpoint. */
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
   * Pauses running jobs and kills those still running after `graceMs`; remote runs continue. All of them resume at the next
   * start.
   */
  async close(graceMs = CLOSE_GRACE_MS): Promise<void> {
    this.#isOpen = false;
    this.#retrying?.stop();
    await this.#filling;
    const jobs = [...this.#slots.values()];
    for (const job of jobs) job.detach();
    const over = new AbortController();
    const killLate = async () => {
      await this.#context.clock.sleep(graceMs, over.signal);
      for (const job of jobs) job.kill();
    };
    void killLate().catch(() => {});
    await Promise.allSettled(jobs.map(({ over }) => over));
    over.abort();
  }

  async #fillSlots(): Promise<void> {
    while (this.#hasSlot) {
      const job = await findInterrupted(this.#context.db, [...this.#slots.keys(), ...this.#aside]);
      if (job === null || !this.#isOpen) break;
      this.#startJob(job);
    }
    if (this.#hasSlot) await this.#startQueued();
    this.#failures = 0;
  }

  get #hasSlot(): boolean {
    return this.#isOpen && this.#slots.size < this.#context.deps.concurrency;
  }

  async #startQueued(): Promise<void> {
    const { db, deps } = this.#context;
    const isTaken = (id: string) => this.#slots.has(id) || this.#aside.has(id);
    const { line, last } = await openLine(db, isTaken, this.#lastGroup);
    const reasons = new Map<WaitingJob, string>();
    const passed: WaitingJob[] = [];
    // One of them has waited long enough: no later job may overtake it anymore.
    let isHeld = false;
    while (this.#hasSlot && !isHeld) {
      const next = await line.next();
      const obstacle = next && ((await deps.runner.findObstacle?.(next, this.#listStarting())) ?? null);
      if (next === null || !this.#isOpen) break;
      const { job } = next;
      if (obstacle === null) {
        this.#startJob(next);
        this.#passes.delete(job.id);
        line.take();
        for (const { id } of passed) this.#passes.set(id, this.#countPasses(id) + 1);
        isHeld = passed.some(({ id }) => this.#countPasses(id) >= MOST_PASSES);
        continue;
      }
      const before = line.aside.length;
      line.setAside();
      for (const waiting of line.aside.slice(before)) reasons.set(waiting, obstacle.reason);
      if (!obstacle.passes) continue;
      passed.push(job);
      isHeld = this.#countPasses(job.id) >= MOST_PASSES;
    }
    if (!isHeld && this.#hasSlot)
      this.#passes = new Map([...this.#passes].filter(([id]) => passed.some(job => job.id === id)));
    this.#lastGroup = last;
    this.#setBlocked(reasons);
  }

  #countPasses(jobId: string): number {
    return this.#passes.get(jobId) ?? 0;
  }

  /** Resources of jobs that have a slot, but no trainer yet. */
  #listStarting(): RunResources[] {
    return [...this.#slots].flatMap(([id, { isStarted }]) => (isStarted ? [] : [this.#resources.get(id)!]));
  }

  #setBlocked(reasons: ReadonlyMap<WaitingJob, string>): void {
    const { waits } = this.#context;
    const blocked = [...reasons.keys()];
    const ids = new Set(blocked.map(({ id }) => id));
    for (const job of this.#blocked)
      if (!ids.has(job.id) && !this.#slots.has(job.id)) waits.report(job, 'place', null);
    for (const [job, reason] of reasons) waits.report(job, 'place', reason);
    this.#blocked = blocked;
    if (blocked.length > 0) this.#wakeLater(PLACE_MS);
  }

  /** Nothing else may trigger another look. */
  #retryLater(error: unknown): void {
    if (this.#failures === 0) this.#context.deps.log({ message: 'Could not read the job queue.', error });
    this.#wakeLater(retryMs(this.#failures++));
  }

  #wakeLater(ms: number): void {
    if (this.#isOpen) this.#retrying = this.#context.clock.after(ms, () => this.wake());
  }

  #startJob({ job: next, resources }: NextJob): void {
    const job = runJob(this.#context, next);
    this.#slots.set(next.id, job);
    this.#resources.set(next.id, resources);
    void job.over
      .catch(error => {
        this.#context.deps.log({ message: `Could not follow job ${next.id} to its end.`, error });
        this.#setAside(next.id);
      })
      .then(() => {
        this.#slots.delete(next.id);
        this.#resources.delete(next.id);
        this.wake();
      });
  }

  /** Lets other jobs go first for a while. */
  #setAside(jobId: string): void {
    this.#aside.add(jobId);
    this.#context.clock.after(ASIDE_MS, () => {
      this.#aside.delete(jobId);
      if (this.#isOpen) this.wake();
    });
  }
}
