// A Studio that answers from memory, as the dashboard's client sees it: what is called is written down, what it answers
// is the test's to change.

import type { EventSourceLike, OpenEventSource, StudioClient } from '../../../lib/client/index.js';
import {
  ApiError,
  type ChatCompletionChunk,
  type ClusterActivity,
  type Deployment,
  type Identity,
  type InferenceRequest,
  type Job,
  type JobSummary,
  type KeptRequest,
  type Key,
  type Manifest,
  type TrainStatus,
  toKeptRequestQuery,
  toRowLossQuery,
} from '../../../lib/contract/index.js';
import { changeKept, deleteKept, findKept, listKept } from '../../support/sample-kept.js';
import { overviewOf } from '../../support/sample-overview.js';
import { samplePreview } from '../../support/sample-preview.js';
import { sampleRowLosses } from '../../support/sample-rows.js';
import { sampleDeployment, sampleJob, sampleKey } from '../../support/samples.js';
import { createFeed, type Feed, toResponse } from './feed.js';

export const JOB_ID = '3f2a9c1e-7a51-4b8e-9d3a-0c2f5b6d7e80';

export interface World {
  identity: Identity;
  manifest: Manifest;
  train: TrainStatus;
  jobs: JobSummary[];
  deployments: Deployment[];
  keys: Key[];
  kept: KeptRequest[];
  cluster: ClusterActivity | null;
}

export interface FakeStudio {
  readonly client: StudioClient;
  readonly openEventSource: OpenEventSource;
  readonly world: World;
  /** Each call with its arguments, signals left out. */
  readonly calls: string[];
  /** How often a method was called. */
  count(name: string): number;
  /** From now on a method fails; without an error it works again. */
  fail(name: keyof StudioClient, error?: Error): void;
  /** From now on a method does not answer, until it is released. */
  hold(name: keyof StudioClient): () => void;
  /** What the run prints. */
  readonly printed: Feed<string>;
  /** What the model says. */
  readonly said: Feed<string>;
  /** The answer to each question. */
  readonly answers: readonly Feed<string>[];
  readonly sources: FakeEventSource[];
}

export class FakeEventSource implements EventSourceLike {
  readyState = 1;
  readonly path: string;
  readonly #listeners: [string, (event: { data?: unknown; lastEventId?: string }) => void][] = [];
  #seq = 0;

  constructor(path: string) {
    this.path = path;
  }

  addEventListener(type: string, listener: (event: { data?: unknown; lastEventId?: string }) => void): void {
    this.#listeners.push([type, listener]);
  }

  close(): void {
    this.readyState = 2;
  }

  /** One event of the job's log; text is sent as it is. */
  send(event: string, data: object | string): void {
    if (this.readyState === 2) return;
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    this.#tell(event, { data: text, lastEventId: String(++this.#seq) });
  }

  /** The connection breaks, and is being made again. */
  interrupt(): void {
    this.readyState = 0;
    this.#tell('error', {});
    this.readyState = 1;
  }

  /** Something other than a stream was answered. */
  refuse(): void {
    this.readyState = 2;
    this.#tell('error', {});
  }

  #tell(type: string, event: { data?: unknown; lastEventId?: string }): void {
    for (const [name, listener] of this.#listeners) if (name === type) listener(event);
  }
}

