// The routes of deployments (create, list, show, update and delete) and of the requests that they keep.
import type { Clock } from '../../clock/index.js';
import { ApiError, type CloudRoutes, type KeptRequest } from '../../contract/index.js';
import type { Handlers } from '../../http/index.js';
import type { Access } from '../auth/authorize.js';
import type { CloudDeps } from '../deps.js';
import type { KeptRequestStore } from '../kept-requests/kept-requests.js';
import type { Db } from '../store/db.js';
import { once } from '../store/once.js';
import { type DeploymentRow, findDeployment, readDeployment, toDeployment } from './deployment-rows.js';
import { changeDeployment, type DeploymentStore, insertDeployment } from './store-deployment.js';

interface DeploymentContext extends DeploymentStore {
  access: Access;
  deps: Pick<CloudDeps, 'address'>;
  clock: Clock;
  kept: Pick<KeptRequestStore, 'enforce'>;
}

type DeploymentRoutes = Pick<
  CloudRoutes,
  'listDeployments' | 'createDeployment' | 'getDeployment' | 'updateDeployment' | 'deleteDeployment'
>;

/** What decides which requests are kept. */
const RETENTION_FIELDS = ['keepRequests', 'runRetentionMode', 'runRetentionDays'] as const;

export function deploymentHandlers(context: DeploymentContext): Handlers<DeploymentRoutes> {
  const { db, access, deps, models, kept, clock } = context;
  const show = async (row: DeploymentRow) =>
    toDeployment(row, deps.address, await models.findProblem(row.org_id, readDeployment(row).target));
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
      const asked = { key, caller: scope.caller.identityId, request: ['createDeployment', query, body] };
      const created = await once({ db, now: at }, asked, {
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
      await kept.enforce();
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

/** For members of the deployment's project. Keys do not open them. */
export function keptRequestHandlers({ db, access, kept }: KeptRequestContext): Handlers<KeptRequestRoutes> {
  return {
    async listKeptRequests({ request, query, params }) {
      const deployment = await findDeployment(db, await access.authorize(request, query), params.id);
      const { mark, limit, cursor } = query;
      return kept.list(deployment, { mark, cursor, limit: limit === undefined ? undefined : Number(limit) });
    },
    async getKeptRequest({ request, query, params }) {
      const deployment = await findDeployment(db, await access.authorize(request, query), params.id);
      return answer(await kept.find(deployment, params.requestId), params.requestId);
    },
    async updateKeptRequest({ request, query, params, body }) {
      const deployment = await findDeployment(db, await access.authorize(request, query), params.id);
      const { mark, correction } = body;
      const change = correction
        ? { mark: 'corrected' as const, correction }
        : { mark: mark === 'none' ? null : mark!, correction: null };
      return answer(await kept.mark(deployment, params.requestId, change), params.requestId);
    },
    async deleteKeptRequest({ request, query, params }) {
      const deployment = await findDeployment(db, await access.authorize(request, query), params.id);
      return answer(await kept.delete(deployment, params.requestId), params.requestId);
    },
  };
}

function answer(request: KeptRequest | null, id: string): { request: KeptRequest } {
  if (request) return { request };
  throw new ApiError('request_not_found', `This endpoint has kept no request ${id}.`);
}
