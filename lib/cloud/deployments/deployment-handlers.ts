// Routes for deployments (create, list, show, update and delete) and their kept requests.
import type { Clock } from '../../clock/index.js';
import { ApiError, type CloudRoutes, type KeptRequest } from '../../contract/index.js';
import type { Handlers, RouteInput } from '../../http/index.js';
import type { Access } from '../auth/authorize.js';
import type { CloudDeps } from '../deps.js';
import type { KeptRequestStore } from '../kept-requests/kept-requests.js';
import type { Db } from '../store/db.js';
import { once } from '../store/once.js';
import type { StoredAnswers } from '../stored-answers/stored-answers.js';
import { type DeploymentRow, findDeployment, readDeployment, toDeployment } from './deployment-rows.js';
import type { RequestCounts } from './request-counts.js';
import {
  changeDeployment,
  type DeploymentStore,
  insertDeployment,
  tryDeployment,
} from './store-deployment.js';
import { findTargetTask } from './targets.js';

interface DeploymentContext extends DeploymentStore {
  access: Access;
  deps: Pick<CloudDeps, 'address'>;
  clock: Clock;
  kept: Pick<KeptRequestStore, 'enforce'>;
  stored: Pick<StoredAnswers, 'enforce'>;
  counts: Pick<RequestCounts, 'readTarget' | 'readStart'>;
}

type DeploymentRoutes = Pick<
  CloudRoutes,
  'listDeployments' | 'createDeployment' | 'getDeployment' | 'updateDeployment' | 'deleteDeployment'
>;

/** The settings that decide which requests are kept. */
const RETENTION_FIELDS = ['keepRequests', 'runRetentionMode', 'runRetentionDays'] as const;

export function deploymentHandlers(context: DeploymentContext): Handlers<DeploymentRoutes> {
  const { db, access, deps, models, kept, stored, counts, clock } = context;
  const show = async (row: DeploymentRow) => {
    const { orgId, id, target, canary } = readDeployment(row);
    return toDeployment(row, deps.address, {
      problem: await models.findProblem(orgId, target),
      task: await findTargetTask(db, target),
      canaryProblem: canary && (await models.findProblem(orgId, canary.target)),
      lastHour: {
        target: counts.readTarget(id, target),
        canary: canary && counts.readTarget(id, canary.target),
        ...counts.readStart(),
      },
    });
  };
  const answer = async (row: DeploymentRow) => ({ deployment: await show(row) });
  const now = () => new Date(clock.now());

  return {
    async listDeployments({ request, query }) {
      const { projectId } = await access.authorize(request, query);
      const rows = await db
        .selectFrom('deployments')
        .selectAll()
        .where('project_id', '=', projectId)
        .orderBy('number', 'desc')
        .execute();
      return { deployments: await Promise.all(rows.map(show)) };
    },
    async createDeployment({ request, query, body, idempotencyKey: key }) {
      const scope = await access.authorize(request, query);
      const at = now();
      if (body.dryRun) return answer(await tryDeployment(context, scope, body, at.toISOString()));
      const idempotency = {
        key,
        caller: scope.caller.identityId,
        request: ['createDeployment', query, body],
      };
      const created = await once({ db, now: at }, idempotency, {
        create: async transaction =>
          answer(await insertDeployment(transaction, models, scope, body, at.toISOString())),
      });
      return created.answer;
    },
    async getDeployment({ request, query, params }) {
      return answer(await findDeployment(db, await access.authorize(request, query), params.id));
    },
    async updateDeployment({ request, query, params, body }) {
      const scope = await access.authorize(request, query);
      const row = await changeDeployment(context, scope, params.id, body, now().toISOString());
      if (RETENTION_FIELDS.some(name => body[name] !== undefined)) await kept.enforce();
      return answer(row);
    },
    async deleteDeployment({ request, query, params }) {
      const row = await findDeployment(db, await access.authorize(request, query), params.id);
      await db.deleteFrom('deployments').where('id', '=', row.id).execute();
      await Promise.all([kept.enforce(), stored.enforce()]);
      return answer(row);
    },
  };
}

interface KeptRequestContext {
  db: Db;
  access: Access;
  kept: KeptRequestStore;
}

type KeptRequestRoutes = Pick<
  CloudRoutes,
  'listKeptRequests' | 'getKeptRequest' | 'updateKeptRequest' | 'deleteKeptRequest'
>;

type KeptRequestInput = Pick<RouteInput<CloudRoutes['getKeptRequest']>, 'request' | 'query' | 'params'>;

/** For members of the deployment's project. API keys grant no access. */
export function keptRequestHandlers({ db, access, kept }: KeptRequestContext): Handlers<KeptRequestRoutes> {
  async function answer(
    { request, query, params: { id, requestId } }: KeptRequestInput,
    act: (deployment: DeploymentRow, requestId: string) => Promise<KeptRequest | null>,
  ) {
    const deployment = await findDeployment(db, await access.authorize(request, query), id);
    const found = await act(deployment, requestId);
    if (found) return { request: found };
    throw new ApiError('request_not_found', `This endpoint has kept no request ${requestId}.`);
  }

  return {
    async listKeptRequests({ request, query, params }) {
      const deployment = await findDeployment(db, await access.authorize(request, query), params.id);
      const { mark, limit, cursor } = query;
      return kept.list(deployment, { mark, cursor, limit: limit === undefined ? undefined : Number(limit) });
    },
    getKeptRequest: input => answer(input, (deployment, id) => kept.find(deployment, id)),
    updateKeptRequest(input) {
      const { mark, correction } = input.body;
      const change = correction
        ? { mark: 'corrected' as const, correction }
        : { mark: mark === 'none' ? null : mark!, correction: null };
      return answer(input, (deployment, id) => kept.mark(deployment, id, change));
    },
    deleteKeptRequest: input => answer(input, (deployment, id) => kept.delete(deployment, id)),
  };
}
