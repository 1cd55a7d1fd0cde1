// A trainer as a program has it: started once, waited for, cancelled.
import { openSession } from '../session/session.js';
import { acceptRun } from './attach-run.js';
import { assertTrainerOptions } from './job-input.js';
import type { TrainerOptions, TrainerResult } from './options.js';
import { type Run, startRun } from './run.js';

export interface Trainer {
  readonly name: string;
  /** What it was made with. */
  readonly options: TrainerOptions;
  /** Queues the training; a second call is the same training. The local cloud is started when it is meant and does not run. */
  start(): Promise<{ jobId: string }>;
  /** Waits for the end, calling the callbacks; starts first when that was not done. */
  wait(): Promise<TrainerResult>;
  /** Cancels the job, also one that `svc start` began. Does nothing before it was started or after its end. */
  cancel(): Promise<void>;
}

/** Defines a training. Nothing runs before `start()`. */
export function createTrainer(options: TrainerOptions): Trainer {
  assertTrainerOptions(options);
  let run: Promise<Run> | undefined;
  let end: Promise<TrainerResult> | undefined;
  const begin = () => {
    run ??= startRun(options, openSession({ folder: process.cwd(), env: process.env }));
    return run;
  };
  const trainer: Trainer = {
    name: options.name,
    options,
    start: async () => ({ jobId: (await begin()).job.id }),
    wait() {
      end ??= begin().then(started => started.wait());
      return end;
    },
    cancel: async () => void (await (await run)?.cancel()),
  };
  return acceptRun(trainer, attached => {
    run = attached;
  });
}