export function fakeStudio(part: Partial<World> = {}): FakeStudio {
  const world = { ...newWorld(), ...part };
  const calls: string[] = [];
  const failures = new Map<string, Error>();
  const held = new Map<string, Promise<void>>();
  const sources: FakeEventSource[] = [];
  let printed = createFeed<string>();
  let said = createFeed<string>();
  const answers: Feed<string>[] = [];

  async function answer<Value>(
    name: keyof StudioClient,
    give: () => Value,
    ...args: unknown[]
  ): Promise<Value> {
    calls.push([name, ...args.map(arg => JSON.stringify(arg))].join(' '));
    await held.get(name);
    const failure = failures.get(name);
    if (failure) throw failure;
    return give();
  }

  const find = (id: string) => {
    const deployment = world.deployments.find(entry => entry.id === id);
    if (!deployment) throw new ApiError('deployment_not_found', 'There is no such endpoint.');
    return deployment;
  };

  const client: StudioClient = {
    getIdentity: () => answer('getIdentity', () => world.identity),
    getManifest: () => answer('getManifest', () => world.manifest),
    getTrainStatus: () => answer('getTrainStatus', () => world.train),
    startTraining: () =>
      answer('startTraining', () => {
        printed = createFeed();
        world.train = { running: true, startedAt: '2026-01-02T03:04:05.000Z', jobId: null, exitCode: null };
        return toResponse(printed);
      }),
    streamTrainOutput: () => answer('streamTrainOutput', () => toResponse(printed)),
    previewData: (input = {}) => answer('previewData', () => samplePreview(input), input),
    listJobRows: (id, request = {}) =>
      answer('listJobRows', () => sampleRowLosses(toRowLossQuery(request)), id, request),
    listJobs: () => answer('listJobs', () => ({ jobs: world.jobs })),
    getJob: id =>
      answer(
        'getJob',
        () => {
          const job = world.jobs.find(entry => entry.id === id);
          if (!job) throw new ApiError('job_not_found', `There is no job ${id}.`);
          return { job: { config: null, ...job } as Job };
        },
        id,
      ),
    updateJob: (id, patch) =>
      answer(
        'updateJob',
        () => {
          const known = world.jobs.find(entry => entry.id === id);
          const changed = { ...known, ...patch } as JobSummary;
          world.jobs = world.jobs.map(entry => (entry.id === id ? changed : entry));
          return { job: { config: null, ...changed } as Job };
        },
        id,
        patch,
      ),
    listJobSettings: ids =>
      answer(
        'listJobSettings',
        () => ({
          jobs: ids.map(id => {
            const job = world.jobs.find(entry => entry.id === id) as Partial<Job> | undefined;
            return { id, config: job?.config ?? {}, customSettings: job?.customSettings ?? [] };
          }),
        }),
        ids,
      ),
    streamJobEvents: () => {
      throw new Error('The dashboard has an EventSource.');
    },
    chat: ((request: InferenceRequest, { signal }: { signal?: AbortSignal } = {}) => {
      const own = createFeed<string>();
      said = own;
      answers.push(own);
      return converse(
        answer('chat', () => own, request),
        signal,
      );
    }) as StudioClient['chat'],
    getOverview: () => answer('getOverview', () => overviewOf(world)),
    listDeployments: () => answer('listDeployments', () => ({ deployments: world.deployments })),
    createDeployment: input =>
      answer(
        'createDeployment',
        () => {
          const made = deployment({ id: `d-${input.slug}`, slug: input.slug, target: input.target });
          world.deployments = [
            ...world.deployments,
            { ...made, authMode: input.authMode ?? 'fixed_api_key' },
          ];
          return { deployment: made };
        },
        input,
      ),
    getDeployment: id => answer('getDeployment', () => ({ deployment: find(id) }), id),
    updateDeployment: (id, patch) =>
      answer(
        'updateDeployment',
        () => {
          const changed = { ...find(id), ...patch } as Deployment;
          world.deployments = world.deployments.map(entry => (entry.id === id ? changed : entry));
          return { deployment: changed };
        },
        id,
        patch,
      ),
    listDeploymentKeys: id => answer('listDeploymentKeys', () => ({ keys: world.keys }), id),
    issueDeploymentKey: (id, label) =>
      answer(
        'issueDeploymentKey',
        () => {
          const issued = key({ id: `k-${label}`, label });
          world.keys = [...world.keys, issued];
          return { key: { ...issued, plaintext: 'svc_live_0123456789abcdefghijABCDEFGHIJ00zebra' } };
        },
        id,
        label,
      ),
    revokeDeploymentKey: (id, keyId) =>
      answer(
        'revokeDeploymentKey',
        () => {
          world.keys = world.keys.map(entry => (entry.id === keyId ? { ...entry, enabled: false } : entry));
          return { key: world.keys.find(entry => entry.id === keyId)! };
        },
        id,
        keyId,
      ),
    listKeptRequests: (id, filter = {}) =>
      answer('listKeptRequests', () => listKept(world.kept, toKeptRequestQuery(filter)), id, filter),
    getKeptRequest: (id, requestId) =>
      answer('getKeptRequest', () => findKept(world.kept, requestId), id, requestId),
    updateKeptRequest: (id, requestId, change) =>
      answer('updateKeptRequest', () => changeKept(world.kept, requestId, change), id, requestId, change),
    deleteKeptRequest: (id, requestId) =>
      answer('deleteKeptRequest', () => deleteKept(world.kept, requestId), id, requestId),
    getCluster: () => answer('getCluster', () => ({ cluster: world.cluster })),
    getOpenApi: () => answer('getOpenApi', () => ({})),
  };

  return {
    client,
    world,
    calls,
    sources,
    answers,
    openEventSource(path) {
      const source = new FakeEventSource(path);
      sources.push(source);
      return source;
    },
    count: name => calls.filter(call => call.split(' ')[0] === name).length,
    fail(name, error) {
      if (error) failures.set(name, error);
      else failures.delete(name);
    },
    hold(name) {
      let release = () => {};
      held.set(
        name,
        new Promise(resolve => {
          release = () => {
            held.delete(name);
            resolve();
          };
        }),
      );
      return () => release();
    },
    get printed() {
      return printed;
    },
    get said() {
      return said;
    },
  };
}

