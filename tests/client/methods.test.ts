// One typed method a route: every method of both clients is called, and what it sends is held against the tables.
import { describe, expect, it } from 'vitest';
import { createCloudClient, createStudioClient } from '../../lib/client/index.js';
import {
  cloudRoutes,
  createSchemaWriter,
  fillPath,
  type Route,
  type RouteTable,
  studioRoutes,
} from '../../lib/contract/index.js';

interface Sent {
  method: string;
  url: URL;
  headers: Headers;
  body: unknown;
}

function recorder() {
  const sent: Sent[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const body = request.body ? await request.text() : undefined;
    sent.push({ method: request.method, url: new URL(request.url), headers: request.headers, body });
    return Response.json(
      { error: { message: 'no', type: 't', code: 'job_not_found', param: null } },
      { status: 404 },
    );
  };
  return { sent, fetch };
}

const params = { id: 'a/b', keyId: 'k', requestId: 'r', name: 'final' };
const body = { a: 1 } as never;

/** How to call each method; `id` has a slash, which must not become one of the path. */
const studioCalls: Record<
  keyof typeof studioRoutes,
  (client: ReturnType<typeof createStudioClient>) => unknown
> = {
  getIdentity: client => client.getIdentity(),
  getManifest: client => client.getManifest(),
  getTrainStatus: client => client.getTrainStatus(),
  startTraining: client => client.startTraining(),
  streamTrainOutput: client => client.streamTrainOutput(),
  previewData: client => client.previewData(body),
  listJobs: client => client.listJobs(),
  getJob: client => client.getJob('a/b'),
  updateJob: client => client.updateJob('a/b', body),
  listJobSettings: client => client.listJobSettings(['a']),
  listJobRows: client => client.listJobRows('a/b', { rising: true, step: 3, limit: 20 }),
  streamJobEvents: client => client.streamJobEvents('a/b', { after: 4 }).next(),
  chat: client => client.chat(body),
  getOverview: client => client.getOverview(),
  listDeployments: client => client.listDeployments(),
  createDeployment: client => client.createDeployment(body),
  getDeployment: client => client.getDeployment('a/b'),
  updateDeployment: client => client.updateDeployment('a/b', body),
  listDeploymentKeys: client => client.listDeploymentKeys('a/b'),
  issueDeploymentKey: client => client.issueDeploymentKey('a/b', 'ci'),
  revokeDeploymentKey: client => client.revokeDeploymentKey('a/b', 'k'),
  listKeptRequests: client => client.listKeptRequests('a/b', { mark: 'none', limit: 5, cursor: '7' }),
  getKeptRequest: client => client.getKeptRequest('a/b', 'r'),
  updateKeptRequest: client => client.updateKeptRequest('a/b', 'r', body),
  deleteKeptRequest: client => client.deleteKeptRequest('a/b', 'r'),
  getCluster: client => client.getCluster(),
  getOpenApi: client => client.getOpenApi(),
};

const studioQueries: Partial<Record<keyof typeof studioRoutes, string>> = {
  streamJobEvents: '?after=4',
  listJobRows: '?rising=true&step=3&limit=20',
  listKeptRequests: '?mark=none&limit=5&cursor=7',
};

const cloudCalls: Record<
  keyof typeof cloudRoutes,
  (client: ReturnType<typeof createCloudClient>) => unknown
> = {
  signUpAnonymously: client => client.signUpAnonymously('s3cret'),
  getMe: client => client.getMe(),
  listProjects: client => client.listProjects('o'),
  createProject: client => client.createProject('o', body),
  previewData: client => client.previewData(body),
  uploadDataset: client => client.uploadDataset('rows.jsonl', 'rows'),
  getUpload: client => client.getUpload('abc'),
  appendUpload: client => client.appendUpload('abc', 4, 'rows'),
  finishUpload: client => client.finishUpload('abc', 'rows.jsonl'),
  listJobs: client => client.listJobs({ limit: 20, cursor: '5' }),
  createJob: client => client.createJob(body),
  getJob: client => client.getJob('a/b'),
  updateJob: client => client.updateJob('a/b', body),
  listJobSettings: client => client.listJobSettings(['a']),
  deleteJob: client => client.deleteJob('a/b'),
  cancelJob: client => client.cancelJob('a/b'),
  recordScores: client => client.recordScores('a/b', { step: 50, scores: { accuracy: 0.5 } }),
  streamJobEvents: client => client.streamJobEvents('a/b', { after: 4 }).next(),
  listJobRows: client =>
    client.listJobRows('a/b', { sort: 'rise', rising: true, step: 3, limit: 20, cursor: '20' }),
  getJobManifest: client => client.getJobManifest('a/b'),
  listArtifacts: client => client.listArtifacts('a/b'),
  downloadArtifact: client => client.downloadArtifact('a/b', 'final'),
  importAdapter: client => client.importAdapter({ name: 'mine', sameBaseModel: true }, new Blob(['tar'])),
  chat: client => client.chat(body),
  getOverview: client => client.getOverview(),
  listDeployments: client => client.listDeployments(),
  createDeployment: client => client.createDeployment(body),
  getDeployment: client => client.getDeployment('a/b'),
  updateDeployment: client => client.updateDeployment('a/b', body),
  deleteDeployment: client => client.deleteDeployment('a/b'),
  listDeploymentKeys: client => client.listDeploymentKeys('a/b'),
  issueDeploymentKey: client => client.issueDeploymentKey('a/b', 'ci'),
  revokeDeploymentKey: client => client.revokeDeploymentKey('a/b', 'k'),
  listKeptRequests: client => client.listKeptRequests('a/b', { mark: 'none', limit: 5, cursor: '7' }),
  getKeptRequest: client => client.getKeptRequest('a/b', 'r'),
  updateKeptRequest: client => client.updateKeptRequest('a/b', 'r', body),
  deleteKeptRequest: client => client.deleteKeptRequest('a/b', 'r'),
  listProjectKeys: client => client.listProjectKeys(),
  issueProjectKey: client => client.issueProjectKey('ci'),
  revokeProjectKey: client => client.revokeProjectKey('k'),
  getCloud: client => client.getCloud('n0nce'),
  collectGarbage: client => client.collectGarbage('s3cret'),
  stopCloud: client => client.stopCloud('s3cret'),
  getHealth: client => client.getHealth(),
  getCluster: client => client.getCluster(),
  getOpenApi: client => client.getOpenApi(),
};

