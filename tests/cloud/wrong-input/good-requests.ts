// Valid requests for the routes of the contract, from which invalid ones are made.
import type { cloudRoutes, ErrorCode, Route } from '../../../lib/contract/index.js';
import { sampleEvaluationInput, sampleGate } from '../../support/sample-evaluation.js';
import type { Owner } from './sample.js';

export interface Good {
  /** What the query has beside the scope. */
  query?: Record<string, string>;
  /** A valid body. */
  body?(owner: Owner): Record<string, unknown>;
  /** Who may call, if not signed-in callers: anyone, or those who know the cloud's secret. */
  caller?: 'anyone' | 'secret';
}

const messages = [{ role: 'user', content: 'hi' }];
const final = ({ doneJob }: Owner) => ({ kind: 'final', jobId: doneJob });
const digest = 'a'.repeat(64);
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

/** What every endpoint offers. Bodies of the rest are read as they are for a project. */
export const EDGE = 'createChatCompletion';

type Name = keyof typeof cloudRoutes | typeof EDGE;

/** The route's address, with the owner's own resources and without a query. */
export function pathOf(name: string, { path }: Route, owner: Owner): string {
  if (name === EDGE) return '/d/open-bot/v1/chat/completions';
  const job = name === 'cancelJob' ? owner.openJob : owner.doneJob;
  const ids: Record<string, string> = {
    ':id': path.startsWith('/v1/endpoints')
      ? owner.deployment
      : path.startsWith('/v1/evaluations')
        ? UNKNOWN
        : job,
    ':keyId': path.startsWith('/v1/endpoints') ? owner.key : UNKNOWN,
    ':requestId': UNKNOWN,
    ':name': 'final',
  };
  return path.replaceAll(/:\w+/g, part => ids[part]!);
}

/** The error when the first ID in the route's address is someone else's or unknown. */
export function missingOf({ path }: Route): ErrorCode {
  if (path.startsWith('/v1/jobs')) return 'job_not_found';
  if (path.startsWith('/v1/evaluations')) return 'evaluation_not_found';
  return path.startsWith('/v1/endpoints') ? 'deployment_not_found' : 'key_not_found';
}

const evaluationInput = sampleEvaluationInput();
const base = { kind: 'base_model', baseModel: 'test/model' };
const sampling = { temperature: 1, seed: 1, stop: ['x'], stream: false };
const adapterSize = { loraR: 8, loraAlpha: 16, loraDropout: 0.1, targetModules: ['q_proj'] };
const rowHandling = { maxLength: 128, tooLong: 'skip', trainOnResponsesOnly: true, batchSize: 2 };
const steps = { maxSteps: 3, loggingSteps: 1, saveSteps: 2, evalSteps: 2, gradientAccumulationSteps: 1 };
const rates = {
  learningRate: 0.001,
  lrSchedulerType: 'linear',
  warmupSteps: 1,
  weightDecay: 0.1,
  maxGradNorm: 2,
};
const preview = {
  effort: 'quick',
  finding: 'cut',
  row: 3,
  limit: 10,
  cursor: '20',
  tokens: true,
  measure: false,
};
const endpointFields = {
  operations: ['chat', 'models'],
  authMode: 'none',
  corsOrigins: ['https://app.example.com'],
  runRetentionMode: 'days',
  runRetentionDays: 3,
  keepRequests: true,
};

