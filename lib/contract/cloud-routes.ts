// The cloud API. Its scope travels in the query: which organisation, which project.
import * as z from 'zod/mini';
import { chatCompletion, chatCompletionChunk, chatCompletionRequest, inferenceRequest } from './chat.js';
import { DATASET_FILENAME_HEADER } from './cloud-headers.js';
import { deployment, endpointInput, endpointPatch } from './deployment.js';
import { jobEvent } from './event.js';
import {
  anonymousIdentity,
  anonymousInput,
  cloudHealth,
  cloudInfo,
  collected,
  dataset,
  me,
  project,
  projectInput,
} from './identity.js';
import { artifact, job, jobInput, jobSummary } from './job.js';
import { issuedKey, key, keyInput } from './key.js';
import { created, defineRoutes, json } from './route.js';
import { eventCursor } from './text.js';

export const DEFAULT_CLOUD_PORT = 4100;

const slugText = z.string().check(z.minLength(1));
/** Callers that always send their whole scope may do so here, too. */
const orgQuery = z.strictObject({ orgSlug: slugText, projectSlug: z.optional(slugText) });
const projectFields = { orgSlug: slugText, projectSlug: slugText };
const projectQuery = z.strictObject(projectFields);

/** Which organisation and project a call is about. */
export type Scope = z.output<typeof projectQuery>;

const oneJob = z.object({ job });
const oneEndpoint = z.object({ deployment });
const completion = { kind: 'completion', schema: chatCompletion, chunk: chatCompletionChunk } as const;

