// A typed method for each route of the cloud API. A cloud may run a different version, so its responses are
// parsed with the schemas.
import type { Clock } from '../clock/index.js';
import {
  type AdapterImport,
  type AdapterNotation,
  ApiError,
  CLOUD_SECRET_HEADER,
  type CloudDeploymentPatch,
  type CloudHealth,
  type CloudRoutes,
  type CloudTarget,
  type ColumnMap,
  chatCompletion,
  chatCompletionChunk,
  cloudHealth,
  cloudRoutes,
  DATASET_COLUMNS_HEADER,
  DATASET_FILENAME_HEADER,
  type Deployment,
  type JobListPage,
  jobListChanges,
  type ProjectInput,
  parseResponse,
  type Route,
  readAdapterNotation,
  readEnvelope,
  type Schema,
  type Scope,
  toAdapterRef,
} from '../contract/index.js';
import { type ChatReaders, createChat } from './completion.js';
import { download } from './download.js';
import {
  assertEventStream,
  type EventsCursor,
  type FollowOptions,
  followEvents,
  readLogParts,
} from './event-stream.js';
import {
  type Call,
  type CallOptions,
  type CreateOptions,
  createClient,
  type SharedCall,
  sharedMethods,
} from './methods.js';
import { askOnce } from './retry.js';
import { limitSilence, TIME_LIMITS, type TimeLimits } from './time-limits.js';
import {
  assertSecureUrl,
  type CallInput,
  createJobListReader,
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
  /** For waiting and timestamps; the real clock by default. */
  clock?: Clock | undefined;
}

/** The HTTP status of a degraded cloud. */
const DEGRADED = 503;

interface UploadOptions extends CallOptions {
  /** Maps the names that training knows to the columns that jobs will read. */
  columns?: ColumnMap | undefined;
}

export type CloudClient = ReturnType<typeof createCloudClient>;

const CHAT_READERS: ChatReaders = {
  completion: value => parseResponse(chatCompletion, value, 'The chat'),
  chunk: value => parseResponse(chatCompletionChunk, value, 'The chat'),
};

type CloudCall = Call<CloudRoutes>;

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
  const usual: Partial<Record<keyof CloudRoutes, CallInput>> = {
    listJobs: { changes: createJobListReader(value => parseResponse(jobListChanges, value, 'GET /v1/jobs')) },
    // Measuring takes seconds to minutes.
    previewData: { answerMs: limits.workMs },
    finishUpload: { answerMs: limits.workMs },
    collectGarbage: { answerMs: limits.workMs },
    uploadDataset: { answerMs: null },
    appendUpload: { answerMs: null },
    importAdapter: { answerMs: null },
  };
  const call = ((name, input = {}) => {
    const route: Route = cloudRoutes[name];
    const { schema } = route.response as { schema: Schema };
    const query = isInProject(route) ? { ...project, ...input.query } : input.query;
    const read = (value: unknown) => parseResponse(schema, value, `${route.method} ${route.path}`);
    return askOnce(transport, route, { ...usual[name], ...input, query }, read);
  }) as CloudCall;
  return createClient<CloudRoutes, ReturnType<typeof ownMethods>>(
    cloudRoutes,
    call,
    ownMethods(call, { transport, limits, project }),
  );
}

function isInProject({ query }: Route): boolean {
  return 'projectSlug' in ((query as { shape?: object } | undefined)?.shape ?? {});
}

interface Parts {
  transport: Transport;
  limits: TimeLimits;
  /** The organization and project as query parameters. */
  project: Readonly<Record<string, string | undefined>>;
}

