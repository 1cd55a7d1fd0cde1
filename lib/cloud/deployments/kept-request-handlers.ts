// The routes of kept requests, for members of the deployment's project. Keys do not open them.
import { ApiError, type CloudRoutes, type KeptRequest } from '../../contract/index.js';
import type { Handlers } from '../../http/index.js';
import type { Access } from '../access.js';
import type { KeptRequestStore } from '../kept-requests/kept-requests.js';
import type { Db } from '../store/db.js';
import { findDeployment } from './find-deployment.js';

interface KeptRequestContext {
  db: Db;
  access: Access;
  kept: KeptRequestStore;
}

type KeptRequestRoutes = Pick<
  CloudRoutes,
  'listKeptRequests' | 'getKeptRequest' | 'updateKeptRequest' | 'deleteKeptRequest'
>;

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
