// A typed method for each route of the cloud API.
import {
  CLOUD_SECRET_HEADER,
  cloudRoutes,
  DATASET_FILENAME_HEADER,
  type EndpointInput,
  type EndpointPatch,
  type JobInput,
  type ProjectInput,
  type Scope,
} from '../contract/index.js';
import { type CallInput, createCaller, type RequestBody } from './caller.js';
import { createChat } from './completion.js';
import { type FollowOptions, followEvents } from './follow-events.js';
import { assertSecureUrl } from './secure-url.js';

export interface CloudClientOptions {
  baseUrl: string;
  token?: string | undefined;
  /** The organisation and project that the calls are about. */
  scope?: Scope | undefined;
  fetch?: typeof fetch;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
}

export type CloudClient = ReturnType<typeof createCloudClient>;

/** A client of a cloud, local or remote. */
export function createCloudClient({ baseUrl, token, scope, fetch = globalThis.fetch }: CloudClientOptions) {
  const caller = createCaller({
    baseUrl: assertSecureUrl(baseUrl),
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    fetch: (input, init) => fetch(input, init),
    unreachable: { code: 'cloud_unreachable', who: 'the cloud', hint: 'Check the address and that it runs.' },
  });
  const project = { orgSlug: scope?.orgSlug, projectSlug: scope?.projectSlug };
  const scoped = (input: CallInput, { signal }: CallOptions = {}): CallInput => ({
    query: project,
    ...input,
    signal,
  });
  const of = (id: string) => ({ params: { id } });

  return {
    signUpAnonymously: (secret?: string, { signal }: CallOptions = {}) =>
      caller.json(cloudRoutes.signUpAnonymously, {
        body: { kind: 'cli' },
        headers: secret === undefined ? {} : { [CLOUD_SECRET_HEADER]: secret },
        signal,
      }),
    getMe: ({ signal }: CallOptions = {}) => caller.json(cloudRoutes.getMe, { signal }),
    listProjects: (orgSlug: string, { signal }: CallOptions = {}) =>
      caller.json(cloudRoutes.listProjects, { query: { orgSlug }, signal }),
    createProject: (orgSlug: string, body: ProjectInput, { signal }: CallOptions = {}) =>
      caller.json(cloudRoutes.createProject, { query: { orgSlug }, body, signal }),
    /** The same bytes are stored once, whatever they are called. */
    uploadDataset: (filename: string, body: RequestBody, options?: CallOptions) =>
      caller.json(
        cloudRoutes.uploadDataset,
        scoped({ body, headers: { [DATASET_FILENAME_HEADER]: encodeURIComponent(filename) } }, options),
      ),

    listJobs: (options?: CallOptions) => caller.json(cloudRoutes.listJobs, scoped({}, options)),
    createJob: (body: JobInput, options?: CallOptions) =>
      caller.json(cloudRoutes.createJob, scoped({ body }, options)),
    getJob: (id: string, options?: CallOptions) => caller.json(cloudRoutes.getJob, scoped(of(id), options)),
    deleteJob: (id: string, options?: CallOptions) =>
      caller.json(cloudRoutes.deleteJob, scoped(of(id), options)),
    cancelJob: (id: string, options?: CallOptions) =>
      caller.json(cloudRoutes.cancelJob, scoped(of(id), options)),
    /** Every event of the job once, up to `end`, through every interruption. */
    streamJobEvents: (id: string, options: FollowOptions = {}) =>
      followEvents(
        ({ after, lastEventId, signal }) =>
          caller.send(cloudRoutes.streamJobEvents, {
            ...of(id),
            query: { ...project, after },
            headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
            signal,
          }),
        options,
      ),
    listArtifacts: (id: string, options?: CallOptions) =>
      caller.json(cloudRoutes.listArtifacts, scoped(of(id), options)),
    /** The adapter folder as a tar archive, in the response's body. */
    downloadArtifact: (id: string, name: string, options?: CallOptions) =>
      caller.send(cloudRoutes.downloadArtifact, scoped({ params: { id, name } }, options)),

    chat: createChat(caller, cloudRoutes.chat, project),

    listDeployments: (options?: CallOptions) => caller.json(cloudRoutes.listDeployments, scoped({}, options)),
    createDeployment: (body: EndpointInput, options?: CallOptions) =>
      caller.json(cloudRoutes.createDeployment, scoped({ body }, options)),
    getDeployment: (id: string, options?: CallOptions) =>
      caller.json(cloudRoutes.getDeployment, scoped(of(id), options)),
    updateDeployment: (id: string, body: EndpointPatch, options?: CallOptions) =>
      caller.json(cloudRoutes.updateDeployment, scoped({ ...of(id), body }, options)),
    deleteDeployment: (id: string, options?: CallOptions) =>
      caller.json(cloudRoutes.deleteDeployment, scoped(of(id), options)),
    listDeploymentKeys: (id: string, options?: CallOptions) =>
      caller.json(cloudRoutes.listDeploymentKeys, scoped(of(id), options)),
    issueDeploymentKey: (id: string, label: string, options?: CallOptions) =>
      caller.json(cloudRoutes.issueDeploymentKey, scoped({ ...of(id), body: { label } }, options)),
    revokeDeploymentKey: (id: string, keyId: string, options?: CallOptions) =>
      caller.json(cloudRoutes.revokeDeploymentKey, scoped({ params: { id, keyId } }, options)),

    getCloud: (nonce?: string, { signal }: CallOptions = {}) =>
      caller.json(cloudRoutes.getCloud, { query: { nonce }, signal }),
    getHealth: ({ signal }: CallOptions = {}) => caller.json(cloudRoutes.getHealth, { signal }),
  };
}
