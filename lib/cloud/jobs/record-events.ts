// Appends an attempt's events to the job's log and updates the job's row and its offered adapters in one transaction,
// which first checks that the job still belongs to this attempt.
import type { Transaction } from 'kysely';
import { type Artifact, isFinalStatus, type JobEvent } from '../../contract/index.js';
import { insertArtifacts, listArtifacts, publishAdapter } from '../artifacts/adapter-store.js';
import { advanceFollowers } from '../deployments/targets.js';
import { noteRecorded } from '../runs/attempt-rows.js';
import type { LogNews } from '../store/events.js';
import type { Tables } from '../store/tables.js';
import { describeFailure, type ReportedFailure } from './failure.js';
import type { JobContext } from './job-context.js';
import { type JobLog, openJobLog } from './job-log.js';
import { admit, advance, type Progress } from './progress.js';

/** An attempt at a job. Only the latest one counts. */
export interface Attempt {
  id: string;
  project_id: string;
  number: number;
}

/**
 * The job continues, has ended with these events, or no longer belongs to this attempt because someone else ended or
 * restarted it.
 */
type Recorded = 'open' | 'ended' | 'lost';

/** `next`: recorded with them, the number of a remote worker's events recorded so far. */
export async function recordEvents(
  context: JobContext,
  attempt: Attempt,
  progress: Progress,
  batch: readonly JobEvent[],
  next: number | null = null,
): Promise<Recorded> {
  const events = batch.flatMap(event => admit(progress, event) ?? []);
  const kept = await publishAdapters(context, attempt, events);
  const written = await context.db
    .transaction()
    .execute(transaction => writeBatch(context, transaction, { attempt, progress, events, kept, next }));
  context.changes.announce(attempt, written ?? (await readNews(context, attempt)));
  if (!written) return 'lost';
  for (const event of events) advance(progress, event);
  progress.seq = written.lastSeq;
  return written.isOver ? 'ended' : 'open';
}

/**
 * The number of the last event if others have written to the log, or if a commit was reported as failed although it
 * succeeded.
 */
async function readNews({ db }: JobContext, { id }: Attempt): Promise<LogNews | undefined> {
  const query = db.selectFrom('jobs').select(['status', 'last_seq']).where('id', '=', id);
  const job = await query.executeTakeFirst();
  return job && { lastSeq: job.last_seq, isOver: isFinalStatus(job.status) };
}

/** Publishes the reported adapters; returns those that exist. */
async function publishAdapters(
  { folders }: JobContext,
  { id }: Attempt,
  events: readonly JobEvent[],
): Promise<Set<Artifact>> {
  const kept = new Set<Artifact>();
  for (const artifact of events.flatMap(reportedArtifacts)) {
    if (await publishAdapter(folders, id, artifact)) kept.add(artifact);
    else if (artifact.kind === 'final') throw new Error(`The final adapter of job ${id} is missing.`);
  }
  return kept;
}

/** At the end, only the final adapter. Checkpoints were reported when they were saved. */
function reportedArtifacts(event: JobEvent): Artifact[] {
  if (event.type === 'checkpoint.saved') return event.artifacts;
  return event.type === 'training.completed' ? event.artifacts.filter(({ kind }) => kind === 'final') : [];
}

interface Batch {
  attempt: Attempt;
  progress: Progress;
  events: readonly JobEvent[];
  kept: ReadonlySet<Artifact>;
  next: number | null;
}

