// One attempt at a job: taken up, prepared, run, and written down to the last word of its trainer.
import { sql } from 'kysely';
import type { JobEvent } from '../../contract/index.js';
import type { JobContext } from './job-context.js';
import { openJournal } from './journal.js';
import { readProgress } from './progress.js';
import type { Attempt } from './record-events.js';
import { admitAttempt, forgetUntold } from './run-folder.js';
import type { JobRun } from './runner.js';
import { prepareTask } from './train-task.js';

export interface TakenJob extends Attempt {
  org_id: string;
  config: string;
  step: number | null;
  base_digest: string | null;
}

export type Ending = Awaited<JobRun['ended']> & {
  /** The job has ended with it, and its log says so. */
  isTold: boolean;
  /** It came further than the log had been before. */
  hasProgressed: boolean;
};

/** Counts another attempt at a job that waits or was interrupted; null when there is nothing to do about it. */
export async function takeUp(
  { db, deps, changes, now }: JobContext,
  jobId: string,
): Promise<TakenJob | null> {
  const taken = await db
    .updateTable('jobs')
    .set({
      status: 'running',
      attempt: sql`attempt + 1`,
      base_digest: sql`coalesce(base_digest, ${deps.baseModel.digest ?? null})`,
      started_at: sql`coalesce(started_at, ${now().toISOString()})`,
    })
    .where('id', '=', jobId)
    .where('status', 'in', ['queued', 'running'])
    .returning(['id', 'org_id', 'project_id', 'config', 'step', 'attempt', 'base_digest'])
    .executeTakeFirst();
  if (!taken) return null;
  changes.announce(taken);
  const { attempt, ...job } = taken;
  return { ...job, number: attempt };
}

/** Runs it to its end, whatever that is. The signal ends the preparation; the run itself is ended by `onRun`'s taker. */
export async function runAttempt(
  context: JobContext,
  attempt: TakenJob,
  signal: AbortSignal,
  onRun: (run: JobRun) => void,
): Promise<Ending> {
  const { db, deps, folders } = context;
  const folder = folders.job(attempt.id);
  await admitAttempt(folder, attempt.number);
  const progress = await readProgress(db, attempt);
  await forgetUntold(folder, progress.checkpointStep);
  const task = await prepareTask(context, attempt, signal);
  signal.throwIfAborted();
  const before = progress.step;
  let run: JobRun | undefined;
  const journal = openJournal(context, attempt, progress, () => run?.kill());
  run = deps.runner.start(task, event => journal.take(event as JobEvent));
  onRun(run);
  const ended = await run.ended;
  await journal.settled();
  return { ...ended, isTold: journal.isOver, hasProgressed: progress.step > before };
}
