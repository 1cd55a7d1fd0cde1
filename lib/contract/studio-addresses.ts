// The loopback API's methods and paths, without schemas: all that a browser needs to call it.
import type { RouteAddress } from './route-address.js';

/** Carries the per-launch token. The query parameter is accepted only by the event stream. */
export const STUDIO_TOKEN_HEADER = 'x-svc-studio-token';
export const STUDIO_TOKEN_QUERY = 'studioToken';
export const STUDIO_TOKEN_META = 'svc-studio-token';
export const DEFAULT_STUDIO_PORT = 4000;

export const studioAddresses = {
  getIdentity: { method: 'GET', path: '/api/credentials' },
  getManifest: { method: 'GET', path: '/api/manifest' },
  getTrainStatus: { method: 'GET', path: '/api/train' },
  startTraining: { method: 'POST', path: '/api/train' },
  streamTrainOutput: { method: 'GET', path: '/api/train/output' },
  previewData: { method: 'POST', path: '/api/data/preview' },
  listJobs: { method: 'GET', path: '/api/jobs' },
  getJob: { method: 'GET', path: '/api/jobs/:id' },
  updateJob: { method: 'PATCH', path: '/api/jobs/:id' },
  listJobSettings: { method: 'POST', path: '/api/jobs/settings' },
  listJobRows: { method: 'GET', path: '/api/jobs/:id/rows' },
  streamJobEvents: { method: 'GET', path: '/api/jobs/:id/events' },
  chat: { method: 'POST', path: '/api/inference/chat' },
  getOverview: { method: 'GET', path: '/api/overview' },
  listDeployments: { method: 'GET', path: '/api/deployments' },
  createDeployment: { method: 'POST', path: '/api/deployments', idempotencyKey: true },
  getDeployment: { method: 'GET', path: '/api/deployments/:id' },
  updateDeployment: { method: 'PATCH', path: '/api/deployments/:id' },
  listDeploymentKeys: { method: 'GET', path: '/api/deployments/:id/keys' },
  issueDeploymentKey: { method: 'POST', path: '/api/deployments/:id/keys', idempotencyKey: true },
  revokeDeploymentKey: { method: 'DELETE', path: '/api/deployments/:id/keys/:keyId' },
  listKeptRequests: { method: 'GET', path: '/api/deployments/:id/requests' },
  getKeptRequest: { method: 'GET', path: '/api/deployments/:id/requests/:requestId' },
  updateKeptRequest: { method: 'PATCH', path: '/api/deployments/:id/requests/:requestId' },
  deleteKeptRequest: { method: 'DELETE', path: '/api/deployments/:id/requests/:requestId' },
  getCluster: { method: 'GET', path: '/api/cluster' },
  getOpenApi: { method: 'GET', path: '/api/openapi.json' },
} as const satisfies Readonly<Record<string, RouteAddress>>;
