// A typed method for each route of the cloud API. A cloud may run a different version, so its answers are parsed with
// the schemas.
import type { Clock } from '../clock/index.js';
import {
  type AdapterImport,
  type AnswerOf,
  ApiError,
  CLOUD_SECRET_HEADER,
  type CloudDeploymentInput,
  type CloudHealth,
  type CloudRoutes,
  type ColumnMap,
  chatCompletion,
  chatCompletionChunk,
  cloudHealth,
  cloudRoutes,
  DATASET_COLUMNS_HEADER,
  DATASET_FILENAME_HEADER,
  type DataPreviewInput,
  EVENT_BATCHES_HEADER,
  IDEMPOTENCY_KEY_HEADER,
  type JobInput,
  type JobListPage,
  type JobPatch,
  jobListChanges,
  type KeptRequestChange,
  type KeptRequestFilter,
  type ProjectInput,
  parseAnswer,
  type Route,
  type RowLossRequest,
  readEnvelope,
  type Schema,
  type Scope,
  type ScoreReport,
  toKeptRequestQuery,
  toRowLossQuery,
} from '../contract/index.js';
import { type ChatReaders, createChat } from './completion.js';
import { assertEventStream, type EventsCursor, type FollowOptions, followEvents } from './event-stream.js';
import { createJobListReader } from './job-list-reader.js';
import { type DeploymentChange, toCloudPatch } from './retarget.js';
import { askOnce } from './retry.js';
import { limitSilence, TIME_LIMITS, type TimeLimits } from './time-limits.js';
import {
  assertSecureUrl,
  type CallInput,
  createTransport,
  type RequestBody,
  type Transport,
} from './transport.js';

export interface CloudClientOptions {
  baseUrl: string;
  token?: string | undefined;
  /** The organization and project for the calls. */
  scope?: Scope | undefined;
  fetch?: typeof fetch;
  limits?: Partial<TimeLimits> | undefined;
  /** Tells the time and waits. Default: in real time. */
  clock?: Clock | undefined;
}

/** The HTTP status of a degraded cloud. */
const DEGRADED = 503;

export interface CallOptions {
  signal?: AbortSignal | undefined;
}

interface UploadOptions extends CallOptions {
  /** The columns that the jobs will read, by the names that training knows. */
  columns?: ColumnMap | undefined;
}

export interface CreateOptions extends CallOptions {
  /** Lets the request be sent again, even by another process, without creating twice. Default: a new key. */
  idempotencyKey?: string | undefined;
}

export type CloudClient = ReturnType<typeof createCloudClient>;

const CHAT_READERS: ChatReaders = {
  completion: value => parseAnswer(chatCompletion, value, 'The chat'),
  chunk: value => parseAnswer(chatCompletionChunk, value, 'The chat'),
};

/** What all calls share. */
interface Calls {
  transport: Transport;
  limits: TimeLimits;
  /** The organization and the project as a query. */
  project: Readonly<Record<string, string | undefined>>;
  /** Sends a request and parses the answer. */
  json<Name extends keyof CloudRoutes>(name: Name, input: CallInput): Promise<AnswerOf<CloudRoutes[Name]>>;
  /** The input in the scope of the project. */
  scoped(input: CallInput, options?: CallOptions): CallInput;
}

