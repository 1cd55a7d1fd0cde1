// The loopback API that Studio serves, with its input and output shapes. Two are its own: the project's trainer, and the run
// started from Studio.
import * as z from 'zod/mini';
import { STUDIO_TOKEN_QUERY, studioAddresses } from '../addresses.js';
import { clusterAnswer } from '../cluster.js';
import { deployment, deploymentInput, deploymentPatch } from '../deployment.js';
import { chatCompletion, chatCompletionChunk, inferenceRequest } from '../formats/chat.js';
import { identity } from '../identity.js';
import { dataPreview, studioDataPreviewInput } from '../job/data-preview.js';
import { jobEvent } from '../job/event.js';
import { EVENT_BATCH } from '../job/event-batch.js';
import { job, jobPatch, jobSummary } from '../job/job.js';
import { jobListChanges, jobSettings, jobSettingsInput, overview } from '../job/job-lists.js';
import { rowLosses, rowLossQuery } from '../job/row-losses.js';
import { keptRequest, keptRequestChange, keptRequestQuery, keptRequests } from '../kept-requests.js';
import { issuedKey, key, keyInput } from '../key.js';
import { created, defineRoutes, json } from '../route.js';
import { eventCursor, positiveInteger, timestamp } from '../text.js';

/** A summary of the project's trainer; null if the build registered none. */
const manifest = z.object({
  trainer: z.nullable(
    z.object({
      name: z.string(),
      model: z.string(),
      maxSteps: z.optional(positiveInteger),
      /** What it trains on: the name of a file or data set, if it has one. */
      data: z.optional(
        z.object({
          name: z.optional(z.string()),
          rows: z.optional(z.int()),
          bytes: z.optional(z.int()),
        }),
      ),
    }),
  ),
});

export type Manifest = z.output<typeof manifest>;

const trainStatus = z.object({
  running: z.boolean(),
  startedAt: z.nullable(timestamp),
  jobId: z.nullable(z.string()),
  exitCode: z.nullable(z.int()),
});

export type TrainStatus = z.output<typeof trainStatus>;

const oneDeployment = z.object({ deployment });

