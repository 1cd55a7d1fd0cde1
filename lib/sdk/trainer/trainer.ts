// A training run in a program: start it once, wait for it, cancel it.
import type { JobGroup } from '../../contract/index.js';
import type { Session } from '../session/session.js';
import { assertTrainerOptions } from './job-input.js';
import type { TrainerOptions, TrainerResult } from './options.js';
import type { Run } from './run.js';

export interface Trainer {
  readonly name: string;
  /** The options passed to `createTrainer`. */
  readonly options: TrainerOptions;
  /** Queues the job; further calls return the same one. Starts the local cloud if it is in use and not running. */
  start(): Promise<{ jobId: string }>;
  /**
   * Takes up a job that this trainer started in another process, instead of a new one: `wait()` then computes its rewards, and calls
   * the callbacks from its next event on.
   */
  attach(jobId: string): Promise<void>;
  /** Waits for the end and calls the callbacks. Starts the job if needed. */
  wait(): Promise<TrainerResult>;
  /** Cancels the job, even one started by `svc start`. Does nothing before the start or after the end. */
  cancel(): Promise<void>;
}

/** Defines a training run. Nothing runs until `start()`. */
export function createTrainer(options: TrainerOptions): Trainer {
  assertTrainerOptions(options);
  const run = createStart<Run>();
  const begin = () =>
    run.current() ??
    run.set(loadRuns(process.cwd()).then(({ startRun, session }) => startRun(options, session)));
  const trainer: Trainer = {
    name: options.name,
    options,
    start: async () => ({ jobId: (await begin()).job.id }),
    async attach(jobId) {
      if (run.current())
        throw new Error('This trainer has a run already. Create another one to attach to a job.');
      await run.set(
        loadRuns(process.cwd()).then(({ attachToJob, session }) => attachToJob(options, jobId, session)),
      );
    },
    wait: async () => (await begin()).wait(),
    cancel: async () => void (await (await run.started())?.cancel()),
  };
  return acceptRun(trainer, run.set);
}

interface Start<T> {
  /** What was started, or is being started. */
  current(): Promise<T> | null;
  /** Keeps it, unless it fails: then it can be started again. */
  set(starting: Promise<T>): Promise<T>;
  /** Null if there is nothing. */
  started(): Promise<T | null>;
}

export function createStart<T>(): Start<T> {
  let current: Promise<T> | null = null;
  return {
    current: () => current,
    set(starting) {
      current = starting;
      starting.catch(() => {
        if (current === starting) current = null;
      });
      return starting;
    },
    // Whoever started it is told why it failed.
    started: async () => (await current?.catch(() => null)) ?? null,
  };
}

type Runs = typeof import('./run.js');

/** Loaded with the first run: a program that asks an endpoint needs neither uploads nor callbacks. */
export async function loadRuns(folder: string): Promise<Runs & { session: Session }> {
  const [runs, { openSession }] = await Promise.all([import('./run.js'), import('../session/session.js')]);
  return { ...runs, session: openSession({ folder, env: process.env, keepsCloud: true }) };
}

export interface StartedSweep {
  group: string;
  runs: { run: Run; settings: JobGroup['settings'] }[];
}

/** `sweep` is what the run belongs to. */
type Attach = (run: Promise<Run>, sweep?: Promise<StartedSweep>) => unknown;

const ATTACH = Symbol.for('svc.trainer.attach');

/** Makes a trainer, or a sweep, accept a run from `attachRun`. */
export function acceptRun<Trainer extends object>(trainer: Trainer, attach: Attach): Trainer {
  return Object.defineProperty(trainer, ATTACH, { value: attach });
}

/**
 * Attaches a run that other code started, such as `svc start`, to its trainer, so that the trainer's methods
 * in the project's code refer to that run, and those of a sweep to all of its runs. A project has its own copy of this
 * package: if that is too old to support this, nothing happens.
 */
export function attachRun(trainer: object, ...run: Parameters<Attach>): void {
  (trainer as { [ATTACH]?: Attach })[ATTACH]?.(...run);
}