/** A client for a cloud, local or remote. */
export function createCloudClient(options: CloudClientOptions) {
  const { baseUrl, token, scope, fetch = globalThis.fetch } = options;
  const limits = { ...TIME_LIMITS, ...options.limits };
  const transport = createTransport({
    baseUrl: assertSecureUrl(baseUrl),
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    fetch: (input, init) => fetch(input, init),
    unreachable: {
      code: 'cloud_unreachable',
      who: 'the cloud',
      hint: 'Check the URL and that the cloud is running.',
    },
    limits,
    clock: options.clock,
  });
  const project = { orgSlug: scope?.orgSlug, projectSlug: scope?.projectSlug };
  const calls: Calls = {
    transport,
    limits,
    project,
    scoped: (input, { signal } = {}) => ({ query: project, ...input, signal }),
    json: <Name extends keyof CloudRoutes>(name: Name, input: CallInput) => {
      const { answer, method, path } = cloudRoutes[name] as Route & { answer: { schema: Schema } };
      const read = (value: unknown) => parseAnswer(answer.schema, value, `${method} ${path}`);
      return askOnce(transport, cloudRoutes[name], input, read) as Promise<AnswerOf<CloudRoutes[Name]>>;
    },
  };
  return {
    ...accountCalls(calls),
    ...jobCalls(calls),
    chat: createChat(transport, cloudRoutes.chat, CHAT_READERS, { query: project, limits }),
    ...deploymentCalls(calls),
    ...projectKeyCalls(calls),
    ...operatorCalls(calls),
  };
}

function datasetHeaders(filename: string, { columns }: UploadOptions): Record<string, string> {
  return {
    [DATASET_FILENAME_HEADER]: encodeURIComponent(filename),
    ...(columns && { [DATASET_COLUMNS_HEADER]: encodeURIComponent(JSON.stringify(columns)) }),
  };
}

function accountCalls({ json, limits, project, scoped }: Calls) {
  return {
    signUpAnonymously: (secret?: string, { signal }: CallOptions = {}) =>
      json('signUpAnonymously', {
        json: { kind: 'cli' },
        headers: secretHeader(secret),
        signal,
      }),
    getMe: ({ signal }: CallOptions = {}) => json('getMe', { signal }),
    listProjects: (orgSlug: string, { signal }: CallOptions = {}) =>
      json('listProjects', { query: { orgSlug }, signal }),
    createProject: (orgSlug: string, input: ProjectInput, options: CreateOptions = {}) =>
      json('createProject', {
        query: { orgSlug },
        json: input,
        headers: keyHeader(options),
        signal: options.signal,
      }),
    /** The same bytes are stored once, whatever their file name. */
    uploadDataset: (filename: string, bytes: RequestBody, options: UploadOptions = {}) =>
      json(
        'uploadDataset',
        scoped({ bytes, headers: datasetHeaders(filename, options), answerMs: null }, options),
      ),
    /** How many bytes of an upload have arrived. `digest` is the SHA-256 of all of its bytes. */
    getUpload: (digest: string, { signal }: CallOptions = {}) =>
      json('getUpload', { query: { ...project, digest }, signal }),
    /** Adds bytes after the first `offset` ones. */
    appendUpload: (digest: string, offset: number, bytes: RequestBody, { signal }: CallOptions = {}) => {
      const query = { ...project, digest, offset: String(offset) };
      return json('appendUpload', { query, bytes, answerMs: null, signal });
    },
    /** Makes a data set of an upload that has arrived completely. */
    finishUpload: (digest: string, filename: string, options: UploadOptions = {}) =>
      json('finishUpload', {
        query: { ...project, digest },
        headers: datasetHeaders(filename, options),
        answerMs: limits.workMs,
        signal: options.signal,
      }),
  };
}