/** The methods that do more than pass parameters and a body. */
function ownMethods(call: CloudCall, parts: Parts) {
  return {
    /** Sends any request in the project's scope. */
    call,
    ...sharedMethods(call as SharedCall),
    ...accountMethods(call),
    ...jobMethods(call, parts),
    ...operatorMethods(call, parts),
    chat: createChat(parts.transport, cloudRoutes.chat, CHAT_READERS, {
      query: parts.project,
      limits: parts.limits,
    }),
    updateDeployment: async (id: string, change: DeploymentChange, options?: CallOptions) => {
      const getCurrent = async () => (await call('getDeployment', { params: { id }, ...options })).deployment;
      return call('updateDeployment', {
        params: { id },
        json: await toCloudPatch(change, getCurrent),
        ...options,
      });
    },
    issueProjectKey: (label: string, options?: CreateOptions) =>
      call('issueProjectKey', { json: { label }, ...options }),
  };
}

function accountMethods(call: CloudCall) {
  return {
    signUpAnonymously: (secret?: string, options?: CallOptions) =>
      call('signUpAnonymously', { json: { kind: 'cli' }, headers: secretHeader(secret), ...options }),
    listProjects: (orgSlug: string, options?: CallOptions) =>
      call('listProjects', { query: { orgSlug, projectSlug: undefined }, ...options }),
    createProject: (orgSlug: string, input: ProjectInput, options?: CreateOptions) =>
      call('createProject', { query: { orgSlug, projectSlug: undefined }, json: input, ...options }),
    /** The same bytes are stored once, whatever their file name. */
    uploadDataset: (filename: string, bytes: RequestBody, { columns, ...options }: UploadOptions = {}) =>
      call('uploadDataset', { bytes, headers: datasetHeaders(filename, columns), ...options }),
    /** How many bytes of an upload have arrived. `digest` is the SHA-256 of the whole file. */
    getUpload: (digest: string, options?: CallOptions) =>
      call('getUpload', { query: { digest }, ...options }),
    /** Appends bytes at `offset`. */
    appendUpload: (digest: string, offset: number, bytes: RequestBody, options?: CallOptions) =>
      call('appendUpload', { query: { digest, offset }, bytes, ...options }),
    /** Creates a data set from a complete upload. */
    finishUpload: (digest: string, filename: string, { columns, ...options }: UploadOptions = {}) =>
      call('finishUpload', { query: { digest }, headers: datasetHeaders(filename, columns), ...options }),
  };
}

function datasetHeaders(filename: string, columns: ColumnMap | undefined): Record<string, string> {
  return {
    [DATASET_FILENAME_HEADER]: encodeURIComponent(filename),
    ...(columns && { [DATASET_COLUMNS_HEADER]: encodeURIComponent(JSON.stringify(columns)) }),
  };
}

function jobMethods(call: CloudCall, { transport, limits, project }: Parts) {
  const { clock } = transport;
  const openJobEvents = (id: string, { after, lastEventId, signal }: EventsCursor) =>
    transport.send(cloudRoutes.streamJobEvents, {
      params: { id },
      query: { ...project, after },
      headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
      signal,
    });
  const relayJobLog = async (id: string, { after, signal }: Pick<EventsCursor, 'after' | 'signal'> = {}) => {
    const input = { params: { id }, query: { ...project, after }, signal };
    return limitSilence(await transport.send(cloudRoutes.readJobLog, input), limits.idleMs, clock);
  };
  return {
    /** All jobs, or a page of them. */
    listJobs: ({ limit, cursor, signal }: CallOptions & JobListPage = {}) =>
      call('listJobs', { query: { limit, cursor }, signal }),
    cancelJob: (id: string, options?: CallOptions) => call('cancelJob', { params: { id }, ...options }),
    /** The answers that wait for rewards, other than those that are known; null after a while. */
    awaitRewards: (id: string, { known, signal }: CallOptions & { known?: string | undefined } = {}) =>
      call('awaitRewards', { params: { id }, query: { known }, signal }),
    /** Every event of the job exactly once, up to `end`, reconnecting as needed. */
    streamJobEvents: (id: string, options?: FollowOptions) =>
      followEvents(cursor => openJobEvents(id, cursor), { clock, ...options }),
    /** The events so far, in batches. A cloud may lack this route. */
    async *readJobLog(id: string, cursor?: Pick<EventsCursor, 'after' | 'signal'>) {
      yield* readLogParts(await relayJobLog(id, cursor));
    },
    /** The raw response of `readJobLog`, for a server that passes it on. */
    relayJobLog,
    /**
     * The raw event stream, without reconnecting, for a server that passes it on. 204 if there are no more
     * events.
     */
    relayJobEvents: async (id: string, cursor: EventsCursor) => {
      const response = await openJobEvents(id, cursor);
      if (response.status !== 204) await assertEventStream(response);
      return limitSilence(response, limits.idleMs, clock);
    },
    /**
     * `archive`: a tar of the adapter's two files, as returned by `downloadArtifact`. A retry sends it again.
     */
    importAdapter: (input: AdapterImport, archive: Blob | Uint8Array<ArrayBuffer>, options?: CreateOptions) =>
      call('importAdapter', {
        query: { ...input, sameBaseModel: input.sameBaseModel || undefined },
        bytes: archive,
        ...options,
      }),
    /** The response body is the adapter folder as a tar archive. A download that breaks off resumes. */
    downloadArtifact: (id: string, name: string, { signal }: CallOptions = {}) =>
      download(
        headers => {
          const input = { params: { id, name }, query: project, headers, signal };
          return transport.send(cloudRoutes.downloadArtifact, input);
        },
        { idleMs: limits.idleMs, clock, signal },
      ),
  };
}