export function jobSummary(part: Partial<JobSummary> = {}): JobSummary {
  const { config: _, ...summary } = sampleJob({
    id: JOB_ID,
    status: 'completed',
    createdAt: '2026-01-02T03:04:05.000Z',
    startedAt: null,
    orgId: 'o',
    projectId: 'p',
    totalSteps: 300,
  });
  return { ...summary, ...part };
}

/** The nth of many jobs. */
export function nthJob(n: number, part: Partial<JobSummary> = {}): JobSummary {
  return jobSummary({
    id: `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`,
    name: `job-${n}`,
    ...part,
  });
}

export function deployment(part: Partial<Deployment> = {}): Deployment {
  const slug = part.slug ?? 'demo';
  const [url, pathUrl] = [`http://${slug}.localhost:4100`, `http://localhost:4100/d/${slug}`];
  const target = { kind: 'adapter', adapter: { kind: 'final', jobId: JOB_ID } } as const;
  return sampleDeployment({ id: 'd1', target, url, pathUrl, ...part });
}

export function key(part: Partial<Key> = {}): Key {
  return sampleKey({ id: 'k1', lastUsedAt: '2001-02-03T04:05:06.000Z', ...part });
}

function newWorld(): World {
  return {
    identity: {
      mode: 'anonymous',
      orgSlug: 'acme',
      projectSlug: 'demo-1a2b',
      cloudHost: 'local',
      deploymentDomain: 'localhost:4100',
      baseModel: 'svc/tiny-instruct',
    },
    manifest: { trainer: { name: 'triage', model: 'svc/tiny-instruct', maxSteps: 300 } },
    train: { running: false, startedAt: null, jobId: null, exitCode: null },
    jobs: [],
    deployments: [],
    keys: [],
    kept: [],
    cluster: null,
  };
}

async function* converse(
  feed: Promise<Feed<string>>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ChatCompletionChunk> {
  for await (const content of await feed) {
    signal?.throwIfAborted();
    yield {
      id: 'c',
      object: 'chat.completion.chunk',
      created: 0,
      model: 'm',
      choices: [{ index: 0, delta: { content }, finish_reason: null }],
    };
  }
}
