// The cloud API. The query carries the scope: organization and project.
import * as z from 'zod/mini';
import { DATASET_HEADERS } from '../addresses.js';
import { servedModel } from '../base-model.js';
import { clusterResponse } from '../cluster.js';
import { chatCompletion, chatCompletionChunk, inferenceRequest } from '../formats/chat.js';
import {
  anonymousIdentity,
  anonymousInput,
  cloudHealth,
  cloudInfo,
  collected,
  dataset,
  me,
  orgQuery,
  partialUpload,
  project,
  projectFields,
  projectInput,
  projectQuery,
} from '../identity.js';
import { dataPreview, dataPreviewInput } from '../job/data-preview.js';
import { scoreRecorded, scoreReport } from '../job/evals.js';
import { jobEvent } from '../job/event.js';
import { adapterImportFields, artifact, job, jobInput, jobPatch } from '../job/job.js';
import { EDITABLE_WORDS } from '../job/job-fields.js';
import { jobImport } from '../job/job-import.js';
import {
  jobList,
  jobListChanges,
  jobListQuery,
  jobSettings,
  jobSettingsInput,
  overview,
} from '../job/job-lists.js';
import { rowLosses, rowLossQuery } from '../job/row-losses.js';
import { runManifest } from '../job/run.js';
import { issuedKey, key, keyInput } from '../key.js';
import { created, defineRoutes, json } from '../route.js';
import { eventCursor, sha256, textLike } from '../text.js';
import { deploymentRoutes } from './deployment-routes.js';
import { evaluationRoutes } from './evaluation-routes.js';
import { rewardRoutes } from './reward-routes.js';

export const DEFAULT_CLOUD_PORT = 4100;

const uploadFields = {
  ...projectFields,
  /** Hexadecimal. */
  digest: sha256,
};
const uploadQuery = z.strictObject(uploadFields);
const oneUpload = z.object({ upload: partialUpload });
const oneJob = z.object({ job });
const completion = { kind: 'completion', schema: chatCompletion, chunk: chatCompletionChunk } as const;