async function send<C>(call: (client: C) => unknown, client: C, sent: Sent[]): Promise<Sent> {
  await expect(call(client)).rejects.toMatchObject({ code: 'job_not_found' });
  expect(sent).toHaveLength(1);
  return sent[0]!;
}

describe('the Studio client', () => {
  it('has a method for each route and no other', () => {
    const client = createStudioClient({ baseUrl: 'http://localhost:4000', token: 't' });
    expect(Object.keys(client).sort()).toEqual(Object.keys(studioRoutes).sort());
  });

  it.each(Object.keys(studioRoutes) as (keyof typeof studioRoutes)[])(
    '%s calls its route, with the token',
    async name => {
      const { sent, fetch } = recorder();
      const client = createStudioClient({ baseUrl: 'http://localhost:4000/', token: 'T0ken', fetch });
      const request = await send(studioCalls[name], client, sent);
      const route = (studioRoutes as RouteTable)[name]!;
      expect(`${request.method} ${request.url.pathname}`).toBe(
        `${route.method} ${fillPath(route.path, params)}`,
      );
      expect(request.headers.get('x-svc-studio-token')).toBe('T0ken');
      expect(request.headers.get('content-type')).toBe(route.body ? 'application/json' : null);
      expect(request.url.search).toBe(studioQueries[name] ?? '');
      expect(request.body !== undefined).toBe(route.body !== undefined);
    },
  );
});

describe('the cloud client', () => {
  const scope = { orgSlug: 'o', projectSlug: 'p' };

  it('has a method for each route, and one that relays a stream', () => {
    expect(Object.keys(createCloudClient({ baseUrl: 'https://c' })).sort()).toEqual(
      [...Object.keys(cloudRoutes), 'relayJobEvents'].sort(),
    );
  });

  it.each(Object.keys(cloudRoutes) as (keyof typeof cloudRoutes)[])(
    '%s calls its route, with bearer and scope',
    async name => {
      const { sent, fetch } = recorder();
      const client = createCloudClient({
        baseUrl: 'https://cloud.example/base/',
        token: 'T0ken',
        scope,
        fetch,
      });
      const request = await send(cloudCalls[name], client, sent);
      const route = (cloudRoutes as RouteTable)[name]!;
      expect(`${request.method} ${request.url.pathname}`).toBe(
        `${route.method} /base${fillPath(route.path, params)}`,
      );
      expect(request.headers.get('authorization')).toBe('Bearer T0ken');
      const type =
        route.body === 'bytes' ? 'application/octet-stream' : route.body ? 'application/json' : null;
      expect(request.headers.get('content-type')).toBe(type);
      expect(Object.keys(Object.fromEntries(request.url.searchParams)).sort()).toEqual(
        wantedQuery(route).sort(),
      );
    },
  );

  /** What each call above must send: all that the route takes, but for a project where none is needed. */
  function wantedQuery({ query }: Route): string[] {
    if (!query) return [];
    const { properties = {}, required = [] } = createSchemaWriter('').write(query, 'input') as {
      properties?: object;
      required?: string[];
    };
    return Object.keys(properties).filter(name => name !== 'projectSlug' || required.includes(name));
  }

  it("proves at sign-up that it can read the local cloud's secret", async () => {
    const { sent, fetch } = recorder();
    await send(cloudCalls.signUpAnonymously, createCloudClient({ baseUrl: 'https://c', fetch }), sent);
    expect(sent[0]!.headers.get('x-svc-cloud-secret')).toBe('s3cret');
    expect(sent[0]!.headers.has('authorization')).toBe(false);
  });
});
