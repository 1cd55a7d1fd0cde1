// A job from when it is taken up to when it leaves its place: attempt after attempt, until it has ended or is told to
// stop. A trainer that dies without a word is taken up again from its last checkpoint, as long as that leads on.
import { isFinalStatus } from '../../contract/index.js';
import { type Ending, runAttempt, takeUp } from './attempt.js';
import { describeDeath, describeError, explainError } from './failure.js';
import type { JobContext } from './job-context.js';
import { endJob } from './job-log.js';
import { createRunControl, type RunControl } from './run-control.js';
import { clearWork } from './run-folder.js';

export interface RunningJob extends Pick<RunControl, 'cancel' | 'pause' | 'kill'> {
  /** Resolves when nothing of it runs any more. Rejects when not even its failure could be written down. */
  readonly over: Promise<void>;
}

/** How often in a row a trainer may die without coming further. */
const MOST_DEATHS = 3;
const CANCEL_GRACE_MS = 10_000;

export function runJob(context: JobContext, jobId: string, cancelGraceMs = CANCEL_GRACE_MS): RunningJob {
  const control = createRunControl(cancelGraceMs);
  return { ...control, over: work(context, jobId, control) };
}

async function work(context: JobContext, jobId: string, control: RunControl): Promise<void> {
  const { log } = context.deps;
  try {
    await runToEnd(context, jobId, control);
  } catch (error) {
    const isStopped = control.signal.aborted;
    if (isStopped && error === control.signal.reason) return;
    if (explainError(error) === null) log({ message: `Job ${jobId} could not be run.`, error });
    // One that was stopped is cancelled already, or goes on at the next start.
    if (!isStopped) await endJob(context, jobId, 'failed', describeError(error, context, jobId));
  } finally {
    control.close();
    await leave(context, jobId);
  }
}

async function runToEnd(context: JobContext, jobId: string, { signal, take }: RunControl): Promise<void> {
  const { log } = context.deps;
  for (let deaths = 0; !signal.aborted; ) {
    const attempt = await takeUp(context, jobId);
    if (!attempt) return;
    log({ message: `Job ${jobId}: attempt ${attempt.number} begins.` });
    const ending = await runAttempt(context, attempt, signal, take);
    log({ message: `Job ${jobId}: attempt ${attempt.number} ${describeEnding(ending)}.` });
    if (ending.isTold || signal.aborted) return;
    if (ending.status === 'cancelled') return void (await endJob(context, jobId, 'cancelled'));
    deaths = ending.hasProgressed || ending.status === 'paused' ? 0 : deaths + 1;
    if (deaths === MOST_DEATHS) return void (await endJob(context, jobId, 'failed', describeDeath(ending)));
  }
}

function describeEnding({ isTold, status, exitCode, signal, hung }: Ending): string {
  if (isTold || status !== 'failed') return `ended: ${status}`;
  if (hung) return 'stopped responding and was killed';
  return `died (${signal ?? `exit code ${exitCode}`})`;
}

/** What only an unfinished job needs goes, once it has ended. */
async function leave({ db, folders, secrets }: JobContext, jobId: string): Promise<void> {
  const job = await db.selectFrom('jobs').select('status').where('id', '=', jobId).executeTakeFirst();
  if (job && !isFinalStatus(job.status)) return;
  secrets.delete(jobId);
  await clearWork(folders.job(jobId));
}