function operatorMethods(call: CloudCall, { transport }: Parts) {
  return {
    getCloud: (nonce?: string, options?: CallOptions) => call('getCloud', { query: { nonce }, ...options }),
    collectGarbage: (secret: string, options?: CallOptions) =>
      call('collectGarbage', { headers: secretHeader(secret), ...options }),
    /** Returns the ID of the process that is stopping. */
    stopCloud: (secret: string, options?: CallOptions) =>
      call('stopCloud', { headers: secretHeader(secret), ...options }),
    /** A degraded cloud is a valid response; throws if the cloud reports no health. */
    getHealth: (secret?: string, { signal }: CallOptions = {}) =>
      transport.json(
        cloudRoutes.getHealth,
        { headers: secretHeader(secret), accepts: DEGRADED, signal },
        readHealth,
      ),
  };
}

/** While it starts, a cloud responds only with an error. */
function readHealth(value: unknown): CloudHealth {
  const health = parseResponse(cloudHealth, value, 'GET /healthz');
  const refusal = health.status === 'degraded' ? null : readEnvelope(value, DEGRADED);
  if (refusal) throw new ApiError({ status: DEGRADED, ...refusal }, refusal.message);
  return health;
}

function secretHeader(secret: string | undefined): Record<string, string> {
  return secret === undefined ? {} : { [CLOUD_SECRET_HEADER]: secret };
}

/**
 * `final` and `checkpoint:<step>` refer to the job the deployment serves now; `JOB_ID:final` names another
 * job.
 */
export type DeploymentChange = Omit<CloudDeploymentPatch, 'target'> & {
  target?: CloudTarget | AdapterNotation | undefined;
};

/** The patch to send. `getCurrent` is called only for notation without a job ID. */
async function toCloudPatch(
  { target, ...patch }: DeploymentChange,
  getCurrent: () => Promise<Deployment>,
): Promise<CloudDeploymentPatch> {
  if (typeof target !== 'string') return { ...patch, ...(target && { target }) };
  const read = readAdapterNotation(target);
  if (!read)
    throw invalidTarget('must be `final`, `checkpoint:<step>`, `JOB_ID:final` or `JOB_ID:checkpoint:<step>`');
  const jobId = read.jobId ?? jobOf(await getCurrent());
  return { ...patch, target: { kind: 'adapter', adapter: toAdapterRef(jobId, read.step) } };
}

function jobOf({ slug, target }: Deployment): string {
  if (target.kind === 'adapter') return target.adapter.jobId;
  throw invalidTarget(`must name a job, as in \`JOB_ID:final\`: ${slug} serves a base model`);
}

function invalidTarget(what: string): ApiError {
  return new ApiError('invalid_value', `\`target\` ${what}.`, { param: 'target' });
}
