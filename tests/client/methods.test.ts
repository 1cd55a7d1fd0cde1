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
    const error = { message: 'no', type: 't', code: 'job_not_found', param: null };
    return Response.json({ error }, { status: 404 });
  };
  return { sent, fetch };
}

type StudioClient = ReturnType<typeof createStudioClient>;
type CloudClient = ReturnType<typeof createCloudClient>;
type Calls<Routes, Client> = Record<keyof Routes, (client: Client) => unknown>;

const params = { id: 'a/b', keyId: 'k', requestId: 'r', name: 'final' };
const body = { a: 1 } as never;

/** How to call each method that both have; `id` has a slash, which must not become one of the path. */
const bothCalls = {
  previewData: client => client.previewData(body),
  getJob: client => client.getJob('a/b'),
  updateJob: client => client.updateJob('a/b', body),
  listJobSettings: client => client.listJobSettings(['a']),
  readJobLog: client => client.readJobLog('a/b', { after: '4' }).next(),
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
} satisfies Partial<Calls<typeof studioRoutes & typeof cloudRoutes, StudioClient | CloudClient>>;

const studioCalls: Calls<typeof studioRoutes, StudioClient> = {
  ...bothCalls,
  getIdentity: client => client.getIdentity(),
  getManifest: client => client.getManifest(),
  getTrainStatus: client => client.getTrainStatus(),
  startTraining: client => client.startTraining(),
  streamTrainOutput: client => client.streamTrainOutput(),
  listJobs: client => client.listJobs(),
  listJobRows: client => client.listJobRows('a/b', { rising: true, step: 3, limit: 20 }),
};

const studioQueries: Partial<Record<keyof typeof studioRoutes, string>> = {
  readJobLog: '?after=4',
  streamJobEvents: '?after=4',
  listJobRows: '?rising=true&step=3&limit=20',
  listKeptRequests: '?mark=none&limit=5&cursor=7',
};

const ALL_ROWS = { sort: 'rise', rising: true, step: 3, limit: 20, cursor: '20' } as const;

const cloudCalls: Calls<typeof cloudRoutes, CloudClient> = {
  ...bothCalls,
  signUpAnonymously: client => client.signUpAnonymously('s3cret'),
  getMe: client => client.getMe(),
  listProjects: client => client.listProjects('o'),
  createProject: client => client.createProject('o', body),
  uploadDataset: client => client.uploadDataset('rows.jsonl', 'rows'),
  getUpload: client => client.getUpload('abc'),
  appendUpload: client => client.appendUpload('abc', 4, 'rows'),
  finishUpload: client => client.finishUpload('abc', 'rows.jsonl'),
  listJobs: client => client.listJobs({ limit: 20, cursor: '5' }),
  createJob: client => client.createJob(body),
  deleteJob: client => client.deleteJob('a/b'),
  cancelJob: client => client.cancelJob('a/b'),
  recordScores: client => client.recordScores('a/b', { step: 50, scores: { accuracy: 0.5 } }),
  listJobRows: client => client.listJobRows('a/b', ALL_ROWS),
  getJobManifest: client => client.getJobManifest('a/b'),
  listArtifacts: client => client.listArtifacts('a/b'),
  downloadArtifact: client => client.downloadArtifact('a/b', 'final'),
  importAdapter: client => client.importAdapter({ name: 'mine', sameBaseModel: true }, new Blob(['tar'])),
  deleteDeployment: client => client.deleteDeployment('a/b'),
  listProjectKeys: client => client.listProjectKeys(),
  issueProjectKey: client => client.issueProjectKey('ci'),
  revokeProjectKey: client => client.revokeProjectKey('k'),
  getCloud: client => client.getCloud('n0nce'),
  collectGarbage: client => client.collectGarbage('s3cret'),
  stopCloud: client => client.stopCloud('s3cret'),
  getHealth: client => client.getHealth(),
};

async function send<C>(call: (client: C) => unknown, client: C, sent: Sent[]): Promise<Sent> {
  await expect(call(client)).rejects.toMatchObject({ code: 'job_not_found' });
  expect(sent).toHaveLength(1);
  return sent[0]!;
}

it('the Studio client has a method for each route and no other', () => {
  const client = createStudioClient({ baseUrl: 'http://localhost:4000', token: 't' });
  expect(Object.keys(client).sort()).toEqual(Object.keys(studioRoutes).sort());
});

it.each(Object.keys(studioRoutes) as (keyof typeof studioRoutes)[])(
  'the Studio client %s calls its route, with the token',
  async name => {
    const { sent, fetch } = recorder();
    const client = createStudioClient({ baseUrl: 'http://localhost:4000/', token: 'T0ken', fetch });
    const { method, url, headers, body } = await send(studioCalls[name], client, sent);
    const route = (studioRoutes as RouteTable)[name]!;
    expect([method, url.pathname]).toEqual([route.method, fillPath(route.path, params)]);
    expect(headers.get('x-svc-studio-token')).toBe('T0ken');
    expect(headers.get('content-type')).toBe(route.body ? 'application/json' : null);
    expect(url.search).toBe(studioQueries[name] ?? '');
    expect(body !== undefined).toBe(route.body !== undefined);
  },
);

describe('the cloud client', () => {
  const scope = { orgSlug: 'o', projectSlug: 'p' };

  it('has a method for each route, one for any of them, and one that relays a stream', () => {
    const methods = Object.keys(createCloudClient({ baseUrl: 'https://c' }));
    expect(methods.sort()).toEqual(
      [...Object.keys(cloudRoutes), 'call', 'relayJobEvents', 'relayJobLog'].sort(),
    );
  });

  it.each(Object.keys(cloudRoutes) as (keyof typeof cloudRoutes)[])(
    '%s calls its route, with bearer and scope',
    async name => {
      const { sent, fetch } = recorder();
      const client = createCloudClient({ baseUrl: 'https://c.example/base/', token: 'T0ken', scope, fetch });
      const { method, url, headers } = await send(cloudCalls[name], client, sent);
      const route = (cloudRoutes as RouteTable)[name]!;
      expect([method, url.pathname]).toEqual([route.method, `/base${fillPath(route.path, params)}`]);
      expect(headers.get('authorization')).toBe('Bearer T0ken');
      const bodyType = route.body === 'bytes' ? 'application/octet-stream' : 'application/json';
      expect(headers.get('content-type')).toBe(route.body ? bodyType : null);
      expect([...new Set(url.searchParams.keys())].sort()).toEqual(wantedQuery(route).sort());
    },
  );

  /** What each call above must send: all that the route takes, but for a project where none is needed. */
  function wantedQuery({ query }: Route): string[] {
    if (!query) return [];
    const schema = createSchemaWriter('').write(query, 'input') as {
      properties?: object;
      required?: string[];
    };
    const names = Object.keys(schema.properties ?? {});
    return names.filter(name => name !== 'projectSlug' || schema.required?.includes(name));
  }

  it("proves at sign-up that it can read the local cloud's secret", async () => {
    const { sent, fetch } = recorder();
    await send(cloudCalls.signUpAnonymously, createCloudClient({ baseUrl: 'https://c', fetch }), sent);
    expect(sent[0]!.headers.get('x-svc-cloud-secret')).toBe('s3cret');
    expect(sent[0]!.headers.has('authorization')).toBe(false);
  });
});
