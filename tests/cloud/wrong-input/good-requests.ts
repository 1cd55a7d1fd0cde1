// A valid request for each route of the contract, from which invalid ones are made.
import type { cloudRoutes, ErrorCode } from '../../../lib/contract/index.js';
import type { Owner } from './sample.js';

export interface Good {
  /** The path, with the caller's own resources and without a query. */
  path(owner: Owner): string;
  /** What the query has beside the scope. */
  query?: Record<string, string>;
  /** The error when the ID in the path is someone else's or unknown. */
  missing?: ErrorCode;
  /** A valid body. */
  body?(owner: Owner): Record<string, unknown>;
  /** Who may call, if not signed-in callers: anyone, or those who know the cloud's secret. */
  caller?: 'anyone' | 'secret';
}

const job = ({ doneJob }: Owner) => `/v1/jobs/${doneJob}`;
const endpoint = ({ deployment }: Owner) => `/v1/endpoints/${deployment}`;
const messages = [{ role: 'user', content: 'hi' }];
const final = ({ doneJob }: Owner) => ({ kind: 'final', jobId: doneJob });
const at = (path: string) => () => path;
const digest = 'a'.repeat(64);

/** What every endpoint offers. Bodies of the rest are read as they are for a project. */
export const EDGE = 'createChatCompletion';