export const studioRoutes = defineRoutes({
  getIdentity: {
    ...studioAddresses.getIdentity,
    summary:
      "Returns the caller's identity. Creates an anonymous one if there are no credentials for this cloud.",
    answer: json(identity),
  },
  getManifest: {
    ...studioAddresses.getManifest,
    summary: "Builds the project's entry file and summarizes its trainer.",
    answer: json(manifest),
  },
  getTrainStatus: {
    ...studioAddresses.getTrainStatus,
    summary: 'Returns the run started from this Studio.',
    answer: json(trainStatus),
  },
  startTraining: {
    ...studioAddresses.startTraining,
    summary: 'Runs `svc start` and streams its output.',
    answer: { kind: 'text' },
  },
  streamTrainOutput: {
    ...studioAddresses.streamTrainOutput,
    summary: "Streams the run's output from the start.",
    answer: { kind: 'text' },
  },
  previewData: {
    ...studioAddresses.previewData,
    summary:
      "Checks a data set, the trainer's by default, as a run would read it: findings, counts, and a page of rows.",
    body: studioDataPreviewInput,
    answer: json(dataPreview),
  },
  listJobs: {
    ...studioAddresses.listJobs,
    summary: "Lists the project's jobs, newest first.",
    tagged: true,
    changes: jobListChanges,
    answer: json(z.object({ jobs: z.array(jobSummary) })),
  },
  getJob: {
    ...studioAddresses.getJob,
    summary: 'Returns a job.',
    answer: json(z.object({ job })),
  },
  updateJob: {
    ...studioAddresses.updateJob,
    summary: "Changes a job's name, tags or note.",
    body: jobPatch,
    answer: json(z.object({ job })),
  },
  listJobSettings: {
    ...studioAddresses.listJobSettings,
    summary: 'Returns the settings of up to 500 jobs, without their samples. Unknown jobs are left out.',
    body: jobSettingsInput,
    answer: json(jobSettings),
  },
  listJobRows: {
    ...studioAddresses.listJobRows,
    summary:
      'Lists the rows that a job has trained on with their losses, worst first. With `step`, the rows of that step.',
    query: z.strictObject(rowLossQuery),
    answer: json(rowLosses),
  },
  streamJobEvents: {
    ...studioAddresses.streamJobEvents,
    summary: "Streams a job's events: first those logged so far, then live.",
    query: z.strictObject({
      ...eventCursor,
      [STUDIO_TOKEN_QUERY]: z.optional(z.string()),
      /** Studio's own faces read a long log in batches. */
      [EVENT_BATCH]: z.optional(z.literal('1')),
    }),
    answer: { kind: 'events', schema: jobEvent },
  },
  chat: {
    ...studioAddresses.chat,
    summary: 'Chats with the base model or an adapter.',
    body: inferenceRequest,
    answer: { kind: 'completion', schema: chatCompletion, chunk: chatCompletionChunk },
  },
  getOverview: {
    ...studioAddresses.getOverview,
    summary: 'Returns what goes on in the project. Empty without one, or with a cloud that has no overview.',
    answer: json(overview),
  },
  listDeployments: {
    ...studioAddresses.listDeployments,
    summary: "Lists the project's deployments.",
    answer: json(z.object({ deployments: z.array(deployment) })),
  },
  createDeployment: {
    ...studioAddresses.createDeployment,
    summary: 'Creates a deployment.',
    body: deploymentInput,
    answer: created(oneDeployment),
  },
  getDeployment: {
    ...studioAddresses.getDeployment,
    summary: 'Returns a deployment.',
    answer: json(oneDeployment),
  },
  updateDeployment: {
    ...studioAddresses.updateDeployment,
    summary: 'Enables or disables a deployment, or changes its auth mode.',
    body: deploymentPatch,
    answer: json(oneDeployment),
  },
  listDeploymentKeys: {
    ...studioAddresses.listDeploymentKeys,
    summary: "Lists a deployment's keys, including revoked ones.",
    answer: json(z.object({ keys: z.array(key) })),
  },
  issueDeploymentKey: {
    ...studioAddresses.issueDeploymentKey,
    summary: 'Issues a key. The plaintext is returned only once.',
    body: keyInput,
    answer: created(z.object({ key: issuedKey })),
  },
  revokeDeploymentKey: {
    ...studioAddresses.revokeDeploymentKey,
    summary: 'Revokes a key. It stays in the list.',
    answer: json(z.object({ key })),
  },
  listKeptRequests: {
    ...studioAddresses.listKeptRequests,
    summary: 'Lists the requests that a deployment has kept, with their answers, newest first.',
    query: z.strictObject(keptRequestQuery),
    answer: json(keptRequests),
  },
  getKeptRequest: {
    ...studioAddresses.getKeptRequest,
    summary: 'Returns a request that a deployment has kept.',
    answer: json(z.object({ request: keptRequest })),
  },
  updateKeptRequest: {
    ...studioAddresses.updateKeptRequest,
    summary: 'Marks the answer to a kept request, or corrects it.',
    body: keptRequestChange,
    answer: json(z.object({ request: keptRequest })),
  },
  deleteKeptRequest: {
    ...studioAddresses.deleteKeptRequest,
    summary: 'Deletes a request that a deployment has kept, and its answer.',
    answer: json(z.object({ request: keptRequest })),
  },
  getCluster: {
    ...studioAddresses.getCluster,
    summary: "Describes the cluster that the cloud trains on, with the project's jobs there.",
    answer: json(clusterAnswer),
  },
  getOpenApi: {
    ...studioAddresses.getOpenApi,
    summary: 'Returns the OpenAPI document of this API.',
    answer: json(z.record(z.string(), z.unknown())),
  },
});

export type StudioRoutes = typeof studioRoutes;
