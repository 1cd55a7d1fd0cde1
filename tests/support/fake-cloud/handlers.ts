// The fake cloud's answer to each route.

import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { learnsFromRewards } from '../../../lib/console/index.js';
import {
  ApiError,
  type CloudRoutes,
  type CloudTarget,
  type Deployment,
  type Job,
  type JobOrigin,
  type Key,
  type Target,
  writeLogLines,
} from '../../../lib/contract/index.js';
import { eventStream, type Handlers } from '../../../lib/http/index.js';
import { NO_ANSWERS, sampleAnswers } from '../sample-answers.js';
import {
  deleteKeptEvaluation,
  findKeptEvaluation,
  keepEvaluation,
  listKeptEvaluations,
  listKeptRows,
} from '../sample-evaluation.js';
import { changeKept, deleteKept, findKept, listKept } from '../sample-kept.js';
import { cleanPreview } from '../sample-preview.js';
import { sampleManifest, sampleRowLosses, sampleUnrecordedRows } from '../sample-rows.js';
import { sampleDeployment, sampleJob, sampleKey } from '../samples.js';
import { answerChat } from './chat.js';
import type { FakeJob, FakeState } from './state.js';

const ORG = { id: 'org-1', slug: 'org-anna', name: 'Anna' };
const DOMAIN = 'd.example.com';

