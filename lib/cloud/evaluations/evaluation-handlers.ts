// Routes for evaluations. The cloud keeps what a client measured; it asks and scores nothing itself.
import { randomUUID } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import type { Clock } from '../../clock/index.js';
import {
  ApiError,
  type CloudRoutes,
  type Evaluation,
  type EvaluationInput,
  type EvaluationRow,
  MOST_EVALUATIONS,
} from '../../contract/index.js';
import { isChanged, rankRows } from '../../evaluation/rank-rows.js';
import type { Handlers } from '../../http/index.js';
import type { Access, ProjectScope } from '../auth/authorize.js';
import { advanceFollowers } from '../deployments/targets.js';
import { findJob } from '../jobs/job-rows.js';
import type { Db } from '../store/db.js';
import { once } from '../store/once.js';
import type { Tables } from '../store/tables.js';

interface EvaluationContext {
  db: Db;
  access: Access;
  clock: Clock;
}

type EvaluationRoutes = Pick<
  CloudRoutes,
  'listEvaluations' | 'createEvaluation' | 'getEvaluation' | 'listEvaluationRows' | 'deleteEvaluation'
>;

type EvaluationRecord = Tables['evaluations'];

const USUAL_ROWS = 50;

export function evaluationHandlers({ db, access, clock }: EvaluationContext): Handlers<EvaluationRoutes> {
  return {
    async listEvaluations({ request, query }) {
      const { projectId } = await access.authorize(request, query);
      let found = db.selectFrom('evaluations').selectAll().where('project_id', '=', projectId);
      if (query.jobId !== undefined) found = found.where('job_id', '=', query.jobId.toLowerCase());
      if (query.endpoint !== undefined) found = found.where('endpoint', '=', query.endpoint);
      const records = await found.orderBy('number', 'desc').execute();
      return { evaluations: records.map(toEvaluation) };
    },
    async createEvaluation({ request, query, body, idempotencyKey: key }) {
      const scope = await access.authorize(request, query);
      const now = new Date(clock.now());
      const caller = scope.caller.identityId;
      const created = await once(
        { db, now },
        { key, caller, request: ['createEvaluation', query, body] },
        {
          create: async transaction => ({
            evaluation: toEvaluation(await addEvaluation(transaction, scope, body, now)),
          }),
        },
      );
      return created.answer;
    },
    async getEvaluation({ request, query, params }) {
      const scope = await access.authorize(request, query);
      return { evaluation: toEvaluation(await findEvaluation(db, scope, params.id)) };
    },
    async listEvaluationRows({ request, query, params }) {
      const { id } = await findEvaluation(db, await access.authorize(request, query), params.id);
      const limit = Number(query.limit ?? USUAL_ROWS);
      let found = db
        .selectFrom('evaluation_rows')
        .select(['rank', 'payload'])
        .where('evaluation_id', '=', id);
      if (query.changed) found = found.where('changed', '=', 1);
      if (query.cursor !== undefined) found = found.where('rank', '>', Number(query.cursor));
      const rows = await found
        .orderBy('rank')
        .limit(limit + 1)
        .execute();
      const page = rows.slice(0, limit);
      return {
        rows: page.map(({ payload }) => JSON.parse(payload) as EvaluationRow),
        nextCursor: rows.length > limit ? String(page.at(-1)!.rank) : null,
      };
    },
    async deleteEvaluation({ request, query, params }) {
      const record = await findEvaluation(db, await access.authorize(request, query), params.id);
      await db.deleteFrom('evaluations').where('id', '=', record.id).execute();
      return { evaluation: toEvaluation(record) };
    },
  };
}

async function findEvaluation(
  db: Db,
  { projectId }: Pick<ProjectScope, 'projectId'>,
  id: string,
): Promise<EvaluationRecord> {
  const found = await db
    .selectFrom('evaluations')
    .selectAll()
    .where('id', '=', id)
    .where('project_id', '=', projectId)
    .executeTakeFirst();
  if (!found) throw new ApiError('evaluation_not_found', `There is no evaluation ${id} in this project.`);
  return found;
}

function toEvaluation({ id, created_at, document }: EvaluationRecord): Evaluation {
  return { id, createdAt: created_at, ...(JSON.parse(document) as Omit<Evaluation, 'id' | 'createdAt'>) };
}

/** Endpoints that follow what has passed, and wait for that, move to it. */
async function addEvaluation(
  transaction: Transaction<Tables>,
  scope: ProjectScope,
  body: EvaluationInput,
  now: Date,
): Promise<EvaluationRecord> {
  const record = await insertEvaluation(transaction, scope, body, now);
  const { job_id: jobId, project_id: projectId } = record;
  if (jobId !== null && body.gate?.passed && body.gate.movesFollowers)
    await advanceFollowers(transaction, { jobId, projectId }, now.toISOString());
  return record;
}

/** Deletes the project's oldest evaluations beyond the limit. */
async function insertEvaluation(
  transaction: Transaction<Tables>,
  scope: ProjectScope,
  { rows, confusion, comparison, gate, ...fields }: EvaluationInput,
  now: Date,
): Promise<EvaluationRecord> {
  const { target, endpoint } = fields.subject;
  const jobId = target.kind === 'adapter' ? target.adapter.jobId.toLowerCase() : null;
  if (jobId !== null) await findJob(transaction, scope, jobId);
  const ranked = rankRows(rows, fields.scores[0]!, comparison?.scores[0]);
  const kept = { rows: ranked.length, changed: ranked.filter(isChanged).length };
  const record = await transaction
    .insertInto('evaluations')
    .values({
      id: randomUUID(),
      number: sql<number>`(SELECT coalesce(max(number), 0) + 1 FROM evaluations)`,
      project_id: scope.projectId,
      job_id: jobId,
      endpoint,
      document: JSON.stringify({
        ...fields,
        confusion: confusion ?? null,
        comparison: comparison ?? null,
        gate: gate ?? null,
        kept,
      }),
      created_at: now.toISOString(),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  for (let from = 0; from < ranked.length; from += ROWS_AT_ONCE) {
    const values = ranked.slice(from, from + ROWS_AT_ONCE).map((row, index) => ({
      evaluation_id: record.id,
      rank: from + index,
      changed: isChanged(row) ? (1 as const) : (0 as const),
      payload: JSON.stringify(row),
    }));
    await transaction.insertInto('evaluation_rows').values(values).execute();
  }
  const newest = transaction
    .selectFrom('evaluations')
    .select('id')
    .where('project_id', '=', scope.projectId)
    .orderBy('number', 'desc')
    .limit(MOST_EVALUATIONS);
  await transaction
    .deleteFrom('evaluations')
    .where('project_id', '=', scope.projectId)
    .where('id', 'not in', newest)
    .execute();
  return record;
}

const ROWS_AT_ONCE = 200;