export const good: Record<keyof typeof cloudRoutes | typeof EDGE, Good> = {
  signUpAnonymously: { path: at('/v1/auth/anonymous'), body: () => ({ kind: 'cli' }), caller: 'secret' },
  getMe: { path: at('/v1/me') },
  listProjects: { path: at('/v1/projects') },
  createProject: { path: at('/v1/projects'), body: () => ({ name: 'Two', slug: 'two' }) },
  uploadDataset: { path: at('/v1/datasets') },
  previewData: {
    path: at('/v1/data/preview'),
    body: () => ({
      config: { model: 'test/model', datasetSource: { type: 'huggingface', name: 'some/rows' } },
      effort: 'quick',
      finding: 'cut',
      row: 3,
      limit: 10,
      cursor: '20',
      tokens: true,
      measure: false,
    }),
  },
  getUpload: { path: at('/v1/uploads'), query: { digest } },
  appendUpload: { path: at('/v1/uploads'), query: { digest, offset: '0' } },
  finishUpload: { path: at('/v1/uploads'), query: { digest } },
  listJobs: { path: at('/v1/jobs'), query: { limit: '10', cursor: '5' } },
  createJob: {
    path: at('/v1/jobs'),
    body: () => ({
      name: 'a job',
      config: {
        model: 'test/model',
        datasetSource: { type: 'huggingface', name: 'some/rows', split: 'train', subset: 'a' },
        evalDatasetSource: { type: 'blob', url: 'https://example.com/rows.csv', token: 't' },
        loraR: 8,
        loraAlpha: 16,
        loraDropout: 0.1,
        targetModules: ['q_proj'],
        maxLength: 128,
        tooLong: 'skip',
        maxSteps: 3,
        numTrainEpochs: 1,
        learningRate: 0.001,
        batchSize: 2,
        gradientAccumulationSteps: 1,
        lrSchedulerType: 'linear',
        warmupSteps: 1,
        weightDecay: 0.1,
        loggingSteps: 1,
        saveSteps: 2,
        evalSteps: 2,
        trainOnResponsesOnly: true,
        seed: 1,
        dryRun: false,
      },
      trainer: 'triage',
      tags: ['a'],
      note: 'why',
      group: {
        id: '00000000-0000-4000-8000-000000000000',
        settings: [{ name: 'learningRate', value: 0.001 }],
      },
    }),
  },
  getJob: { path: job, missing: 'job_not_found' },
  updateJob: {
    path: job,
    missing: 'job_not_found',
    body: () => ({ name: 'another', tags: ['a', 'b'], note: 'why' }),
  },
  listJobSettings: { path: at('/v1/jobs/settings'), body: ({ doneJob }) => ({ ids: [doneJob] }) },
  deleteJob: { path: job, missing: 'job_not_found' },
  cancelJob: { path: ({ openJob }) => `/v1/jobs/${openJob}/cancel`, missing: 'job_not_found' },
  recordScores: {
    path: owner => `${job(owner)}/scores`,
    body: () => ({ step: 10, scores: { accuracy: 0.5 } }),
    missing: 'job_not_found',
  },
  streamJobEvents: { path: owner => `${job(owner)}/events/stream`, missing: 'job_not_found' },
  listJobRows: { path: owner => `${job(owner)}/rows`, missing: 'job_not_found' },
  getJobManifest: { path: owner => `${job(owner)}/manifest`, missing: 'job_not_found' },
  listArtifacts: { path: owner => `${job(owner)}/artifacts`, missing: 'job_not_found' },
  downloadArtifact: { path: owner => `${job(owner)}/artifacts/final`, missing: 'job_not_found' },
  importAdapter: { path: at('/v1/adapters') },
  chat: {
    path: at('/v1/inference/chat'),
    body: owner => ({
      messages,
      adapter: final(owner),
      stream: false,
      temperature: 1,
      topP: 1,
      maxTokens: 5,
      stop: ['x'],
      seed: 1,
    }),
  },
  getOverview: { path: at('/v1/overview') },
  listDeployments: { path: at('/v1/endpoints') },
  createDeployment: {
    path: at('/v1/endpoints'),
    body: owner => ({
      slug: 'new-bot',
      target: { kind: 'adapter', adapter: final(owner) },
      authMode: 'none',
      operations: ['chat', 'models'],
      corsOrigins: ['https://app.example.com'],
      runRetentionMode: 'days',
      runRetentionDays: 3,
      keepRequests: true,
    }),
  },
  getDeployment: { path: endpoint, missing: 'deployment_not_found' },
  updateDeployment: {
    path: endpoint,
    missing: 'deployment_not_found',
    body: owner => ({
      enabled: false,
      authMode: 'none',
      target: { kind: 'adapter', adapter: { ...final(owner), kind: 'checkpoint', step: 5 } },
      operations: ['chat', 'models'],
      corsOrigins: ['https://app.example.com'],
      runRetentionMode: 'days',
      runRetentionDays: 3,
      keepRequests: true,
    }),
  },
  deleteDeployment: { path: endpoint, missing: 'deployment_not_found' },
  listDeploymentKeys: { path: owner => `${endpoint(owner)}/keys`, missing: 'deployment_not_found' },
  issueDeploymentKey: {
    path: owner => `${endpoint(owner)}/keys`,
    missing: 'deployment_not_found',
    body: () => ({ label: 'x' }),
  },
  revokeDeploymentKey: {
    path: owner => `${endpoint(owner)}/keys/${owner.key}`,
    missing: 'deployment_not_found',
  },
  listKeptRequests: { path: owner => `${endpoint(owner)}/requests`, missing: 'deployment_not_found' },
  getKeptRequest: {
    path: owner => `${endpoint(owner)}/requests/00000000-0000-4000-8000-000000000000`,
    missing: 'deployment_not_found',
  },
  deleteKeptRequest: {
    path: owner => `${endpoint(owner)}/requests/00000000-0000-4000-8000-000000000000`,
    missing: 'deployment_not_found',
  },
  updateKeptRequest: {
    path: owner => `${endpoint(owner)}/requests/00000000-0000-4000-8000-000000000000`,
    missing: 'deployment_not_found',
    body: () => ({
      correction: {
        content: 'Hi',
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }],
      },
    }),
  },
  listProjectKeys: { path: at('/v1/project-keys') },
  issueProjectKey: { path: at('/v1/project-keys'), body: () => ({ label: 'x' }) },
  revokeProjectKey: {
    path: at('/v1/project-keys/00000000-0000-4000-8000-000000000000'),
    missing: 'key_not_found',
  },
  getCloud: { path: at('/v1/cloud'), caller: 'anyone' },
  collectGarbage: { path: at('/v1/cloud/gc'), caller: 'secret' },
  stopCloud: { path: at('/v1/cloud/stop'), caller: 'secret' },
  getCluster: { path: at('/v1/cluster') },
  getHealth: { path: at('/healthz'), caller: 'anyone' },
  getOpenApi: { path: at('/v1/openapi.json'), caller: 'anyone' },
  [EDGE]: {
    path: at('/d/open-bot/v1/chat/completions'),
    body: () => ({
      messages,
      stream: false,
      stream_options: { include_usage: true },
      temperature: 1,
      top_p: 1,
      max_tokens: 5,
      max_completion_tokens: 5,
      stop: ['x'],
      seed: 1,
      n: 1,
      frequency_penalty: 0,
      presence_penalty: 0,
      logprobs: true,
      top_logprobs: 2,
      response_format: { type: 'text' },
      tools: [],
      tool_choice: 'none',
    }),
    caller: 'anyone',
  },
};
