// The loopback API that Studio serves, with the shapes of what goes in and out.
import * as z from 'zod/mini';
import { chatCompletion, chatCompletionChunk, inferenceRequest } from './chat.js';
import { deployment, deploymentInput, deploymentPatch } from './deployment.js';
import { jobEvent } from './event.js';
import { identity } from './identity.js';
import { job, jobSummary } from './job.js';
import { issuedKey, key, keyInput } from './key.js';
import { created, defineRoutes, json } from './route.js';
import { manifest, trainStatus } from './studio.js';
import { STUDIO_TOKEN_QUERY, studioEndpoints } from './studio-endpoints.js';
import { eventCursor } from './text.js';

const oneDeployment = z.object({ deployment });

export const studioRoutes = defineRoutes({
  getIdentity: {
    ...studioEndpoints.getIdentity,
    summary: 'Who calls; mints the anonymous identity when there are no credentials for this cloud.',
    answer: json(identity),
  },
  getManifest: {
    ...studioEndpoints.getManifest,
    summary: "Builds the project's entry and sums up its trainer.",
    answer: json(manifest),
  },
  getTrainStatus: {
    ...studioEndpoints.getTrainStatus,
    summary: 'The run that was started from this Studio.',
    answer: json(trainStatus),
  },
  startTraining: {
    ...studioEndpoints.startTraining,
    summary: 'Runs `svc start` and streams what it prints.',
    answer: { kind: 'text' },
  },
  streamTrainOutput: {
    ...studioEndpoints.streamTrainOutput,
    summary: 'What the run printed, from the beginning, then following.',
    answer: { kind: 'text' },
  },
  listJobs: {
    ...studioEndpoints.listJobs,
    summary: 'Every job of the project, newest first.',
    tagged: true,
    answer: json(z.object({ jobs: z.array(jobSummary) })),
  },
  getJob: {
    ...studioEndpoints.getJob,
    summary: 'One job.',
    answer: json(z.object({ job })),
  },
  streamJobEvents: {
    ...studioEndpoints.streamJobEvents,
    summary: "A job's events from its log, then as they happen.",
    query: z.strictObject({ ...eventCursor, [STUDIO_TOKEN_QUERY]: z.optional(z.string()) }),
    answer: { kind: 'events', schema: jobEvent },
  },
  chat: {
    ...studioEndpoints.chat,
    summary: 'Chat with the base model or with an adapter.',
    body: inferenceRequest,
    answer: { kind: 'completion', schema: chatCompletion, chunk: chatCompletionChunk },
  },
  listDeployments: {
    ...studioEndpoints.listDeployments,
    summary: 'The deployments of the project.',
    answer: json(z.object({ deployments: z.array(deployment) })),
  },
  createDeployment: {
    ...studioEndpoints.createDeployment,
    summary: 'Publishes a target at a slug.',
    body: deploymentInput,
    answer: created(oneDeployment),
  },
  getDeployment: {
    ...studioEndpoints.getDeployment,
    summary: 'One deployment.',
    answer: json(oneDeployment),
  },
  updateDeployment: {
    ...studioEndpoints.updateDeployment,
    summary: 'Enables, disables, or changes the auth mode.',
    body: deploymentPatch,
    answer: json(oneDeployment),
  },
  listDeploymentKeys: {
    ...studioEndpoints.listDeploymentKeys,
    summary: "A deployment's keys, revoked ones included.",
    answer: json(z.object({ keys: z.array(key) })),
  },
  issueDeploymentKey: {
    ...studioEndpoints.issueDeploymentKey,
    summary: 'Issues a key. Its plaintext is answered here and never again.',
    body: keyInput,
    answer: created(z.object({ key: issuedKey })),
  },
  revokeDeploymentKey: {
    ...studioEndpoints.revokeDeploymentKey,
    summary: 'Revokes a key; it stays listed.',
    answer: json(z.object({ key })),
  },
  getOpenApi: {
    ...studioEndpoints.getOpenApi,
    summary: 'This API as an OpenAPI document.',
    answer: json(z.record(z.string(), z.unknown())),
  },
});

export type StudioRoutes = typeof studioRoutes;
