// Records the scores that a program reports for a job's adapters, as events of the job. They often arrive after the job has
// ended, because evaluating the final adapter takes time. They are numbered before `end`, which stays the last event, so
// readers of the log see them.
import type { Transaction } from 'kysely';
import {
  ApiError,
  type BestBy,
  type BestOfScores,
  isAtLeastAsGood,
  isFinalStatus,
  MOST_SCORE_NAMES,
  type ScoreRecorded,
  type ScoreReport,
  scorePlace,
} from '../../contract/index.js';
import type { ProjectScope } from '../auth/authorize.js';
import { advanceFollowers } from '../deployments/targets.js';
import { type LogNews, readScores, writeEvents } from '../store/events.js';
import type { Tables } from '../store/tables.js';
import type { JobContext } from './job-context.js';
import { findJob, type JobRow } from './job-rows.js';

/** Returns the scores as recorded: existing scores are not overwritten. */
export async function recordScores(
  { db, changes, clock }: Pick<JobContext, 'db' | 'changes' | 'clock'>,
  scope: Pick<ProjectScope, 'projectId'>,
  id: string,
  { step, scores }: ScoreReport,
): Promise<ScoreRecorded[]> {
  const timestamp = new Date(clock.now()).toISOString();
  const { job, recorded, news } = await db.transaction().execute(async transaction => {
    const job = await findJob(transaction, scope, id);
    await requireAdapter(transaction, id, step);
    const known = new Map((await readScores(transaction, id)).map(each => [scorePlace(each), each]));
    const recorded = Object.entries(scores).map(
      ([name, value]): ScoreRecorded =>
        known.get(scorePlace({ step, name })) ?? {
          type: 'score.recorded',
          jobId: id,
          timestamp,
          step,
          name,
          value,
        },
    );
    requireFewNames([...known.values(), ...recorded]);
    const fresh = recorded.filter(each => !known.has(scorePlace(each)));
    const news = await writeScores(transaction, job, fresh, bestOf(job, [...known.values(), ...fresh]));
    if (fresh.length > 0)
      await advanceFollowers(transaction, { jobId: id, projectId: scope.projectId }, timestamp);
    return { job, recorded, news };
  });
  if (news) changes.announce(job, news);
  return recorded;
}

async function requireAdapter(db: Transaction<Tables>, jobId: string, step: number): Promise<void> {
  const found = await db
    .selectFrom('artifacts')
    .select('step')
    .where('job_id', '=', jobId)
    .where('step', '=', step)
    .executeTakeFirst();
  if (found) return;
  throw new ApiError('invalid_value', `Job ${jobId} has saved no adapter at step ${step}.`, {
    param: 'step',
  });
}

function requireFewNames(scores: readonly ScoreRecorded[]): void {
  if (new Set(scores.map(({ name }) => name)).size <= MOST_SCORE_NAMES) return;
  throw new ApiError('invalid_value', `A job has scores of at most ${MOST_SCORE_NAMES} names.`, {
    param: 'scores',
  });
}

/** Ranked by the score that the job's trainer has chosen. */
function bestOf({ config }: JobRow, scores: readonly ScoreRecorded[]): BestOfScores | null {
  const { bestBy } = JSON.parse(config) as { bestBy?: BestBy };
  if (!bestBy) return null;
  const { score: name, higher = true } = bestBy;
  const values = scores.filter(each => each.name === name).map(({ value }) => value);
  if (values.length === 0) return null;
  return {
    name,
    value: values.reduce((best, value) => (isAtLeastAsGood(value, best, bestBy) ? value : best)),
    higher,
  };
}

async function writeScores(
  transaction: Transaction<Tables>,
  job: JobRow,
  scores: readonly ScoreRecorded[],
  best: BestOfScores | null,
): Promise<LogNews | null> {
  if (scores.length === 0) return null;
  const change = { best_score: best && JSON.stringify(best) };
  if (!isFinalStatus(job.status))
    return { lastSeq: await writeEvents(transaction, job, scores, change), isOver: false };
  const before = { id: job.id, last_seq: job.last_seq - 1 };
  const last_seq = job.last_seq + scores.length;
  await transaction
    .updateTable('events')
    .set({ seq: last_seq })
    .where('job_id', '=', job.id)
    .where('seq', '=', job.last_seq)
    .execute();
  await writeEvents(transaction, before, scores, {});
  await transaction
    .updateTable('jobs')
    .set({ ...change, last_seq })
    .where('id', '=', job.id)
    .execute();
  return { lastSeq: last_seq, isOver: true };
}
