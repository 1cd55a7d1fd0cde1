// The routes of the cloud API for deployments, their keys, and the requests that they keep.
import * as z from 'zod/mini';
import { cloudDeploymentInput, cloudDeploymentPatch, deployment } from '../deployment.js';
import { projectFields, projectQuery } from '../identity.js';
import { keptRequest, keptRequestChange, keptRequestQuery, keptRequests } from '../kept-requests.js';
import { issuedKey, key, keyInput } from '../key.js';
import { created, defineRoutes, json } from '../route.js';

const oneDeployment = z.object({ deployment });

export const deploymentRoutes = defineRoutes({
  listDeployments: {
    method: 'GET',
    path: '/v1/endpoints',
    summary: "Lists the project's deployments.",
    query: projectQuery,
    response: json(z.object({ deployments: z.array(deployment) })),
  },
  createDeployment: {
    method: 'POST',
    path: '/v1/endpoints',
    idempotencyKey: true,
    summary: 'Creates a deployment.',
    query: projectQuery,
    body: cloudDeploymentInput,
    response: created(oneDeployment),
  },
  getDeployment: {
    method: 'GET',
    path: '/v1/endpoints/:id',
    summary: 'Returns a deployment.',
    query: projectQuery,
    response: json(oneDeployment),
  },
  updateDeployment: {
    method: 'PATCH',
    path: '/v1/endpoints/:id',
    summary:
      'Updates the given fields: enabled, auth mode, target, canary, operations, origins, retention, and whether it keeps requests.',
    query: projectQuery,
    body: cloudDeploymentPatch,
    response: json(oneDeployment),
  },
  deleteDeployment: {
    method: 'DELETE',
    path: '/v1/endpoints/:id',
    summary: 'Deletes a deployment. The slug stays reserved for the organization.',
    query: projectQuery,
    response: json(oneDeployment),
  },
  listDeploymentKeys: {
    method: 'GET',
    path: '/v1/endpoints/:id/keys',
    summary: "Lists a deployment's keys, including revoked ones.",
    query: projectQuery,
    response: json(z.object({ keys: z.array(key) })),
  },
  issueDeploymentKey: {
    method: 'POST',
    path: '/v1/endpoints/:id/keys',
    idempotencyKey: true,
    summary: 'Issues a key. The plaintext is returned only once.',
    query: projectQuery,
    body: keyInput,
    response: created(z.object({ key: issuedKey })),
  },
  revokeDeploymentKey: {
    method: 'DELETE',
    path: '/v1/endpoints/:id/keys/:keyId',
    summary: 'Revokes a key. It stays in the list.',
    query: projectQuery,
    response: json(z.object({ key })),
  },
  listKeptRequests: {
    method: 'GET',
    path: '/v1/endpoints/:id/requests',
    summary: 'Lists the requests that a deployment has kept, with their answers, newest first.',
    query: z.strictObject({ ...projectFields, ...keptRequestQuery }),
    response: json(keptRequests),
  },
  getKeptRequest: {
    method: 'GET',
    path: '/v1/endpoints/:id/requests/:requestId',
    summary: 'Returns a request that a deployment has kept.',
    query: projectQuery,
    response: json(z.object({ request: keptRequest })),
  },
  updateKeptRequest: {
    method: 'PATCH',
    path: '/v1/endpoints/:id/requests/:requestId',
    summary: 'Marks the answer to a kept request, or corrects it.',
    query: projectQuery,
    body: keptRequestChange,
    response: json(z.object({ request: keptRequest })),
  },
  deleteKeptRequest: {
    method: 'DELETE',
    path: '/v1/endpoints/:id/requests/:requestId',
    summary: 'Deletes a request that a deployment has kept, and its answer.',
    query: projectQuery,
    response: json(z.object({ request: keptRequest })),
  },
});
