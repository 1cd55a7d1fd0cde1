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
type Calls<Routes, Client> = Partial<Record<keyof Routes, (client: Client) => unknown>>;
type Methods = Readonly<Record<string, (...given: unknown[]) => unknown>>;

/** `id` has a slash, which must not become one of the path. */
const params = { id: 'a/b', keyId: 'k', requestId: 'r', name: 'final' };
const body = { a: 1 } as never;

/** Most methods take the parameters of the path, then the body. */
function callPlain(client: object, name: string, { method, path }: Route): unknown {
  const names = (path.match(/(?<=\/:)\w+/g) ?? []) as (keyof typeof params)[];
  const bodies = method === 'POST' || method === 'PATCH' ? [body] : [];
  return (client as Methods)[name]!(...names.map(param => params[param]), ...bodies);
}

/** How to call the others: first those that both have. */
const bothCalls = {
  listJobSettings: client => client.listJobSettings(['a']),
  listJobAnswers: client => client.listJobAnswers('a/b', { step: 3 }),
  streamJobEvents: client => client.streamJobEvents('a/b', { after: 4 }).next(),
  readJobLog: client => client.readJobLog('a/b', { after: '4' }).next(),
  issueDeploymentKey: client => client.issueDeploymentKey('a/b', 'ci'),
  listKeptRequests: client => client.listKeptRequests('a/b', { mark: 'none', limit: 5, cursor: '7' }),
  listEvaluations: client => client.listEvaluations({ jobId: 'j', endpoint: 'bot' }),
  listEvaluationRows: client => client.listEvaluationRows('a/b', { changed: true, limit: 5, cursor: '7' }),
} satisfies Calls<typeof studioRoutes & typeof cloudRoutes, StudioClient | CloudClient>;

const studioCalls: Calls<typeof studioRoutes, StudioClient> = {
  ...bothCalls,
  startTraining: client => client.startTraining(),
  readDataRows: client => client.readDataRows(),
  listJobRows: client => client.listJobRows('a/b', { rising: true, step: 3, limit: 20 }),
};

const studioQueries: Partial<Record<keyof typeof studioRoutes, string>> = {
  readJobLog: '?after=4',
  streamJobEvents: '?after=4',
  listJobRows: '?rising=true&step=3&limit=20',
  listJobAnswers: '?step=3',
  listKeptRequests: '?mark=none&limit=5&cursor=7',
  listEvaluations: '?jobId=j&endpoint=bot',
  listEvaluationRows: '?changed=true&limit=5&cursor=7',
};

const ALL_ROWS = { sort: 'rise', rising: true, step: 3, limit: 20, cursor: '20' } as const;

const signUp = (client: CloudClient) => client.signUpAnonymously('s3cret');

const cloudCalls: Calls<typeof cloudRoutes, CloudClient> = {
  ...bothCalls,
  signUpAnonymously: signUp,
  listProjects: client => client.listProjects('o'),
  createProject: client => client.createProject('o', body),
  uploadDataset: client => client.uploadDataset('rows.jsonl', 'rows'),
  getUpload: client => client.getUpload('abc'),
  appendUpload: client => client.appendUpload('abc', 4, 'rows'),
  finishUpload: client => client.finishUpload('abc', 'rows.jsonl'),
  listJobs: client => client.listJobs({ limit: 20, cursor: '5' }),
  cancelJob: client => client.cancelJob('a/b'),
  awaitRewards: client => client.awaitRewards('a/b', { known: 'abc' }),
  listJobRows: client => client.listJobRows('a/b', ALL_ROWS),
  importAdapter: client =>
    client.importAdapter({ name: 'mine', sameBaseModel: true, enableThinking: false }, new Blob(['tar'])),
  issueProjectKey: client => client.issueProjectKey('ci'),
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
    const route = (studioRoutes as RouteTable)[name]!;
    const call = studioCalls[name] ?? (plain => callPlain(plain, name, route));
    const { method, url, headers, body } = await send(call, client, sent);
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
      const route = (cloudRoutes as RouteTable)[name]!;
      const call = cloudCalls[name] ?? (plain => callPlain(plain, name, route));
      const { method, url, headers } = await send(call, client, sent);
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
    await send(signUp, createCloudClient({ baseUrl: 'https://c', fetch }), sent);
    expect(sent[0]!.headers.get('x-svc-cloud-secret')).toBe('s3cret');
    expect(sent[0]!.headers.has('authorization')).toBe(false);
  });
});