/** Null if the job no longer belongs to this attempt. */
async function writeBatch(
  context: JobContext,
  transaction: Transaction<Tables>,
  { attempt, progress, events, kept, next }: Batch,
): Promise<LogNews | null> {
  const job = await transaction
    .selectFrom('jobs')
    .select(['id', 'last_seq', ...RESULT_COLUMNS])
    .where('id', '=', attempt.id)
    .where('status', '=', 'running')
    .where('attempt', '=', attempt.number)
    .executeTakeFirst();
  if (!job) return null;
  // Nobody else writes during an attempt, except for scores. So anything else was already written, by a commit of this batch
  // that was reported as failed.
  const others = job.last_seq - progress.seq;
  if (others > 0 && others > (await countScores(transaction, attempt, progress)))
    return { lastSeq: job.last_seq, isOver: false };
  const { id, last_seq, ...before } = job;
  const log = openJobLog({ id, last_seq });
  let results = before;
  for (const event of events) {
    if (event.type === 'training.log') results = noteResults(results, event);
    const artifacts = reportedArtifacts(event).filter(artifact => kept.has(artifact));
    await insertArtifacts(transaction, attempt.id, artifacts);
    await append(context, transaction, log, { event, results });
    if (log.isOver) break;
  }
  const news = await log.write(transaction);
  if (next !== null) await noteRecorded(transaction, attempt, next);
  if (kept.size > 0)
    await advanceFollowers(
      transaction,
      { jobId: attempt.id, projectId: attempt.project_id },
      new Date(context.clock.now()).toISOString(),
    );
  return news;
}

/** Scores recorded since. */
async function countScores(
  transaction: Transaction<Tables>,
  { id }: Attempt,
  { seq }: Progress,
): Promise<number> {
  const { count } = await transaction
    .selectFrom('events')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('job_id', '=', id)
    .where('seq', '>', seq)
    .where('type', '=', 'score.recorded')
    .executeTakeFirstOrThrow();
  return count;
}

async function append(
  context: JobContext,
  transaction: Transaction<Tables>,
  log: JobLog,
  { event, results }: { event: JobEvent; results: JobResults },
): Promise<void> {
  switch (event.type) {
    case 'training.started':
      return log.append(event, { total_steps: event.totalSteps });
    case 'training.log':
      return log.append(event, { step: event.step, ...results });
    case 'training.preparing':
    case 'checkpoint.saved':
    case 'sample.generated':
      return log.append(event);
    case 'training.completed':
      log.append({ ...event, artifacts: await listArtifacts(transaction, event.jobId) });
      return log.end('completed', new Date(context.clock.now()));
    case 'training.failed': {
      const { code, ...failed }: typeof event & ReportedFailure = event;
      const error = describeFailure({ error: failed.error, code }, context, event.jobId);
      log.append({ ...failed, error });
      return log.end('failed', new Date(context.clock.now()), error);
    }
  }
}

/** What job lists show of losses and rewards, the last and the best: kept in the job's row, so that a list reads no events. */
const RESULT_COLUMNS = [
  ...(['loss', 'eval_loss', 'best_loss', 'best_eval_loss'] as const),
  ...(['reward', 'eval_reward', 'best_reward', 'best_eval_reward'] as const),
];

type JobResults = Pick<Tables['jobs'], (typeof RESULT_COLUMNS)[number]>;

export const NO_RESULTS = Object.fromEntries(RESULT_COLUMNS.map(name => [name, null])) as JobResults;

type Measured = Partial<Record<'loss' | 'evalLoss' | 'reward' | 'evalReward', number | null | undefined>>;

/** The results after an event. Where a run learns from rewards, the lowest loss is not the best. */
export function noteResults(before: JobResults, event: Readonly<Measured>): JobResults {
  return {
    loss: event.loss ?? before.loss,
    eval_loss: event.evalLoss ?? before.eval_loss,
    best_loss: event.reward == null ? bestOf(Math.min, before.best_loss, event.loss) : before.best_loss,
    best_eval_loss: bestOf(Math.min, before.best_eval_loss, event.evalLoss),
    reward: event.reward ?? before.reward,
    eval_reward: event.evalReward ?? before.eval_reward,
    best_reward: bestOf(Math.max, before.best_reward, event.reward),
    best_eval_reward: bestOf(Math.max, before.best_eval_reward, event.evalReward),
  };
}

function bestOf(
  choose: (...values: number[]) => number,
  known: number | null,
  value: number | null | undefined,
): number | null {
  if (known === null || value === null || value === undefined) return known ?? value ?? null;
  return choose(known, value);
}