export function createFakeHandlers(state: FakeState, readers: Set<() => void>): Handlers<CloudRoutes> {
  const job = (id: string): FakeJob => {
    const found = state.jobs.find(known => known.job.id === id);
    if (!found) throw new ApiError('job_not_found', 'There is no such job.');
    return found;
  };
  const deployment = (id: string): Deployment => {
    const found = state.deployments.find(known => known.id === id);
    if (!found) throw new ApiError('deployment_not_found', 'There is no such deployment.');
    return found;
  };
  const tokens = new Set(['token-of-anna']);

  return {
    signUpAnonymously: () => {
      const number = tokens.size;
      const token = `token-${number}`;
      tokens.add(token);
      return {
        token,
        anonymousId: `anon-${number}`,
        kind: 'cli',
        personalOrg: { id: `org-${number}`, slug: `anon-${number}`, name: 'Anonymous' },
        deploymentDomain: DOMAIN,
        baseModel: 'svc/tiny',
      };
    },
    getMe: ({ request }) => {
      refuseStrangers(request, tokens);
      return { mode: 'anonymous', subject: 'anna', email: null, orgs: [ORG] };
    },
    listProjects: () => ({ projects: state.projects }),
    createProject: ({ body }) => {
      const id = `p-${state.projects.length + 1}`;
      const project = { ...body, id, orgId: ORG.id, createdAt: new Date().toISOString() };
      state.projects.push(project);
      return { project };
    },
    uploadDataset: async ({ body }) => {
      const bytes = (await new Response(body).arrayBuffer()).byteLength;
      return { dataset: { id: 'data-1', sha256: '0'.repeat(64), bytes, rows: 1, format: 'jsonl' } };
    },
    getUpload: refusePieces,
    appendUpload: refusePieces,
    finishUpload: refusePieces,
    listJobs: ({ request }) => {
      refuseStrangers(request, tokens);
      return { jobs: state.jobs.map(({ job: { config: _, ...summary } }) => summary) };
    },
    createJob: ({ body: { config, task: _, ...labels } }) => {
      const made: FakeJob = {
        job: sampleJob({
          id: randomUUID(),
          status: 'queued',
          ...(labels as Partial<Job>),
          config: { ...config },
        }),
        events: [],
        archives: {},
      };
      state.jobs.unshift(made);
      state.onJob(made);
      return { job: made.job };
    },
    getJob: ({ params }) => ({ job: job(params.id).job }),
    updateJob: ({ params, body }) => ({ job: Object.assign(job(params.id).job, body) }),
    listJobSettings: ({ body }) => ({
      jobs: body.ids.map(id => ({ id, config: job(id).job.config ?? {}, customSettings: [] })),
    }),
    importJob: ({ body }) => {
      const { name, status, origin, createdAt, completedAt, settings } = body;
      const known = state.jobs.find(({ job }) => job.origin?.id === origin.id);
      if (known) return { job: known.job };
      const job = sampleJob({
        id: randomUUID(),
        name,
        status,
        createdAt,
        completedAt,
        origin: { fineTunedModel: null, ...origin } as JobOrigin,
        config: { ...settings, model: origin.model },
      });
      state.jobs.unshift({ job, events: [], archives: {} });
      return { job };
    },
    importAdapter: async ({ query, body }) => {
      const archive = new Uint8Array(await new Response(body).arrayBuffer());
      const fields = { id: randomUUID(), name: query.name ?? 'imported adapter', artifactCount: 1 };
      const job = sampleJob({ ...fields, status: 'completed', config: { imported: true } });
      state.jobs.unshift({ job, events: [], archives: { final: archive } });
      return { job };
    },
    deleteJob: ({ params }) => {
      const { job: deleted } = job(params.id);
      if (state.deployments.length > 0)
        throw new ApiError('job_in_use', 'The endpoint demo uses an adapter of this job.');
      state.jobs = state.jobs.filter(known => known.job.id !== params.id);
      return { job: deleted };
    },
    cancelJob: ({ params }) => {
      const { job: cancelled } = job(params.id);
      if (cancelled.status === 'queued' || cancelled.status === 'running') {
        cancelled.status = 'cancelled';
        const common = { jobId: params.id, timestamp: '2026-03-01T10:00:09.000Z' };
        job(params.id).events.push({ type: 'end', ...common, status: 'cancelled' });
        for (const wake of readers) wake();
      }
      return { job: cancelled };
    },
    recordScores: ({ params, body }) => {
      const { job: scored, events } = job(params.id);
      const common = {
        type: 'score.recorded',
        jobId: params.id,
        timestamp: '2026-03-01T10:00:08.000Z',
      } as const;
      const scores = Object.entries(body.scores).map(([name, value]) => ({
        ...common,
        step: body.step,
        name,
        value,
      }));
      events.splice(events.at(-1)?.type === 'end' ? -1 : events.length, 0, ...scores);
      scored.scores = [
        ...(scored.scores ?? []),
        ...scores.map(({ step, name, value }) => ({ step, name, value })),
      ];
      for (const wake of readers) wake();
      return { scores };
    },
    awaitRewards: ({ request }) =>
      new Promise(resolve => {
        request.signal.addEventListener('abort', () => resolve({ pending: null }));
      }),
    reportRewards: () => ({ accepted: false }),
    gradeAnswers: ({ body }) => ({ rewards: body.answers.map(() => ({ reward: 1 })) }),
    streamJobEvents: ({ params, query, request }) => {
      const { events } = job(params.id);
      let seq = Number(request.headers.get('last-event-id') ?? query.after ?? 0);
      if (events.at(-1)?.type === 'end' && seq >= events.length) return new Response(null, { status: 204 });
      return eventStream(
        async ({ send, signal }) => {
          for (;;) {
            for (; seq < events.length; seq++) {
              if (seq === state.cutsAfter) {
                state.cutsAfter = null;
                throw new Error('cut');
              }
              const event = events[seq]!;
              await send({ id: seq + 1, event: event.type, data: JSON.stringify(event) });
              if (event.type === 'end') return;
            }
            await awaitWake(readers, signal);
          }
        },
        { retryMs: 10 },
      );
    },
    readJobLog({ params, query }) {
      if (state.lacksLog) throw new ApiError('unknown_url', 'There is no such route.');
      const { events } = job(params.id);
      const frames = events.map((event, at) => {
        return { id: String(at + 1), event: event.type, data: JSON.stringify(event) };
      });
      const lines = writeLogLines(frames.slice(Number(query.after ?? 0)));
      if (state.cutsAfter === null) return new Response(lines);
      state.cutsAfter = null;
      return new Response(ReadableStream.from(cutShort(lines)) as ReadableStream<Uint8Array>);
    },
    previewData: ({ body }) => cleanPreview(body),
    listJobRows: ({ params, query }) => {
      const { config } = job(params.id).job;
      return learnsFromRewards(config) ? sampleUnrecordedRows() : sampleRowLosses(query);
    },
    listJobAnswers({ params, query }) {
      const { config } = job(params.id).job;
      return learnsFromRewards(config) ? sampleAnswers(query) : NO_ANSWERS;
    },
    getJobManifest: ({ params }) => ({ manifest: sampleManifest(job(params.id).job) }),
    listArtifacts: ({ params }) => ({
      artifacts: Object.keys(job(params.id).archives).map(name => ({
        name,
        kind: name === 'final' ? ('final' as const) : ('checkpoint' as const),
        step: name === 'final' ? 40 : Number(name.split('-')[1]),
        bytes: 1500,
        sha256: 'a'.repeat(64),
      })),
    }),
    downloadArtifact: ({ params }) => new Response(job(params.id).archives[params.name]!),
    chat: ({ body }) => answerChat(state, body.messages, body.stream),
    getOverview: () => ({ running: [], recent: [], endpoints: [] }),
    listDeployments: () => ({ deployments: state.deployments }),
    createDeployment: ({ body }) => {
      if (body.slug === 'www')
        throw new ApiError('slug_reserved', '`www` is reserved. Choose another slug.', { param: 'slug' });
      if (state.deployments.some(({ slug }) => slug === body.slug))
        throw new ApiError('slug_taken', `The slug ${body.slug} is taken.`, { param: 'slug' });
      const { slug, target, authMode = 'fixed_api_key', operations = ['chat'], corsOrigins = [] } = body;
      const { requireGate = false } = body;
      const url = `https://${slug}.${DOMAIN}`;
      const made = sampleDeployment({
        slug,
        ...served(target),
        authMode,
        operations,
        corsOrigins,
        requireGate,
        url,
      });
      if (!body.dryRun) state.deployments.push(made);
      return { deployment: made };
    },
    getDeployment: ({ params }) => ({ deployment: deployment(params.id) }),
    updateDeployment: ({ params, body: { promote, canary, replaces, ...patch } }) => ({
      deployment: Object.assign(requireTarget(deployment(params.id), replaces), patch, {
        ...(canary !== undefined && { canary: canary && { ...canary, since: new Date(0).toISOString() } }),
        ...(promote && { target: promote, canary: null }),
        ...(patch.target && served(patch.target)),
      }),
    }),
    deleteDeployment: ({ params }) => {
      const deleted = deployment(params.id);
      state.deployments = state.deployments.filter(({ id }) => id !== params.id);
      return { deployment: deleted };
    },
    listDeploymentKeys: () => ({ keys: state.keys }),
    issueDeploymentKey: ({ body }) => issueKey(state.keys, body.label),
    revokeDeploymentKey: ({ params }) => revokeKey(state.keys, params.keyId),
    listProjectKeys: () => ({ keys: state.projectKeys }),
    issueProjectKey: ({ body }) => issueKey(state.projectKeys, body.label),
    revokeProjectKey: ({ params }) => revokeKey(state.projectKeys, params.keyId),
    getBaseModel: () => ({ baseModel: { name: 'svc/tiny', ...state.baseModel } }),
    getCloud: () => ({
      version: '9.9.9',
      baseModel: 'svc/tiny',
      deploymentDomain: DOMAIN,
      proof: null,
    }),
    collectGarbage: () => ({ collected: { files: 0, bytes: 0 } }),
    stopCloud: () => ({ pid: process.pid }),
    getCluster: () => ({ cluster: state.cluster }),
    getHealth: () => ({ status: 'ok' as const }),
    listEvaluations: ({ query }) => listKeptEvaluations(state.evaluations, query),
    createEvaluation: ({ body }) => ({ evaluation: keepEvaluation(state.evaluations, body) }),
    getEvaluation: ({ params }) => ({
      evaluation: findKeptEvaluation(state.evaluations, params.id).evaluation,
    }),
    listEvaluationRows: ({ params, query }) =>
      listKeptRows(findKeptEvaluation(state.evaluations, params.id), query),
    deleteEvaluation: ({ params }) => deleteKeptEvaluation(state.evaluations, params.id),
    listKeptRequests: ({ query }) => listKept(state.kept, query),
    getKeptRequest: ({ params }) => findKept(state.kept, params.requestId),
    updateKeptRequest: ({ params, body }) => changeKept(state.kept, params.requestId, body),
    deleteKeptRequest: ({ params }) => deleteKept(state.kept, params.requestId),
    getOpenApi: () => ({}),
  };
}

