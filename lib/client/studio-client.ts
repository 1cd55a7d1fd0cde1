// A typed method for each route of Studio's loopback API: for both faces and for scripts.
import {
  type DeploymentInput,
  type DeploymentPatch,
  STUDIO_TOKEN_HEADER,
  studioRoutes,
} from '../contract/index.js';
import { createCaller } from './caller.js';
import type { CallOptions } from './cloud-client.js';
import { createChat } from './completion.js';
import { type FollowOptions, followEvents } from './follow-events.js';

export interface StudioClientOptions {
  baseUrl: string;
  token: string;
  fetch?: typeof fetch;
}

export type StudioClient = ReturnType<typeof createStudioClient>;

/** A client of the Studio that `svc dev` runs. */
export function createStudioClient({ baseUrl, token, fetch = globalThis.fetch }: StudioClientOptions) {
  const caller = createCaller({
    baseUrl,
    headers: { [STUDIO_TOKEN_HEADER]: token },
    fetch: (input, init) => fetch(input, init),
    unreachable: { code: 'studio_unreachable', who: 'Studio', hint: 'Is `svc dev` still running?' },
  });
  const of = (id: string, { signal }: CallOptions = {}) => ({ params: { id }, signal });

  return {
    getIdentity: (options?: CallOptions) => caller.json(studioRoutes.getIdentity, options),
    getManifest: (options?: CallOptions) => caller.json(studioRoutes.getManifest, options),
    getTrainStatus: (options?: CallOptions) => caller.json(studioRoutes.getTrainStatus, options),
    /** Starts a run; the response's body is what it prints. */
    startTraining: (options?: CallOptions) => caller.send(studioRoutes.startTraining, options),
    /** What the run printed so far, then what it prints. */
    streamTrainOutput: (options?: CallOptions) => caller.send(studioRoutes.streamTrainOutput, options),

    listJobs: (options?: CallOptions) => caller.json(studioRoutes.listJobs, options),
    getJob: (id: string, options?: CallOptions) => caller.json(studioRoutes.getJob, of(id, options)),
    /** Every event of the job once, up to `end`, through every interruption. */
    streamJobEvents: (id: string, options: FollowOptions = {}) =>
      followEvents(
        ({ after, lastEventId, signal }) =>
          caller.send(studioRoutes.streamJobEvents, {
            ...of(id, { signal }),
            query: { after },
            headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
          }),
        options,
      ),
    chat: createChat(caller, studioRoutes.chat),

    listDeployments: (options?: CallOptions) => caller.json(studioRoutes.listDeployments, options),
    createDeployment: (body: DeploymentInput, { signal }: CallOptions = {}) =>
      caller.json(studioRoutes.createDeployment, { body, signal }),
    getDeployment: (id: string, options?: CallOptions) =>
      caller.json(studioRoutes.getDeployment, of(id, options)),
    updateDeployment: (id: string, body: DeploymentPatch, options?: CallOptions) =>
      caller.json(studioRoutes.updateDeployment, { ...of(id, options), body }),
    listDeploymentKeys: (id: string, options?: CallOptions) =>
      caller.json(studioRoutes.listDeploymentKeys, of(id, options)),
    issueDeploymentKey: (id: string, label: string, options?: CallOptions) =>
      caller.json(studioRoutes.issueDeploymentKey, { ...of(id, options), body: { label } }),
    revokeDeploymentKey: (id: string, keyId: string, { signal }: CallOptions = {}) =>
      caller.json(studioRoutes.revokeDeploymentKey, { params: { id, keyId }, signal }),
    getOpenApi: (options?: CallOptions) => caller.json(studioRoutes.getOpenApi, options),
  };
}