export const cloudRoutes = defineRoutes({
  signUpAnonymously: {
    method: 'POST',
    path: '/v1/auth/anonymous',
    idempotencyKey: true,
    summary: 'Creates an anonymous identity and its personal organization.',
    body: anonymousInput,
    callers: 'secret',
    response: created(anonymousIdentity),
  },
  getMe: {
    method: 'GET',
    path: '/v1/me',
    summary: "Returns the caller's identity and organizations.",
    response: json(me),
  },
  listProjects: {
    method: 'GET',
    path: '/v1/projects',
    summary: "Lists an organization's projects.",
    query: orgQuery,
    response: json(z.object({ projects: z.array(project) })),
  },
  createProject: {
    method: 'POST',
    path: '/v1/projects',
    idempotencyKey: true,
    summary: 'Creates a project.',
    query: orgQuery,
    body: projectInput,
    response: created(z.object({ project })),
  },
  uploadDataset: {
    method: 'POST',
    path: '/v1/datasets',
    summary: 'Uploads a data set. Identical files are stored once.',
    query: projectQuery,
    body: 'bytes',
    headers: DATASET_HEADERS,
    response: created(z.object({ dataset })),
  },
  getUpload: {
    method: 'GET',
    path: '/v1/uploads',
    summary:
      'Says how many bytes of an upload have arrived. `digest` is the SHA-256 of all of its bytes. All of them have if the organization has a data set with these bytes.',
    query: uploadQuery,
    response: json(oneUpload),
  },
  appendUpload: {
    method: 'PATCH',
    path: '/v1/uploads',
    summary:
      'Adds bytes to an upload after the first `offset` ones, or starts it. Bytes that arrive before the connection breaks are kept for a day. A later request ends an earlier one.',
    query: z.strictObject({ ...uploadFields, offset: textLike(/^\d{1,15}$/, 'a whole number') }),
    body: 'bytes',
    response: json(oneUpload),
  },
  finishUpload: {
    method: 'POST',
    path: '/v1/uploads',
    summary: 'Makes a data set of an upload that has arrived completely. May be sent again.',
    query: uploadQuery,
    headers: DATASET_HEADERS,
    response: created(z.object({ dataset })),
  },
  previewData: {
    method: 'POST',
    path: '/v1/data/preview',
    summary:
      'Checks a data set as a job with this config would read it: findings, counts, and a page of rows. Creates nothing.',
    query: projectQuery,
    body: dataPreviewInput,
    response: json(dataPreview),
  },
  listJobs: {
    method: 'GET',
    path: '/v1/jobs',
    summary:
      "Lists the project's jobs, newest first: all of them, or with `limit` a page, whose `nextCursor` leads to the next one.",
    query: z.strictObject({ ...projectFields, ...jobListQuery }),
    tagged: true,
    changes: jobListChanges,
    response: json(jobList),
  },
  createJob: {
    method: 'POST',
    path: '/v1/jobs',
    idempotencyKey: true,
    summary: 'Queues a training job.',
    query: projectQuery,
    body: jobInput,
    response: created(oneJob),
  },
  importJob: {
    method: 'POST',
    path: '/v1/jobs/import',
    idempotencyKey: true,
    summary:
      'Makes an ended job of a run that another provider has finished. It has no adapter. The project has one for each ID there: if it is imported again, that one is returned as it is.',
    query: projectQuery,
    body: jobImport,
    response: created(oneJob),
  },
  getJob: {
    method: 'GET',
    path: '/v1/jobs/:id',
    summary: 'Returns a job.',
    query: projectQuery,
    response: json(oneJob),
  },
  updateJob: {
    method: 'PATCH',
    path: '/v1/jobs/:id',
    summary: `Changes a job's ${EDITABLE_WORDS}.`,
    query: projectQuery,
    body: jobPatch,
    response: json(oneJob),
  },
  listJobSettings: {
    method: 'POST',
    path: '/v1/jobs/settings',
    summary: 'Returns the settings of up to 500 jobs, without their samples. Unknown jobs are left out.',
    query: projectQuery,
    body: jobSettingsInput,
    response: json(jobSettings),
  },
  deleteJob: {
    method: 'DELETE',
    path: '/v1/jobs/:id',
    summary: 'Deletes a finished job that no endpoint uses or follows.',
    query: projectQuery,
    response: json(oneJob),
  },
  cancelJob: {
    method: 'POST',
    path: '/v1/jobs/:id/cancel',
    summary: 'Cancels a queued or running job. Has no effect on a finished job.',
    query: projectQuery,
    response: json(oneJob),
  },
  readJobLog: {
    method: 'GET',
    path: '/v1/jobs/:id/log',
    summary:
      "Returns a job's events so far as lines of JSON: each an event as in the stream, or many steps in columns.",
    query: z.strictObject({ ...projectFields, ...eventCursor }),
    response: { kind: 'bytes', mediaType: 'application/x-ndjson' },
  },
  streamJobEvents: {
    method: 'GET',
    path: '/v1/jobs/:id/events/stream',
    summary: "Streams a job's events: first those logged so far, then live.",
    query: z.strictObject({ ...projectFields, ...eventCursor }),
    response: { kind: 'events', schema: jobEvent },
  },
  recordScores: {
    method: 'POST',
    path: '/v1/jobs/:id/scores',
    summary:
      'Records scores of an adapter of the job, also after its end. A score is recorded once for each step and name, and the answer has what was recorded, so it may be sent again.',
    query: projectQuery,
    body: scoreReport,
    response: json(z.object({ scores: z.array(scoreRecorded) })),
  },
  ...rewardRoutes,
  listJobRows: {
    method: 'GET',
    path: '/v1/jobs/:id/rows',
    summary:
      'Lists the rows that a job has trained on with their losses, worst first. With `step`, the rows of that step.',
    query: z.strictObject({ ...projectFields, ...rowLossQuery }),
    response: json(rowLosses),
  },
  getJobManifest: {
    method: 'GET',
    path: '/v1/jobs/:id/manifest',
    summary: "Returns what a job's run depended on: options, data, model, software and machine.",
    query: projectQuery,
    response: json(z.object({ manifest: runManifest })),
  },
  listArtifacts: {
    method: 'GET',
    path: '/v1/jobs/:id/artifacts',
    summary: "Lists a job's saved adapters.",
    query: projectQuery,
    response: json(z.object({ artifacts: z.array(artifact) })),
  },
  downloadArtifact: {
    method: 'GET',
    path: '/v1/jobs/:id/artifacts/:name',
    summary: 'Downloads an adapter folder in PEFT layout.',
    query: projectQuery,
    response: { kind: 'bytes', mediaType: 'application/x-tar' },
  },
  importAdapter: {
    method: 'POST',
    path: '/v1/adapters',
    idempotencyKey: true,
    summary:
      "Makes a completed job of an adapter that was trained elsewhere. The body is a tar archive of its adapter_config.json and adapter_model.safetensors, in PEFT layout. With `sameBaseModel=true`, the base model that it names is this cloud's under another name.",
    query: z.strictObject({ ...projectFields, ...adapterImportFields }),
    body: 'bytes',
    response: created(oneJob),
  },
  chat: {
    method: 'POST',
    path: '/v1/inference/chat',
    summary: 'Chats with the base model or an adapter.',
    query: projectQuery,
    body: inferenceRequest,
    response: completion,
  },
  getOverview: {
    method: 'GET',
    path: '/v1/overview',
    summary:
      "Returns the activity in a project: running jobs, latest results, and its endpoints' requests of the last hour.",
    query: projectQuery,
    response: json(overview),
  },
  ...deploymentRoutes,
  ...evaluationRoutes,
  listProjectKeys: {
    method: 'GET',
    path: '/v1/project-keys',
    summary: "Lists the project's own keys, including revoked ones. They are for all of its models.",
    query: projectQuery,
    response: json(z.object({ keys: z.array(key) })),
  },
  issueProjectKey: {
    method: 'POST',
    path: '/v1/project-keys',
    idempotencyKey: true,
    summary: "Issues a key for all of the project's models. The plaintext is returned only once.",
    query: projectQuery,
    body: keyInput,
    response: created(z.object({ key: issuedKey })),
  },
  revokeProjectKey: {
    method: 'DELETE',
    path: '/v1/project-keys/:keyId',
    summary: "Revokes one of the project's own keys. It stays in the list.",
    query: projectQuery,
    response: json(z.object({ key })),
  },
  getCloud: {
    method: 'GET',
    path: '/v1/cloud',
    summary: 'Describes this cloud and proves that it owns the files the caller can read.',
    query: z.strictObject({ nonce: z.optional(z.string().check(z.minLength(1), z.maxLength(128))) }),
    callers: 'anyone',
    response: json(cloudInfo),
  },
  getBaseModel: {
    method: 'GET',
    path: '/v1/base-model',
    summary: 'Describes the base model: its facts, and what a chat with it waits for.',
    callers: 'anyone',
    response: json(z.object({ baseModel: servedModel })),
  },
  collectGarbage: {
    method: 'POST',
    path: '/v1/cloud/gc',
    summary: "Deletes unused files. Requires the cloud's secret.",
    callers: 'secret',
    response: json(z.object({ collected })),
  },
  stopCloud: {
    method: 'POST',
    path: '/v1/cloud/stop',
    summary: "Stops the cloud's process. Requires the cloud's secret.",
    callers: 'secret',
    response: json(z.object({ pid: z.int() })),
  },
  getCluster: {
    method: 'GET',
    path: '/v1/cluster',
    summary: "Describes the cluster that the cloud trains on, with the project's jobs there.",
    query: projectQuery,
    response: json(clusterResponse),
  },
  getHealth: {
    method: 'GET',
    path: '/healthz',
    summary:
      "Returns 200 if the store and workers respond. With the cloud's secret, also returns their activity.",
    callers: 'anyone_or_secret',
    response: json(cloudHealth),
  },
  getOpenApi: {
    method: 'GET',
    path: '/v1/openapi.json',
    summary: 'Returns the OpenAPI document of this API and of its deployments.',
    callers: 'anyone',
    response: json(z.record(z.string(), z.unknown())),
  },
});

export type CloudRoutes = typeof cloudRoutes;