/** What the others send is their address alone. */
export const good: Partial<Record<Name, Good>> = {
  signUpAnonymously: { body: () => ({ kind: 'cli' }), caller: 'secret' },
  createProject: { body: () => ({ name: 'Two', slug: 'two' }) },
  previewData: {
    body: () => ({
      config: { model: 'test/model', datasetSource: { type: 'huggingface', name: 'some/rows' } },
      ...preview,
    }),
  },
  importJob: {
    body: () => ({
      name: 'x',
      tags: ['a'],
      note: 'n',
      origin: { provider: 'openai', id: 'ftjob-1', model: 'gpt', fineTunedModel: 'ft:gpt' },
      status: 'failed',
      error: 'why',
      createdAt: '2026-01-01T00:00:00.000Z',
      startedAt: '2026-01-01T00:00:00.000Z',
      completedAt: '2026-01-01T00:00:00.000Z',
      steps: { step: [1], time: [5], loss: [0.5], evalLoss: [null] },
    }),
  },
  getUpload: { query: { digest } },
  appendUpload: { query: { digest, offset: '0' } },
  finishUpload: { query: { digest } },
  listJobs: { query: { limit: '10', cursor: '5' } },
  createJob: {
    body: () => ({
      name: 'a job',
      config: {
        model: 'test/model',
        datasetSource: { type: 'huggingface', name: 'some/rows', split: 'train', subset: 'a' },
        evalDatasetSource: { type: 'blob', url: 'https://example.com/rows.csv', token: 't' },
        ...adapterSize,
        ...rowHandling,
        ...steps,
        ...rates,
        numTrainEpochs: 1,
        seed: 1,
        dryRun: false,
      },
      trainer: 'triage',
      tags: ['a'],
      note: 'why',
      group: { id: UNKNOWN, settings: [{ name: 'learningRate', value: 0.001 }] },
    }),
  },
  updateJob: { body: () => ({ name: 'another', tags: ['a', 'b'], note: 'why' }) },
  listJobSettings: { body: ({ doneJob }) => ({ ids: [doneJob] }) },
  recordScores: { body: () => ({ step: 10, scores: { accuracy: 0.5 } }) },
  gradeAnswers: {
    body: () => ({
      grader: { type: 'string_check', name: 'a', input: 'b', reference: 'c', operation: 'eq' },
      answers: [
        {
          item: { sum: 2 },
          text: 'b',
          toolCalls: [{ id: 'call_0', type: 'function', function: { name: 'add', arguments: '{}' } }],
        },
      ],
    }),
  },
  listJobAnswers: { query: { step: '3' } },
  reportRewards: { body: () => ({ id: 'a', rewards: [[{ reward: 1, parts: { b: 1 } }]] }) },
  chat: {
    body: owner => ({ messages, adapter: final(owner), ...sampling, topP: 1, maxTokens: 5 }),
  },
  createDeployment: {
    body: owner => ({
      slug: 'new-bot',
      target: { kind: 'adapter', adapter: final(owner) },
      ...endpointFields,
    }),
  },
  updateDeployment: {
    body: owner => ({
      enabled: false,
      target: { kind: 'adapter', adapter: { ...final(owner), kind: 'checkpoint', step: 5 } },
      canary: { target: { kind: 'adapter', adapter: final(owner) }, share: 0.1 },
      ...endpointFields,
    }),
  },
  listEvaluations: { query: { endpoint: 'open-bot' } },
  createEvaluation: {
    body: owner => ({
      ...evaluationInput,
      gate: sampleGate({ margin: 0.02 }),
      comparison: { ...evaluationInput.comparison, against: { target: base, endpoint: 'open-bot' } },
      subject: { target: { kind: 'adapter', adapter: final(owner) }, endpoint: 'open-bot' },
    }),
  },
  issueDeploymentKey: { body: () => ({ label: 'x' }) },
  updateKeptRequest: {
    body: () => ({
      correction: {
        content: 'Hi',
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }],
      },
    }),
  },
  issueProjectKey: { body: () => ({ label: 'x' }) },
  getCloud: { caller: 'anyone' },
  collectGarbage: { caller: 'secret' },
  stopCloud: { caller: 'secret' },
  getHealth: { caller: 'anyone' },
  getBaseModel: { caller: 'anyone' },
  getOpenApi: { caller: 'anyone' },
  [EDGE]: {
    body: () => ({
      messages,
      ...sampling,
      top_p: 1,
      max_tokens: 5,
      max_completion_tokens: 5,
      n: 1,
      stream_options: { include_usage: true },
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
