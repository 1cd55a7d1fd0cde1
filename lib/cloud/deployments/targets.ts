// Current and previous targets of deployments. If a deployment follows a job or a trainer, its target changes in the
// transaction that records the better adapter, so callers get either the old one or the new one.
import { isDeepStrictEqual } from 'node:util';
import { sql, type Transaction } from 'kysely';
import {
  ApiError,
  type BestBy,
  type Evaluation,
  type Follow,
  isAtLeastAsGood,
  measuresOf,
  type Target,
  type TaskDescription,
} from '../../contract/index.js';
import { readScores } from '../store/events.js';
import { readTask } from '../store/fields.js';
import type { Tables } from '../store/tables.js';
import {
  type DeploymentRow,
  readDeployment,
  type StoredDeployment,
  toDeploymentColumns,
} from './deployment-rows.js';

type Reader = Pick<Transaction<Tables>, 'selectFrom'>;

interface Trained {
  jobId: string;
  projectId: string;
}

/** The current best target of the followed source. Throws `target_not_found` if there is none yet. */
export async function findFollowed(db: Reader, projectId: string, follow: Follow): Promise<Target> {
  const found = await find(db, projectId, follow);
  if (found) return found;
  const reason =
    follow.kind === 'best'
      ? `There is no job ${follow.jobId} in this project, or it has no checkpoint yet.`
      : `No job of the trainer ${follow.trainer} has completed with an adapter in this project.`;
  throw new ApiError('target_not_found', reason, { param: 'target.follow' });
}

/** Call it in the transaction that records a job's adapters. */
export async function advanceFollowers(
  transaction: Transaction<Tables>,
  { jobId, projectId }: Trained,
  at: string,
): Promise<void> {
  const { trainer } = await transaction
    .selectFrom('jobs')
    .select('trainer')
    .where('id', '=', jobId)
    .executeTakeFirstOrThrow();
  const follows: Follow[] = [
    { kind: 'best', jobId },
    { kind: 'latest', trainer },
  ];
  for (const follow of follows) {
    const followers = await transaction
      .selectFrom('deployments')
      .selectAll()
      .where('project_id', '=', projectId)
      .where('follows', '=', JSON.stringify(follow))
      .execute();
    const target = followers.length > 0 && (await find(transaction, projectId, follow));
    if (!target) continue;
    for (const follower of followers.map(readDeployment)) {
      const served = await admit(transaction, follower, { target, follows: follow });
      await storeDeployment(transaction, { ...follower, ...retarget(follower, served, at) });
    }
  }
}

type Gated = Pick<StoredDeployment, 'projectId' | 'slug' | 'target' | 'requireGate'>;

/** The target of a deployment that starts to follow a source: the current one, if the source has not passed a required gate. */
export async function admit(db: Reader, current: Gated, served: Served): Promise<Served> {
  if (!current.requireGate || !served.follows) return served;
  return (await hasPassed(db, current, served.target)) ? served : { ...served, target: current.target };
}

/** The newest verdict on the target decides. */
async function hasPassed(db: Reader, { projectId, slug }: Gated, target: Target): Promise<boolean> {
  if (target.kind === 'base_model') return false;
  const kept = await db
    .selectFrom('evaluations')
    .select('document')
    .where('project_id', '=', projectId)
    .where('endpoint', '=', slug)
    .where('job_id', '=', target.adapter.jobId)
    .orderBy('number', 'desc')
    .execute();
  const verdict = kept
    .map(({ document }) => JSON.parse(document) as Pick<Evaluation, 'subject' | 'gate'>)
    .find(({ subject, gate }) => gate?.movesFollowers && isDeepStrictEqual(subject.target, target));
  return verdict?.gate?.passed === true;
}

/** The task that a target's adapter was trained for; null if there is none. */
export async function findTargetTask(db: Reader, target: Target): Promise<TaskDescription | null> {
  if (target.kind === 'base_model') return null;
  const job = await db
    .selectFrom('jobs')
    .select('task')
    .where('id', '=', target.adapter.jobId)
    .executeTakeFirst();
  return readTask(job?.task ?? null);
}

function find(db: Reader, projectId: string, follow: Follow): Promise<Target | null> {
  if (follow.kind === 'best') return findBest(db, projectId, follow.jobId);
  return findLatest(db, projectId, follow.trainer);
}

interface Adapter {
  kind: 'final' | 'checkpoint';
  step: number;
}

/** Ranked by the trainer's score if there is one; otherwise by the measure on held-out rows, or by age without such rows. */
async function findBest(db: Reader, projectId: string, jobId: string): Promise<Target | null> {
  const adapters = await db
    .selectFrom('artifacts')
    .innerJoin('jobs', 'jobs.id', 'artifacts.job_id')
    .select(['artifacts.kind', 'artifacts.step', 'jobs.config', 'jobs.reward'])
    .where('jobs.id', '=', jobId)
    .where('jobs.project_id', '=', projectId)
    .orderBy('artifacts.step')
    .orderBy('artifacts.kind')
    .execute();
  if (adapters.length === 0) return null;
  const { bestBy } = JSON.parse(adapters[0]!.config) as { bestBy?: BestBy };
  const scored = bestBy ? await findBestScored(db, jobId, adapters, bestBy) : null;
  return targetOf(jobId, scored ?? (await findBestHeldOut(db, jobId, adapters, measuresOf(...adapters)[0])));
}

