// A typed method for each route of Studio's loopback API, for the browser, the terminal and scripts. Studio has the
// same version and has already parsed the cloud's answers with the schemas, so the browser need not bundle them.
import type { Clock } from '../clock/index.js';
import {
  type AnswerOf,
  type ChatCompletion,
  type ChatCompletionChunk,
  type DeploymentInput,
  type DeploymentPatch,
  type JobListChanges,
  type JobPatch,
  type KeptRequestChange,
  type KeptRequestFilter,
  type RowLossRequest,
  STUDIO_TOKEN_HEADER,
  type StudioDataPreviewInput,
  type StudioRoutes,
  studioAddresses,
  toKeptRequestQuery,
  toRowLossQuery,
} from '../contract/index.js';
import { type CallOptions, type CreateOptions, keyHeader } from './cloud-client.js';
import { type ChatReaders, createChat } from './completion.js';
import { type FollowOptions, followEvents } from './event-stream.js';
import { createJobListReader } from './job-list-reader.js';
import { askOnce } from './retry.js';
import { STUDIO_TIME_LIMITS, type TimeLimits } from './time-limits.js';
import { type CallInput, createTransport } from './transport.js';

export interface StudioClientOptions {
  baseUrl: string;
  token: string;
  fetch?: typeof fetch;
  limits?: Partial<TimeLimits> | undefined;
  /** Tells the time and waits. Default: in real time. */
  clock?: Clock | undefined;
}

export type StudioClient = ReturnType<typeof createStudioClient>;

const AS_IT_IS: ChatReaders = {
  completion: value => value as ChatCompletion,
  chunk: value => value as ChatCompletionChunk,
};

const JOB_LIST = createJobListReader(value => value as JobListChanges);

/** A client for the Studio that `svc dev` runs. */
export function createStudioClient(options: StudioClientOptions) {
  const { baseUrl, token, fetch = globalThis.fetch } = options;
  const limits = { ...STUDIO_TIME_LIMITS, ...options.limits };
  const transport = createTransport({
    baseUrl,
    headers: { [STUDIO_TOKEN_HEADER]: token },
    fetch: (input, init) => fetch(input, init),
    unreachable: { code: 'studio_unreachable', who: 'Studio', hint: 'Is `svc dev` still running?' },
    limits,
    clock: options.clock,
  });
  const json = <Name extends keyof StudioRoutes>(name: Name, input: CallInput = {}) =>
    askOnce(transport, studioAddresses[name], input, value => value as AnswerOf<StudioRoutes[Name]>);
  const of = (id: string, { signal }: CallOptions = {}) => ({ params: { id }, signal });

  return {
    getIdentity: (options?: CallOptions) => json('getIdentity', options),
    getManifest: (options?: CallOptions) => json('getManifest', options),
    getTrainStatus: (options?: CallOptions) => json('getTrainStatus', options),
    /** Starts a run; the response body is its output. */
    startTraining: (options?: CallOptions) => transport.send(studioAddresses.startTraining, options),
    /** The run's output so far, then live. */
    streamTrainOutput: (options?: CallOptions) => transport.send(studioAddresses.streamTrainOutput, options),

    listJobs: ({ signal }: CallOptions = {}) => json('listJobs', { changes: JOB_LIST, signal }),
    getJob: (id: string, options?: CallOptions) => json('getJob', of(id, options)),
    updateJob: (id: string, patch: JobPatch, options?: CallOptions) =>
      json('updateJob', { ...of(id, options), json: patch }),
    /** Of up to 500 jobs. */
    listJobSettings: (ids: readonly string[], { signal }: CallOptions = {}) =>
      json('listJobSettings', { json: { ids }, signal }),
    /** Of the project's trainer, unless a config is given. */
    previewData: (input: StudioDataPreviewInput = {}, { signal }: CallOptions = {}) =>
      json('previewData', { json: input, signal, answerMs: limits.workMs }),
    /** Worst first. */
    listJobRows: (id: string, request: RowLossRequest = {}, options?: CallOptions) =>
      json('listJobRows', { ...of(id, options), query: toRowLossQuery(request) }),
    /** Every event of the job exactly once, up to `end`, reconnecting as needed. */
    streamJobEvents: (id: string, options: FollowOptions = {}) =>
      followEvents(
        ({ after, lastEventId, signal }) =>
          transport.send(studioAddresses.streamJobEvents, {
            ...of(id, { signal }),
            query: { after },
            headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
          }),
        { clock: transport.clock, ...options },
      ),
    chat: createChat(transport, studioAddresses.chat, AS_IT_IS, { limits }),

    getOverview: (options?: CallOptions) => json('getOverview', options),
    listDeployments: (options?: CallOptions) => json('listDeployments', options),
    createDeployment: (input: DeploymentInput, options: CreateOptions = {}) =>
      json('createDeployment', { json: input, headers: keyHeader(options), signal: options.signal }),
    getDeployment: (id: string, options?: CallOptions) => json('getDeployment', of(id, options)),
    updateDeployment: (id: string, patch: DeploymentPatch, options?: CallOptions) =>
      json('updateDeployment', { ...of(id, options), json: patch }),
    listDeploymentKeys: (id: string, options?: CallOptions) => json('listDeploymentKeys', of(id, options)),
    issueDeploymentKey: (id: string, label: string, options?: CreateOptions) =>
      json('issueDeploymentKey', { ...of(id, options), json: { label }, headers: keyHeader(options) }),
    revokeDeploymentKey: (id: string, keyId: string, { signal }: CallOptions = {}) =>
      json('revokeDeploymentKey', { params: { id, keyId }, signal }),
    /** Newest first. */
    listKeptRequests: (id: string, filter: KeptRequestFilter = {}, options?: CallOptions) =>
      json('listKeptRequests', { ...of(id, options), query: toKeptRequestQuery(filter) }),
    getKeptRequest: (id: string, requestId: string, { signal }: CallOptions = {}) =>
      json('getKeptRequest', { params: { id, requestId }, signal }),
    updateKeptRequest: (
      id: string,
      requestId: string,
      change: KeptRequestChange,
      { signal }: CallOptions = {},
    ) => json('updateKeptRequest', { params: { id, requestId }, json: change, signal }),
    deleteKeptRequest: (id: string, requestId: string, { signal }: CallOptions = {}) =>
      json('deleteKeptRequest', { params: { id, requestId }, signal }),
    getCluster: ({ signal }: CallOptions = {}) => json('getCluster', { signal }),
    getOpenApi: (options?: CallOptions) => json('getOpenApi', options),
  };
}