export const cloudRoutes = defineRoutes({
  signUpAnonymously: {
    method: 'POST',
    path: '/v1/auth/anonymous',
    idempotencyKey: true,
    summary: 'Mints an anonymous identity with an organisation of its own.',
    body: anonymousInput,
    callers: 'secret',
    answer: created(anonymousIdentity),
  },
  getMe: {
    method: 'GET',
    path: '/v1/me',
    summary: 'The identity and its organisations.',
    answer: json(me),
  },
  listProjects: {
    method: 'GET',
    path: '/v1/projects',
    summary: 'The projects of an organisation.',
    query: orgQuery,
    answer: json(z.object({ projects: z.array(project) })),
  },
  createProject: {
    method: 'POST',
    path: '/v1/projects',
    idempotencyKey: true,
    summary: 'Creates a project.',
    query: orgQuery,
    body: projectInput,
    answer: created(z.object({ project })),
  },
  uploadDataset: {
    method: 'POST',
    path: '/v1/datasets',
    summary: 'Uploads rows; the same bytes are stored once.',
    query: projectQuery,
    body: 'bytes',
    headers: { [DATASET_FILENAME_HEADER]: 'What the file is called, percent-encoded.' },
    answer: created(z.object({ dataset })),
  },
  listJobs: {
    method: 'GET',
    path: '/v1/jobs',
    summary: 'Every job of the project, newest first.',
    query: projectQuery,
    tagged: true,
    answer: json(z.object({ jobs: z.array(jobSummary) })),
  },
  createJob: {
    method: 'POST',
    path: '/v1/jobs',
    idempotencyKey: true,
    summary: 'Queues a training job.',
    query: projectQuery,
    body: jobInput,
    answer: created(oneJob),
  },
  getJob: {
    method: 'GET',
    path: '/v1/jobs/:id',
    summary: 'One job.',
    query: projectQuery,
    answer: json(oneJob),
  },
  deleteJob: {
    method: 'DELETE',
    path: '/v1/jobs/:id',
    summary: 'Deletes a finished job that no endpoint uses.',
    query: projectQuery,
    answer: json(oneJob),
  },
  cancelJob: {
    method: 'POST',
    path: '/v1/jobs/:id/cancel',
    summary: 'Cancels a queued or running job; changes nothing about a finished one.',
    query: projectQuery,
    answer: json(oneJob),
  },
  streamJobEvents: {
    method: 'GET',
    path: '/v1/jobs/:id/events/stream',
    summary: "A job's events from its log, then as they happen.",
    query: z.strictObject({ ...projectFields, ...eventCursor }),
    answer: { kind: 'events', schema: jobEvent },
  },
  listArtifacts: {
    method: 'GET',
    path: '/v1/jobs/:id/artifacts',
    summary: "A job's saved adapters.",
    query: projectQuery,
    answer: json(z.object({ artifacts: z.array(artifact) })),
  },
  downloadArtifact: {
    method: 'GET',
    path: '/v1/jobs/:id/artifacts/:name',
    summary: 'An adapter folder in PEFT layout.',
    query: projectQuery,
    answer: { kind: 'bytes', mediaType: 'application/x-tar' },
  },
  chat: {
    method: 'POST',
    path: '/v1/inference/chat',
    summary: 'Chat with the base model or with an adapter.',
    query: projectQuery,
    body: inferenceRequest,
    answer: completion,
  },
  listDeployments: {
    method: 'GET',
    path: '/v1/endpoints',
    summary: 'The deployments of the project.',
    query: projectQuery,
    answer: json(z.object({ deployments: z.array(deployment) })),
  },
  createDeployment: {
    method: 'POST',
    path: '/v1/endpoints',
    idempotencyKey: true,
    summary: 'Publishes a target at a slug.',
    query: projectQuery,
    body: endpointInput,
    answer: created(oneEndpoint),
  },
  getDeployment: {
    method: 'GET',
    path: '/v1/endpoints/:id',
    summary: 'One deployment.',
    query: projectQuery,
    answer: json(oneEndpoint),
  },
  updateDeployment: {
    method: 'PATCH',
    path: '/v1/endpoints/:id',
    summary: 'Changes what is given: enabled, auth mode, target, retention.',
    query: projectQuery,
    body: endpointPatch,
    answer: json(oneEndpoint),
  },
  deleteDeployment: {
    method: 'DELETE',
    path: '/v1/endpoints/:id',
    summary: 'Takes the endpoint down; its slug stays reserved to the organisation.',
    query: projectQuery,
    answer: json(oneEndpoint),
  },
  listDeploymentKeys: {
    method: 'GET',
    path: '/v1/endpoints/:id/keys',
    summary: "A deployment's keys, revoked ones included.",
    query: projectQuery,
    answer: json(z.object({ keys: z.array(key) })),
  },
  issueDeploymentKey: {
    method: 'POST',
    path: '/v1/endpoints/:id/keys',
    idempotencyKey: true,
    summary: 'Issues a key. Its plaintext is answered here and never again.',
    query: projectQuery,
    body: keyInput,
    answer: created(z.object({ key: issuedKey })),
  },
  revokeDeploymentKey: {
    method: 'DELETE',
    path: '/v1/endpoints/:id/keys/:keyId',
    summary: 'Revokes a key; it stays listed.',
    query: projectQuery,
    answer: json(z.object({ key })),
  },
  getCloud: {
    method: 'GET',
    path: '/v1/cloud',
    summary: 'What this cloud is, and a proof that it is the one whose files the caller can read.',
    query: z.strictObject({ nonce: z.optional(z.string().check(z.minLength(1), z.maxLength(128))) }),
    callers: 'anyone',
    answer: json(cloudInfo),
  },
  collectGarbage: {
    method: 'POST',
    path: '/v1/cloud/gc',
    summary: 'Deletes what nothing refers to any more. Asked with the secret of the cloud.',
    callers: 'secret',
    answer: json(z.object({ collected })),
  },
  stopCloud: {
    method: 'POST',
    path: '/v1/cloud/stop',
    summary: 'Asks the process of the cloud to end. Asked with the secret of the cloud.',
    callers: 'secret',
    answer: json(z.object({ pid: z.int() })),
  },
  getHealth: {
    method: 'GET',
    path: '/healthz',
    summary: 'Answers 200 when store and workers answer; with the secret of the cloud also what they do.',
    callers: 'anyone_or_secret',
    answer: json(cloudHealth),
  },
  getOpenApi: {
    method: 'GET',
    path: '/v1/openapi.json',
    summary: 'This API and that of the endpoints as an OpenAPI document.',
    callers: 'anyone',
    answer: json(z.record(z.string(), z.unknown())),
  },
});

export type CloudRoutes = typeof cloudRoutes;

/**
 * The deployment edge: the one operation it offers. It is not mounted as a table: its checks have an order of their own,
 * and `parseChatRequest` reads its body.
 */
export const edgeRoutes = defineRoutes({
  createChatCompletion: {
    method: 'POST',
    path: '/v1/chat/completions',
    summary: 'Chat completions with the deployment that the address names.',
    body: chatCompletionRequest,
    answer: completion,
  },
});

export type EdgeRoutes = typeof edgeRoutes;
