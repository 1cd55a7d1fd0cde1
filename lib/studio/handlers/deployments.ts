// The project's deployments and their keys: each request maps to the cloud operation of the same name.
import { ApiError, type StudioRoutes } from '../../contract/index.js';
import { type Handlers, onUndelivered } from '../../http/index.js';
import type { ProjectAccess } from '../project/project-access.js';

type DeploymentHandlers = Pick<
  Handlers<StudioRoutes>,
  | 'listDeployments'
  | 'createDeployment'
  | 'getDeployment'
  | 'updateDeployment'
  | 'listDeploymentKeys'
  | 'issueDeploymentKey'
  | 'revokeDeploymentKey'
  | 'listKeptRequests'
  | 'getKeptRequest'
  | 'updateKeptRequest'
  | 'deleteKeptRequest'
>;

export function createDeploymentHandlers({ ensure, existing, ifAny }: ProjectAccess): DeploymentHandlers {
  const missing = (id: string) => () =>
    new ApiError('deployment_not_found', `No endpoint ${id}: this project has no endpoints yet.`);
  return {
    listDeployments: async ({ request: { signal } }) =>
      (await ifAny(cloud => cloud.listDeployments({ signal }))) ?? { deployments: [] },
    createDeployment: ({ body, idempotencyKey }) =>
      ensure(cloud => cloud.createDeployment(body, { idempotencyKey: idempotencyKey ?? undefined })),
    getDeployment: ({ params: { id }, request: { signal } }) =>
      existing(missing(id), cloud => cloud.getDeployment(id, { signal })),
    updateDeployment: ({ params: { id }, body }) =>
      existing(missing(id), cloud => cloud.updateDeployment(id, body)),
    listDeploymentKeys: ({ params: { id }, request: { signal } }) =>
      existing(missing(id), cloud => cloud.listDeploymentKeys(id, { signal })),
    issueDeploymentKey: ({ params: { id }, body, idempotencyKey, request }) =>
      existing(missing(id), async cloud => {
        const options = { idempotencyKey: idempotencyKey ?? undefined, signal: request.signal };
        const issued = await cloud.issueDeploymentKey(id, body.label, options);
        // If the client left before the plaintext arrived, nobody knows the key, so it is revoked.
        onUndelivered(request, () => void cloud.revokeDeploymentKey(id, issued.key.id).catch(() => {}));
        return issued;
      }),
    revokeDeploymentKey: ({ params: { id, keyId } }) =>
      existing(missing(id), cloud => cloud.revokeDeploymentKey(id, keyId)),
    listKeptRequests: ({ params: { id }, query: { mark, limit, cursor }, request: { signal } }) => {
      const filter = { mark, cursor, limit: limit === undefined ? undefined : Number(limit) };
      return existing(missing(id), cloud => cloud.listKeptRequests(id, filter, { signal }));
    },
    getKeptRequest: ({ params: { id, requestId }, request: { signal } }) =>
      existing(missing(id), cloud => cloud.getKeptRequest(id, requestId, { signal })),
    updateKeptRequest: ({ params: { id, requestId }, body }) =>
      existing(missing(id), cloud => cloud.updateKeptRequest(id, requestId, body)),
    deleteKeptRequest: ({ params: { id, requestId } }) =>
      existing(missing(id), cloud => cloud.deleteKeptRequest(id, requestId)),
  };
}
