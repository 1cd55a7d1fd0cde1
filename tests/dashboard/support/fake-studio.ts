// A Studio that answers from memory, as the dashboard's client sees it: what is called is written down, what it answers
// is the test's to change.

import type { OpenEventSource, StudioClient } from '../../../lib/client/index.js';
import type { EventSourceLike } from '../../../lib/client/watch-job.js';
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
  type LogPart,
  type Manifest,
  type ServedModelFacts,
  type TrainStatus,
} from '../../../lib/contract/index.js';
import { type Said, toChunk } from '../../support/answer-chunk.js';
import { sampleAnswers } from '../../support/sample-answers.js';
import {
  deleteKeptEvaluation,
  findKeptEvaluation,
  type KeptEvaluation,
  listKeptEvaluations,
  listKeptRows,
} from '../../support/sample-evaluation.js';
import { changeKept, deleteKept, findKept, listKept } from '../../support/sample-kept.js';
import { overviewOf, servedModelOf } from '../../support/sample-overview.js';
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
  evaluations: KeptEvaluation[];
  kept: KeptRequest[];
  cluster: ClusterActivity | null;
  /** What is known of it, if the cloud tells. */
  baseModel?: ServedModelFacts;
  /** What chats wait for. */
  preparing?: string;
  /** Of each job, when it is opened. */
  log: readonly LogPart[];
}

export type FakeStudio = ReturnType<typeof fakeStudio>;

type Listener = (event: { data?: unknown; lastEventId?: string }) => void;

class FakeEventSource implements EventSourceLike {
  readyState = 1;
  readonly path: string;
  readonly #listeners: [string, Listener][] = [];
  #seq = 0;

  constructor(path: string) {
    this.path = path;
  }

