// A job while it has a slot: attempt after attempt, until it ends or is told to stop. A trainer that dies without reporting
// is restarted from its last checkpoint as long as it makes progress. After a store or disk failure, it waits and retries.
import { isFinalStatus } from '../../contract/index.js';
import { clearWork } from '../runs/run-folder.js';
import { describeStorageCode } from '../store/storage-fault.js';
import { type DiskProblem, type Ending, runAttempt, startAttempt } from './attempt.js';
import { describeDeath, describeError, explainError } from './failure.js';
import type { JobContext } from './job-context.js';
import { endJob } from './job-log.js';
import { persist, retryMs } from './job-waits.js';
import { createRunControl, type RunControl } from './run-control.js';

export interface RunningJob extends Pick<RunControl, 'cancel' | 'pause' | 'detach' | 'kill' | 'isStarted'> {
  /** Resolves when nothing of the job is running anymore. */
  readonly over: Promise<void>;
}

interface JobKey {
  id: string;
  project_id: string;
}

/** How many times in a row a trainer may die without making progress. */
const MOST_DEATHS = 3;
/** The pause before restarting a trainer after a disk fault, since each restart repeats the startup work. */
const SHORTEST_BREAK_MS = 500;
const UNKNOWN_FAULT: DiskProblem = { isElsewhere: false, message: describeStorageCode('EIO') };

export function runJob(context: JobContext, job: JobKey): RunningJob {
  const control = createRunControl(context.clock);
  const over = work(context, job, control);
  const { cancel, pause, detach, kill } = control;
  return {
    over,
    cancel,
    pause,
    detach,
    kill,
    get isStarted() {
      return control.isStarted;
    },
  };
}

async function work(context: JobContext, job: JobKey, control: RunControl): Promise<void> {
  const { log } = context.deps;
  try {
    await runToEnd(context, job, control);
  } catch (error) {
    const isStopped = control.signal.aborted;
    if (isStopped && error === control.signal.reason) return;
    if (explainError(error) === null) log({ message: `Job ${job.id} could not be run.`, error });
    // A stopped job is already canceled or resumes at the next start.
    if (!isStopped) await end(context, job, control, 'failed', describeError(error, context, job.id));
  } finally {
    control.close();
    try {
      await leave(context, job, control);
    } finally {
      context.waits.forget(job);
    }
  }
}

async function runToEnd(context: JobContext, job: JobKey, control: RunControl): Promise<void> {
  const { log } = context.deps;
  const { signal } = control;
  for (let deaths = 0, interruptions = 0; !signal.aborted; ) {
    const attempt = await persist(context, { job, waiter: 'attempt', signal }, () =>
      startAttempt(context, job.id),
    );
    if (!attempt) return;
    log({ message: `Job ${job.id}: attempt ${attempt.number} started.` });
    const ending = await runAttempt(context, attempt, control);
    for (const waiter of ['trainer', 'worker'] as const) context.waits.report(job, waiter, null);
    log({ message: `Job ${job.id}: attempt ${attempt.number} ${describeEnding(ending)}.` });
    if (ending.isReported || signal.aborted) return;
    if (ending.status === 'cancelled') return end(context, job, control, 'cancelled');
    interruptions = ending.hasProgressed ? 0 : interruptions;
    if (ending.status === 'interrupted') await waitForDisk(context, job, ending, interruptions++, signal);
    const isHarmless = ending.hasProgressed || ending.status === 'paused' || ending.status === 'interrupted';
    deaths = isHarmless ? 0 : deaths + 1;
    if (deaths === MOST_DEATHS) return end(context, job, control, 'failed', describeDeath(ending));
  }
}

async function waitForDisk(
  { waits, clock }: JobContext,
  job: JobKey,
  { diskProblem = UNKNOWN_FAULT }: Ending,
  interruptions: number,
  signal: AbortSignal,
): Promise<void> {
  waits.report(job, diskProblem.isElsewhere ? 'worker' : 'attempt', diskProblem.message);
  await clock.sleep(Math.max(SHORTEST_BREAK_MS, retryMs(interruptions)), signal).catch(() => {});
  waits.report(job, 'worker', null);
}

/** Retries until the outcome is saved, because a job must not stay in status running without a trainer. */
async function end(
  context: JobContext,
  job: JobKey,
  { killed: signal }: RunControl,
  ...how: [status: 'failed' | 'cancelled', error?: string]
): Promise<void> {
  await persist(context, { job, waiter: 'log', signal }, () => endJob(context, job.id, ...how));
}

function describeEnding({ isReported, status, exitCode, signal, hung }: Ending): string {
  if (isReported || status !== 'failed') return `ended: ${status}`;
  if (hung) return 'stopped responding and was killed';
  return `died (${signal ?? `exit code ${exitCode}`})`;
}

/** Removes files that only an unfinished job needs. */
async function leave(context: JobContext, job: JobKey, { killed: signal }: RunControl): Promise<void> {
  const { db, folders, secrets } = context;
  const query = db.selectFrom('jobs').select('status').where('id', '=', job.id);
  const row = await persist(context, { job, waiter: 'log', signal }, () => query.executeTakeFirst());
  if (row && !isFinalStatus(row.status)) return;
  secrets.delete(job.id);
  await clearWork(folders.job(job.id));
}
