// The loopback API that Studio serves. Most of its routes are the cloud's, some of them narrowed; the others are about the
// project's trainer and the run started from Studio.
import * as z from 'zod/mini';
import { type RouteAddress, STUDIO_TOKEN_QUERY, studioAddresses } from '../addresses.js';
import { servedModel } from '../base-model.js';
import { deploymentInput, deploymentPatch } from '../deployment.js';
import { evaluationQuery, evaluationRowQuery } from '../evaluation.js';
import { identity } from '../identity.js';
import { jobAnswersQuery } from '../job/answers.js';
import { studioDataPreviewInput } from '../job/data-preview.js';
import { jobSummary } from '../job/job.js';
import { rowLossQuery } from '../job/row-losses.js';
import { keptRequestQuery } from '../kept-requests.js';
import { defineRoutes, json, type Route } from '../route.js';
import { eventCursor, positiveInteger, timestamp } from '../text.js';
import { type CloudRoutes, cloudRoutes } from './cloud-routes.js';

/** A summary of the project's trainer; null if the build registered none. */
const manifest = z.object({
  trainer: z.nullable(
    z.object({
      name: z.string(),
      model: z.string(),
      maxSteps: z.optional(positiveInteger),
      /** The training data: the name of a file or data set, if it has one. */
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
  /** When the build that a run would use was made; absent without one. */
  builtAt: z.optional(timestamp),
});

export type TrainStatus = z.output<typeof trainStatus>;

type Forwarded<Name extends keyof CloudRoutes & keyof typeof studioAddresses> = Omit<
  CloudRoutes[Name],
  keyof RouteAddress | 'query' | 'headers'
> &
  (typeof studioAddresses)[Name];

/** The cloud's route of the same name at Studio's address. Studio adds the project to its query. */
function forwarded<Name extends keyof CloudRoutes & keyof typeof studioAddresses>(
  name: Name,
): Forwarded<Name> {
  const { query: _, headers: __, ...route }: Route = cloudRoutes[name];
  return { ...route, ...studioAddresses[name] } as unknown as Forwarded<Name>;
}

export const studioRoutes = defineRoutes({
  getIdentity: {
    ...studioAddresses.getIdentity,
    summary:
      "Returns the caller's identity. Creates an anonymous one if there are no credentials for this cloud, except with `known`.",
    query: z.strictObject({
      /** `true`: creates none. */
      known: z.optional(z.enum(['true'])),
    }),
    response: json(identity),
  },
  getManifest: {
    ...studioAddresses.getManifest,
    summary:
      "Builds the project's entry file and summarizes its trainer. With `reuse`, builds only if there is no build.",
    query: z.strictObject({
      /** `true`: summarizes the build that a run would use. */
      reuse: z.optional(z.enum(['true'])),
    }),
    response: json(manifest),
  },
  getTrainStatus: {
    ...studioAddresses.getTrainStatus,
    summary: 'Returns the run started from this Studio, and when the project was built.',
    response: json(trainStatus),
  },
  startTraining: {
    ...studioAddresses.startTraining,
    summary: 'Runs `svc start` and streams its output.',
    response: { kind: 'text' },
  },
  streamTrainOutput: {
    ...studioAddresses.streamTrainOutput,
    summary: "Streams the run's output from the start.",
    response: { kind: 'text' },
  },
  previewData: {
    ...forwarded('previewData'),
    summary:
      "Checks a data set, the trainer's by default, as a run would read it: findings, counts, and a page of rows.",
    body: studioDataPreviewInput,
  },
  readDataRows: {
    ...studioAddresses.readDataRows,
    summary:
      "Returns the rows of the trainer's data set as JSON lines, also those that it makes. No teacher is asked.",
    response: { kind: 'bytes', mediaType: 'application/jsonl' },
  },
  listJobs: {
    ...forwarded('listJobs'),
    summary: "Lists the project's jobs, newest first.",
    response: json(z.object({ jobs: z.array(jobSummary) })),
  },
  getJob: forwarded('getJob'),
  updateJob: forwarded('updateJob'),
  listJobSettings: forwarded('listJobSettings'),
  listJobRows: { ...forwarded('listJobRows'), query: z.strictObject(rowLossQuery) },
  listJobAnswers: { ...forwarded('listJobAnswers'), query: z.strictObject(jobAnswersQuery) },
  readJobLog: { ...forwarded('readJobLog'), query: z.strictObject(eventCursor) },
  streamJobEvents: {
    ...forwarded('streamJobEvents'),
    query: z.strictObject({ ...eventCursor, [STUDIO_TOKEN_QUERY]: z.optional(z.string()) }),
  },
  chat: forwarded('chat'),
  getOverview: {
    ...forwarded('getOverview'),
    summary: 'Returns the activity in the project. Empty without one, or with a cloud that has no overview.',
  },
  listDeployments: forwarded('listDeployments'),
  createDeployment: { ...forwarded('createDeployment'), body: deploymentInput },
  getDeployment: forwarded('getDeployment'),
  updateDeployment: {
    ...forwarded('updateDeployment'),
    summary:
      'Enables or disables a deployment, changes its auth mode, promotes or ends its canary, or sets `requireGate`: whether it follows only what has passed `svc ship`.',
    body: deploymentPatch,
  },
  listDeploymentKeys: forwarded('listDeploymentKeys'),
  issueDeploymentKey: forwarded('issueDeploymentKey'),
  revokeDeploymentKey: forwarded('revokeDeploymentKey'),
  listKeptRequests: { ...forwarded('listKeptRequests'), query: z.strictObject(keptRequestQuery) },
  getKeptRequest: forwarded('getKeptRequest'),
  updateKeptRequest: forwarded('updateKeptRequest'),
  deleteKeptRequest: forwarded('deleteKeptRequest'),
  listEvaluations: { ...forwarded('listEvaluations'), query: z.strictObject(evaluationQuery) },
  getEvaluation: forwarded('getEvaluation'),
  listEvaluationRows: { ...forwarded('listEvaluationRows'), query: z.strictObject(evaluationRowQuery) },
  deleteEvaluation: forwarded('deleteEvaluation'),
  getBaseModel: {
    ...forwarded('getBaseModel'),
    summary: "Describes the cloud's base model; null if the cloud does not say.",
    response: json(z.object({ baseModel: z.nullable(servedModel) })),
  },
  getCluster: forwarded('getCluster'),
  getOpenApi: {
    ...studioAddresses.getOpenApi,
    summary: 'Returns the OpenAPI document of this API.',
    response: json(z.record(z.string(), z.unknown())),
  },
});

export type StudioRoutes = typeof studioRoutes;