function jobCalls({ transport, json, limits, project, scoped }: Calls) {
  const { clock } = transport;
  const changes = createJobListReader(value => parseAnswer(jobListChanges, value, 'GET /v1/jobs'));
  const openJobEvents = (id: string, { after, lastEventId, inBatches, signal }: EventsCursor) =>
    transport.send(cloudRoutes.streamJobEvents, {
      params: { id },
      query: { ...project, after },
      headers: {
        ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
        ...(inBatches && { [EVENT_BATCHES_HEADER]: '1' }),
      },
      signal,
    });
  return {
    /** Creates nothing. Measuring takes seconds to minutes. */
    previewData: (input: DataPreviewInput, options?: CallOptions) =>
      json('previewData', scoped({ json: input, answerMs: limits.workMs }, options)),
    /** All of them, or a page. */
    listJobs: ({ limit, cursor, signal }: CallOptions & JobListPage = {}) =>
      json('listJobs', {
        query: { ...project, limit: limit?.toString(), cursor },
        changes,
        signal,
      }),
    createJob: (input: JobInput, options?: CreateOptions) =>
      json('createJob', scoped({ json: input, headers: keyHeader(options) }, options)),
    getJob: (id: string, options?: CallOptions) => json('getJob', scoped({ params: { id } }, options)),
    updateJob: (id: string, patch: JobPatch, options?: CallOptions) =>
      json('updateJob', scoped({ params: { id }, json: patch }, options)),
    /** Of up to 500 jobs. */
    listJobSettings: (ids: readonly string[], options?: CallOptions) =>
      json('listJobSettings', scoped({ json: { ids } }, options)),
    deleteJob: (id: string, options?: CallOptions) => json('deleteJob', scoped({ params: { id } }, options)),
    cancelJob: (id: string, options?: CallOptions) => json('cancelJob', scoped({ params: { id } }, options)),
    recordScores: (id: string, report: ScoreReport, options?: CallOptions) =>
      json('recordScores', scoped({ params: { id }, json: report }, options)),
    /** Every event of the job exactly once, up to `end`, reconnecting as needed. */
    streamJobEvents: (id: string, options?: FollowOptions) =>
      followEvents(cursor => openJobEvents(id, cursor), { clock, ...options }),
    /** The same stream as it comes, once, for a server that passes it on. 204 if nothing follows. */
    relayJobEvents: async (id: string, cursor: EventsCursor) => {
      const response = await openJobEvents(id, cursor);
      if (response.status !== 204) await assertEventStream(response);
      return limitSilence(response, limits.idleMs, clock);
    },
    /** Worst first. */
    listJobRows: (id: string, request: RowLossRequest = {}, options?: CallOptions) =>
      json('listJobRows', {
        ...scoped({ params: { id } }, options),
        query: { ...project, ...toRowLossQuery(request) },
      }),
    getJobManifest: (id: string, options?: CallOptions) =>
      json('getJobManifest', scoped({ params: { id } }, options)),
    listArtifacts: (id: string, options?: CallOptions) =>
      json('listArtifacts', scoped({ params: { id } }, options)),
    /** `archive`: a tar of the adapter's two files, as `downloadArtifact` returns it. It may be sent more than once. */
    importAdapter: (
      input: AdapterImport,
      archive: Blob | Uint8Array<ArrayBuffer>,
      options?: CreateOptions,
    ) => {
      const { name, sameBaseModel } = input;
      const query = { ...project, name, ...(sameBaseModel && { sameBaseModel: 'true' }) };
      return json('importAdapter', {
        ...scoped({ bytes: archive, headers: keyHeader(options), answerMs: null }, options),
        query,
      });
    },
    /** The response body is the adapter folder as a tar archive. */
    downloadArtifact: async (id: string, name: string, options?: CallOptions) => {
      const input = scoped({ params: { id, name } }, options);
      const response = await transport.send(cloudRoutes.downloadArtifact, input);
      return limitSilence(response, limits.idleMs, clock);
    },
  };
}

