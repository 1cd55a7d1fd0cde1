// The loopback API that Studio serves.
import * as z from 'zod/mini';
import { chatCompletion, chatCompletionChunk, inferenceRequest } from './chat.js';
import { deployment, deploymentInput, deploymentPatch } from './deployment.js';
import { jobEvent } from './event.js';
import { identity } from './identity.js';
import { job, jobSummary } from './job.js';
import { issuedKey, key, keyInput } from './key.js';
import { created, defineRoutes, json } from './route.js';
import { manifest, trainStatus } from './studio.js';
import { eventCursor } from './text.js';

/** The header that carries the per-launch token, and the query parameter that the event stream alone takes. */
export const STUDIO_TOKEN_HEADER = 'x-svc-studio-token';
export const STUDIO_TOKEN_QUERY = 'studioToken';
export const STUDIO_TOKEN_META = 'svc-studio-token';
export const DEFAULT_STUDIO_PORT = 4000;

const oneDeployment = z.object({ deployment });

export const studioRoutes = defineRoutes({
  getIdentity: {
    method: 'GET',
    path: '/api/credentials',
    summary: 'Who calls; mints the anonymous identity when there are no credentials for this cloud.',
    answer: json(identity),
  },
  getManifest: {
    method: 'GET',
    path: '/api/manifest',
    summary: "Builds the project's entry and sums up its trainer.",
    answer: json(manifest),
  },
  getTrainStatus: {
    method: 'GET',
    path: '/api/train',
    summary: 'The run that was started from this Studio.',
    answer: json(trainStatus),
  },
  startTraining: {
    method: 'POST',
    path: '/api/train',
    summary: 'Runs `svc start` and streams what it prints.',
    answer: { kind: 'text' },
  },
  streamTrainOutput: {
    method: 'GET',
    path: '/api/train/output',
    summary: 'What the run printed, from the beginning, then following.',
    answer: { kind: 'text' },
  },
  listJobs: {
    method: 'GET',
    path: '/api/jobs',
    summary: 'Every job of the project, newest first.',
    answer: json(z.object({ jobs: z.array(jobSummary) })),
  },
  getJob: {
    method: 'GET',
    path: '/api/jobs/:id',
    summary: 'One job.',
    answer: json(z.object({ job })),
  },
  streamJobEvents: {
    method: 'GET',
    path: '/api/jobs/:id/events',
    summary: "A job's events from its log, then as they happen.",
    query: z.strictObject({ ...eventCursor, [STUDIO_TOKEN_QUERY]: z.optional(z.string()) }),
    answer: { kind: 'events', schema: jobEvent },
  },
  chat: {
    method: 'POST',
    path: '/api/inference/chat',
    summary: 'Chat with the base model or with an adapter.',
    body: inferenceRequest,
    answer: { kind: 'completion', schema: chatCompletion, chunk: chatCompletionChunk },
  },
  listDeployments: {
    method: 'GET',
    path: '/api/deployments',
    summary: 'The deployments of the project.',
    answer: json(z.object({ deployments: z.array(deployment) })),
  },
  createDeployment: {
    method: 'POST',
    path: '/api/deployments',
    summary: 'Publishes a target at a slug.',
    body: deploymentInput,
    answer: created(oneDeployment),
  },
  getDeployment: {
    method: 'GET',
    path: '/api/deployments/:id',
    summary: 'One deployment.',
    answer: json(oneDeployment),
  },
  updateDeployment: {
    method: 'PATCH',
    path: '/api/deployments/:id',
    summary: 'Enables, disables, or changes the auth mode.',
    body: deploymentPatch,
    answer: json(oneDeployment),
  },
  listDeploymentKeys: {
    method: 'GET',
    path: '/api/deployments/:id/keys',
    summary: "A deployment's keys, revoked ones included.",
    answer: json(z.object({ keys: z.array(key) })),
  },
  issueDeploymentKey: {
    method: 'POST',
    path: '/api/deployments/:id/keys',
    summary: 'Issues a key. Its plaintext is answered here and never again.',
    body: keyInput,
    answer: created(z.object({ key: issuedKey })),
  },
  revokeDeploymentKey: {
    method: 'DELETE',
    path: '/api/deployments/:id/keys/:keyId',
    summary: 'Revokes a key; it stays listed.',
    answer: json(z.object({ key })),
  },
  getOpenApi: {
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This API as an OpenAPI document.',
    answer: json(z.record(z.string(), z.unknown())),
  },
});

export type StudioRoutes = typeof studioRoutes;