function requireTarget(found: Deployment, replaces: Target | undefined): Deployment {
  if (replaces && !isDeepStrictEqual(found.target, replaces))
    throw new ApiError('target_changed', `\`${found.slug}\` serves something else now.`);
  return found;
}

function refuseStrangers(request: Request, tokens: ReadonlySet<string>): void {
  if (!tokens.has(request.headers.get('authorization')?.replace(/^Bearer /, '') ?? ''))
    throw new ApiError('unauthenticated', 'The token is not known here: run svc login.');
}

function awaitWake(readers: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const wake = () => {
      readers.delete(wake);
      resolve();
    };
    readers.add(wake);
    signal.addEventListener('abort', () => {
      readers.delete(wake);
      reject(signal.reason);
    });
  });
}

function issueKey(keys: Key[], label: string) {
  const key = sampleKey({ id: randomUUID(), label });
  keys.push(key);
  return { key: { ...key, plaintext: 'svc_live_plain' } };
}

function revokeKey(keys: Key[], id: string) {
  const key = keys.find(key => key.id === id);
  if (!key) throw new ApiError('key_not_found', 'There is no such key.');
  key.enabled = false;
  return { key };
}

/** Whatever is followed, the final adapter is the one to serve. */
function served(target: CloudTarget): Pick<Deployment, 'target' | 'follows'> {
  if (target.kind !== 'follow') return { target, follows: null };
  const { follow } = target;
  const jobId = follow.kind === 'best' ? follow.jobId : follow.trainer;
  return { target: { kind: 'adapter', adapter: { kind: 'final', jobId } }, follows: follow };
}

/** As a cloud that only takes whole uploads. */
function refusePieces(): never {
  throw new ApiError('unknown_url', 'There is no such URL.');
}

/** The connection breaks after half of it. */
async function* cutShort(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text.slice(0, text.length / 2));
  await setImmediate();
  throw new Error('cut');
}