function deploymentCalls({ json, project, scoped }: Calls) {
  const getDeployment = (id: string, options?: CallOptions) =>
    json('getDeployment', scoped({ params: { id } }, options));
  return {
    getOverview: (options?: CallOptions) => json('getOverview', scoped({}, options)),
    listDeployments: (options?: CallOptions) => json('listDeployments', scoped({}, options)),
    createDeployment: (input: CloudDeploymentInput, options?: CreateOptions) =>
      json('createDeployment', scoped({ json: input, headers: keyHeader(options) }, options)),
    getDeployment,
    updateDeployment: async (id: string, change: DeploymentChange, options?: CallOptions) => {
      const patch = await toCloudPatch(change, async () => (await getDeployment(id, options)).deployment);
      return json('updateDeployment', scoped({ params: { id }, json: patch }, options));
    },
    deleteDeployment: (id: string, options?: CallOptions) =>
      json('deleteDeployment', scoped({ params: { id } }, options)),
    listDeploymentKeys: (id: string, options?: CallOptions) =>
      json('listDeploymentKeys', scoped({ params: { id } }, options)),
    issueDeploymentKey: (id: string, label: string, options?: CreateOptions) => {
      const input = { params: { id }, json: { label }, headers: keyHeader(options) };
      return json('issueDeploymentKey', scoped(input, options));
    },
    revokeDeploymentKey: (id: string, keyId: string, options?: CallOptions) =>
      json('revokeDeploymentKey', scoped({ params: { id, keyId } }, options)),
    /** Newest first. */
    listKeptRequests: (id: string, filter: KeptRequestFilter = {}, options?: CallOptions) =>
      json('listKeptRequests', {
        ...scoped({ params: { id } }, options),
        query: { ...project, ...toKeptRequestQuery(filter) },
      }),
    getKeptRequest: (id: string, requestId: string, options?: CallOptions) =>
      json('getKeptRequest', scoped({ params: { id, requestId } }, options)),
    updateKeptRequest: (id: string, requestId: string, change: KeptRequestChange, options?: CallOptions) =>
      json('updateKeptRequest', scoped({ params: { id, requestId }, json: change }, options)),
    deleteKeptRequest: (id: string, requestId: string, options?: CallOptions) =>
      json('deleteKeptRequest', scoped({ params: { id, requestId } }, options)),
  };
}

function projectKeyCalls({ json, scoped }: Calls) {
  return {
    listProjectKeys: (options?: CallOptions) => json('listProjectKeys', scoped({}, options)),
    issueProjectKey: (label: string, options?: CreateOptions) =>
      json('issueProjectKey', scoped({ json: { label }, headers: keyHeader(options) }, options)),
    revokeProjectKey: (keyId: string, options?: CallOptions) =>
      json('revokeProjectKey', scoped({ params: { keyId } }, options)),
  };
}

function operatorCalls({ transport, json, limits, scoped }: Calls) {
  return {
    getCluster: (options?: CallOptions) => json('getCluster', scoped({}, options)),
    getCloud: (nonce?: string, { signal }: CallOptions = {}) =>
      json('getCloud', { query: { nonce }, signal }),
    collectGarbage: (secret: string, { signal }: CallOptions = {}) =>
      json('collectGarbage', { headers: secretHeader(secret), signal, answerMs: limits.workMs }),
    /** Returns the ID of the process that is stopping. */
    stopCloud: (secret: string, { signal }: CallOptions = {}) =>
      json('stopCloud', { headers: secretHeader(secret), signal }),
    getOpenApi: ({ signal }: CallOptions = {}) => json('getOpenApi', { signal }),
    /** A degraded cloud is a valid answer; throws if the cloud reports no health. */
    getHealth: (secret?: string, { signal }: CallOptions = {}) =>
      transport.json(
        cloudRoutes.getHealth,
        { headers: secretHeader(secret), accepts: DEGRADED, signal },
        readHealth,
      ),
  };
}

/** While it starts, a cloud answers with only an error. */
function readHealth(value: unknown): CloudHealth {
  const health = parseAnswer(cloudHealth, value, 'GET /healthz');
  const refusal = health.status === 'degraded' ? null : readEnvelope(value, DEGRADED);
  if (refusal) throw new ApiError({ status: DEGRADED, ...refusal }, refusal.message);
  return health;
}

export function keyHeader({ idempotencyKey }: CreateOptions = {}): Record<string, string> {
  return idempotencyKey === undefined ? {} : { [IDEMPOTENCY_KEY_HEADER]: idempotencyKey };
}

function secretHeader(secret: string | undefined): Record<string, string> {
  return secret === undefined ? {} : { [CLOUD_SECRET_HEADER]: secret };
}