  addEventListener(type: string, listener: Listener): void {
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

/** What each method answers, of the arguments that are written down. */
type Given = {
  [Name in Exclude<keyof StudioClient, 'readJobLog' | 'streamJobEvents' | 'chat'>]: (
    ...args: Parameters<StudioClient[Name]>
  ) => unknown;
};

const changed = <Item extends { id: string }>(items: readonly Item[], id: string, patch: object): Item[] =>
  items.map(item => (item.id === id ? { ...item, ...patch } : item));

export function fakeStudio(part: Partial<World> = {}) {
  const world = { ...newWorld(), ...part };
  const calls: string[] = [];
  const failures = new Map<string, Error>();
  const held = new Map<string, Promise<void>>();
  const sources: FakeEventSource[] = [];
  let printed = createFeed<string>();
  const answers: Feed<Said>[] = [];

  async function answer<Value>(name: string, give: () => Value, args: readonly unknown[]): Promise<Value> {
    calls.push([name, ...args.map(arg => JSON.stringify(arg))].join(' '));
    await held.get(name);
    const failure = failures.get(name);
    if (failure) throw failure;
    return give();
  }

  const jobOf = (id: string) => {
    const job = world.jobs.find(entry => entry.id === id) as Job | undefined;
    if (!job) throw new ApiError('job_not_found', `There is no job ${id}.`);
    return { job: { ...job, config: job.config ?? null } };
  };
  const deploymentOf = (id: string) => {
    const found = world.deployments.find(entry => entry.id === id);
    if (!found) throw new ApiError('deployment_not_found', 'There is no such endpoint.');
    return { deployment: found };
  };
  const keyOf = (id: string) => world.keys.find(entry => entry.id === id)!;

  let builds = 0;
  function build(): void {
    world.train = { ...world.train, builtAt: new Date(++builds).toISOString() };
  }

  const given: Given = {
    getIdentity: () => world.identity,
    getManifest({ reuse } = {}) {
      if (!reuse) build();
      return world.manifest;
    },
    getTrainStatus: () => world.train,
    startTraining() {
      printed = createFeed();
      world.train = { running: true, startedAt: '2026-01-02T03:04:05.000Z', jobId: null, exitCode: null };
      return toResponse(printed);
    },
    streamTrainOutput: () => toResponse(printed),
    previewData: input => samplePreview(input ?? {}),
    readDataRows: () => new Blob(['{"text":"a"}\n']),
    listJobRows: (_id, request) => sampleRowLosses(request ?? {}),
    listJobAnswers: (_id, { step } = {}) => sampleAnswers({ step }),
    listJobs: () => ({ jobs: world.jobs }),
    getJob: id => jobOf(id),
    updateJob(id, patch) {
      world.jobs = changed(world.jobs, id, patch);
      return jobOf(id);
    },
    listJobSettings: ids => ({
      jobs: ids.map(id => {
        const { config, customSettings } = (world.jobs.find(job => job.id === id) ?? {}) as Partial<Job>;
        return { id, config: config ?? {}, customSettings: customSettings ?? [] };
      }),
    }),
    getOverview: () => overviewOf(world),
    getBaseModel: () => ({ baseModel: servedModelOf(world) }),
    listDeployments: () => ({ deployments: world.deployments }),
    createDeployment({ slug, target, authMode = 'fixed_api_key' }) {
      const made = { ...deployment({ id: `d-${slug}`, slug, target }), authMode };
      world.deployments = [...world.deployments, made];
      return { deployment: made };
    },
    getDeployment: id => deploymentOf(id),
    updateDeployment(id, { promote, ...patch }) {
      const promoted = promote && { target: promote, canary: null };
      world.deployments = changed(world.deployments, id, { ...patch, ...promoted });
      return deploymentOf(id);
    },
    listDeploymentKeys: _id => ({ keys: world.keys }),
    issueDeploymentKey(_id, label) {
      const issued = key({ id: `k-${label}`, label });
      world.keys = [...world.keys, issued];
      return { key: { ...issued, plaintext: 'svc_live_0123456789abcdefghijABCDEFGHIJ00zebra' } };
    },
    revokeDeploymentKey(_id, keyId) {
      world.keys = changed(world.keys, keyId, { enabled: false });
      return { key: keyOf(keyId) };
    },
    listEvaluations: filter => listKeptEvaluations(world.evaluations, filter ?? {}),
    getEvaluation: id => ({ evaluation: findKeptEvaluation(world.evaluations, id).evaluation }),
    listEvaluationRows: (id, filter) => listKeptRows(findKeptEvaluation(world.evaluations, id), filter ?? {}),
    deleteEvaluation: id => deleteKeptEvaluation(world.evaluations, id),
    // Copies, as they come over a connection: what changes here does not change there.
    listKeptRequests: (_id, filter) => structuredClone(listKept(world.kept, filter ?? {})),
    getKeptRequest: (_id, requestId) => findKept(world.kept, requestId),
    updateKeptRequest: (_id, requestId, change) => changeKept(world.kept, requestId, change),
    deleteKeptRequest: (_id, requestId) => deleteKept(world.kept, requestId),
    getCluster: () => ({ cluster: world.cluster }),
    getOpenApi: () => ({}),
  };

  const signals = new Map<string, AbortSignal | undefined>();
  const client = {
    ...Object.fromEntries(
      Object.entries(given).map(([name, give]: [string, (...args: never[]) => unknown]) => [
        name,
        (...args: never[]) => {
          signals.set(name, (args.at(-1) as { signal?: AbortSignal } | undefined)?.signal);
          return answer(name, () => give(...args), args.slice(0, give.length));
        },
      ]),
    ),
    async *readJobLog() {
      await held.get('readJobLog');
      if (world.log.length > 0) yield world.log;
    },
    streamJobEvents() {
      throw new Error('The dashboard has an EventSource.');
    },
    chat(request: InferenceRequest, { signal }: { signal?: AbortSignal } = {}) {
      const own = createFeed<Said>();
      answers.push(own);
      return converse(
        answer('chat', () => own, [request]),
        signal,
      );
    },
  } as unknown as StudioClient;

  const openEventSource: OpenEventSource = path => {
    const source = new FakeEventSource(path);
    sources.push(source);
    return source;
  };

  return {
    client,
    world,
    /** Each call with its arguments, signals left out. */
    calls,
    sources,
    /** As `svc build` does. */
    build,
    /** The answer to each question. */
    answers,
    openEventSource,
    /** How often a method was called. */
    count: (name: string) => calls.filter(call => call.split(' ')[0] === name).length,
    /** With which a method was called last. */
    signalOf: (name: string) => signals.get(name)!,
    /** From now on a method fails; without an error it works again. */
    fail(name: keyof StudioClient, error?: Error) {
      if (error) failures.set(name, error);
      else failures.delete(name);
    },
    /** From now on a method does not answer, until what is returned is called. */
    hold(name: keyof StudioClient) {
      let release = () => {};
      const released = new Promise<void>(resolve => {
        release = resolve;
      });
      held.set(name, released);
      void released.then(() => held.delete(name));
      return () => release();
    },
    /** What the run prints. */
    get printed() {
      return printed;
    },
    /** What the model says last. */
    get said() {
      return answers.at(-1)!;
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
  const served = { deploymentDomain: 'localhost:4100', baseModel: 'svc/tiny-instruct' };
  const project = { orgSlug: 'acme', projectSlug: 'demo-1a2b', cloudHost: 'local' };
  return {
    identity: { mode: 'anonymous', ...project, ...served },
    manifest: { trainer: { name: 'triage', model: 'svc/tiny-instruct', maxSteps: 300 } },
    train: { running: false, startedAt: null, jobId: null, exitCode: null },
    jobs: [],
    deployments: [],
    keys: [],
    evaluations: [],
    kept: [],
    log: [],
    cluster: null,
  };
}

async function* converse(
  feed: Promise<Feed<Said>>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ChatCompletionChunk> {
  for await (const said of await feed) {
    signal?.throwIfAborted();
    yield toChunk(said);
  }
}