async function findBestScored(
  db: Reader,
  jobId: string,
  adapters: readonly Adapter[],
  bestBy: BestBy,
): Promise<Adapter | null> {
  const scores = (await readScores(db, jobId)).filter(({ name }) => name === bestBy.score);
  let best: { adapter: Adapter; value: number } | null = null;
  for (const adapter of adapters) {
    const value = scores.find(({ step }) => step === adapter.step)?.value;
    if (value === undefined) continue;
    if (!best || isAtLeastAsGood(value, best.value, bestBy)) best = { adapter, value };
  }
  return best?.adapter ?? null;
}

type HeldOut = ReturnType<typeof measuresOf>[0];

async function findBestHeldOut(
  db: Reader,
  jobId: string,
  adapters: readonly Adapter[],
  measure: HeldOut,
): Promise<Adapter> {
  const evaluations = await readEvaluations(db, jobId, measure.name);
  const worst = measure.higher ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  let best: { adapter: Adapter; value: number } | null = null;
  for (const adapter of adapters) {
    const before = adapters.findLast(({ step }) => step < adapter.step)?.step ?? 0;
    // An evaluation counts for the first adapter after it, as in training: later ones may be worse.
    const value = evaluations.findLast(({ step }) => step > before && step <= adapter.step)?.value ?? worst;
    if (!best || isAtLeastAsGood(value, best.value, measure)) best = { adapter, value };
  }
  return best!.adapter;
}

function readEvaluations(db: Reader, jobId: string, name: HeldOut['name']) {
  return db
    .selectFrom('steps')
    .select(['step', `${name} as value`])
    .where('job_id', '=', jobId)
    .where(name, 'is not', null)
    .orderBy('seq')
    .execute();
}

async function findLatest(db: Reader, projectId: string, trainer: string): Promise<Target | null> {
  const job = await db
    .selectFrom('jobs')
    .innerJoin('artifacts', 'artifacts.job_id', 'jobs.id')
    .select('jobs.id')
    .where('jobs.project_id', '=', projectId)
    .where('jobs.trainer', '=', trainer)
    .where('jobs.status', '=', 'completed')
    .where('artifacts.kind', '=', 'final')
    .orderBy('jobs.number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return job ? targetOf(job.id, { kind: 'final', step: 0 }) : null;
}

function targetOf(jobId: string, { kind, step }: Adapter): Target {
  return { kind: 'adapter', adapter: kind === 'final' ? { kind, jobId } : { kind, jobId, step } };
}

/** How many previous targets each deployment keeps. */
const MOST_EARLIER = 10;

/** A deployment's target, and what it follows. */
export type Served = Pick<StoredDeployment, 'target' | 'follows'>;

/**
 * The columns to change for a new target. The previous one is kept, unless it is the same. A canary that becomes the target
 * stops being a canary.
 */
export function retarget(current: StoredDeployment, served: Served, at: string): Partial<StoredDeployment> {
  const { target, targetSince, createdAt, earlierTargets, canary } = current;
  const isSame = isDeepStrictEqual(served.target, target);
  if (isSame && isDeepStrictEqual(served.follows, current.follows)) return {};
  if (isSame) return { ...served, updatedAt: at };
  const earlier = { target, since: targetSince ?? createdAt };
  return {
    ...served,
    targetSince: at,
    earlierTargets: [earlier, ...earlierTargets].slice(0, MOST_EARLIER),
    canary: canary && isDeepStrictEqual(canary.target, served.target) ? null : canary,
    updatedAt: at,
  };
}

/** Call it in the transaction that deletes the job: no deployment can go back to it anymore. */
export async function forgetEarlier(transaction: Transaction<Tables>, jobId: string): Promise<void> {
  const rows = await transaction
    .selectFrom('deployments')
    .selectAll()
    .where(
      sql<boolean>`EXISTS (
        SELECT 1 FROM json_each(earlier_targets) WHERE json_extract(value, '$.target.adapter.jobId') = ${jobId})`,
    )
    .execute();
  for (const deployment of rows.map(readDeployment)) {
    const kept = deployment.earlierTargets.filter(
      ({ target }) => target.kind !== 'adapter' || target.adapter.jobId !== jobId,
    );
    // Going back to what is served already would change nothing.
    const earlierTargets = kept.filter(
      ({ target }, i) => !isDeepStrictEqual(target, (kept[i - 1] ?? deployment).target),
    );
    await storeDeployment(transaction, { ...deployment, earlierTargets });
  }
}

export function storeDeployment(
  transaction: Transaction<Tables>,
  deployment: StoredDeployment,
): Promise<DeploymentRow> {
  return transaction
    .updateTable('deployments')
    .set(toDeploymentColumns(deployment))
    .where('id', '=', deployment.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}
