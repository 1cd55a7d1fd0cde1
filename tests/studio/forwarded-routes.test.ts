// The routes that Studio forwards: each one rereads the files, calls the cloud and passes on its answer or error.
import { readdir } from 'node:fs/promises';
import { request, type ServerResponse } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { ApiError, fillPath, STUDIO_TOKEN_HEADER, studioAddresses } from '../../lib/contract/index.js';
import { listen } from '../../lib/http/index.js';
import type { Listening } from '../../lib/http/listen.js';
import { sampleAnswers } from '../support/sample-answers.js';
import { sampleCluster } from '../support/sample-cluster.js';
import { listKept, sampleKept } from '../support/sample-kept.js';
import { sampleRowLosses } from '../support/sample-rows.js';
import { JOB_ID, sampleDeployment, sampleJob, sampleKey } from '../support/samples.js';
import { until } from '../support/until.js';
import { openStudio, STATE, type TestStudio, TOKEN } from './open-studio.js';

type Name = keyof typeof studioAddresses;

const CREATE = { slug: 'triage', target: { kind: 'base_model', baseModel: 'svc/tiny' } };
const { config: _config, ...summary } = sampleJob();
const job = { job: sampleJob() };
const settings = { jobs: [{ id: JOB_ID, config: {}, customSettings: [] }] };
const overview = { running: [summary], recent: [], endpoints: [] };
const noOverview = { ...overview, running: [] };
const deployment = { deployment: sampleDeployment() };
const key = { key: sampleKey() };
const issued = { key: sampleKey({ plaintext: 'svc_live_secret' } as object) };
const kept = { request: sampleKept() };

/** By name: what the cloud is asked, what it answers, and what is answered without a project: an error or no list. */
type Forwarded = readonly [Name, asked: string, answer: object, without: object | string];

const ROUTES: readonly Forwarded[] = [
  ['listJobs', 'GET /v1/jobs', { jobs: [summary] }, { jobs: [] }],
  ['getJob', 'GET /v1/jobs/one', job, 'job_not_found'],
  ['updateJob', 'PATCH /v1/jobs/one', job, 'job_not_found'],
  ['listJobSettings', 'POST /v1/jobs/settings', settings, { jobs: [] }],
  ['listJobRows', 'GET /v1/jobs/one/rows', sampleRowLosses({}), 'job_not_found'],
  ['listJobAnswers', 'GET /v1/jobs/one/answers', sampleAnswers(), 'job_not_found'],
  ['getOverview', 'GET /v1/overview', overview, noOverview],
  ['getCluster', 'GET /v1/cluster', { cluster: sampleCluster() }, { cluster: null }],
  ['listDeployments', 'GET /v1/endpoints', { deployments: [sampleDeployment()] }, { deployments: [] }],
  ['getDeployment', 'GET /v1/endpoints/one', deployment, 'deployment_not_found'],
  ['updateDeployment', 'PATCH /v1/endpoints/one', deployment, 'deployment_not_found'],
  ['listDeploymentKeys', 'GET /v1/endpoints/one/keys', { keys: [sampleKey()] }, 'deployment_not_found'],
  ['issueDeploymentKey', 'POST /v1/endpoints/one/keys', issued, 'deployment_not_found'],
  ['revokeDeploymentKey', 'DELETE /v1/endpoints/one/keys/key-1', key, 'deployment_not_found'],
  ['listKeptRequests', 'GET /v1/endpoints/one/requests', listKept([], {}), 'deployment_not_found'],
  ['getKeptRequest', 'GET /v1/endpoints/one/requests/request-1', kept, 'deployment_not_found'],
  ['updateKeptRequest', 'PATCH /v1/endpoints/one/requests/request-1', kept, 'deployment_not_found'],
  ['deleteKeptRequest', 'DELETE /v1/endpoints/one/requests/request-1', kept, 'deployment_not_found'],
];
/** This one makes a project. */
const CREATING: Forwarded = ['createDeployment', 'POST /v1/endpoints', deployment, deployment];

const BODIES: Partial<Record<Name, object>> = {
  createDeployment: { ...CREATE, authMode: 'none' },
  updateJob: { name: 'new' },
  listJobSettings: { ids: [JOB_ID] },
  updateDeployment: { enabled: false },
  issueDeploymentKey: { label: 'ci' },
  updateKeptRequest: { mark: 'good' },
};
const QUERIES: Partial<Record<Name, string>> = {
  listJobRows: 'rising=true&step=3&limit=20',
  listJobAnswers: 'step=3',
  listKeptRequests: 'mark=none&limit=5&cursor=7',
};

/** An error for the cloud to answer with, if set. */
let failure: ApiError | undefined;
let received: object;
let test: TestStudio;
beforeEach(async () => {
  failure = undefined;
  received = {};
  const answers = [...ROUTES, CREATING].map(([name, , answer]) => [
    name,
    ({ body }: { body?: object }) => {
      if (failure) throw failure;
      if (body !== undefined) received = { ...received, [name]: body };
      return answer;
    },
  ]);
  test = await openStudio(Object.fromEntries(answers));
});

function ask(name: Name) {
  const { method, path } = studioAddresses[name];
  const at = fillPath(path, { id: 'one', keyId: 'key-1', requestId: 'request-1' });
  return test.json(method, QUERIES[name] ? `${at}?${QUERIES[name]}` : at, BODIES[name]);
}

describe('without .svc/state.json', () => {
  const EVENTS: Forwarded = ['streamJobEvents', 'GET', {}, 'job_not_found'];

  it.each([...ROUTES, EVENTS])('%s finds nothing, and writes nothing', async (name, _asked, _, without) => {
    const found =
      typeof without === 'string' ? { status: 404, code: without } : { status: 200, body: without };
    await test.beKnown();
    expect(await ask(name)).toMatchObject(found);
    await test.signIn();
    const isList = typeof without !== 'string';
    expect(await ask(name)).toMatchObject(isList ? found : { status: 400, code: 'state_missing' });
    expect(test.cloud.calls).toEqual([]);
    expect(await test.readState()).toBeNull();
  });

  it('the first deployment creates the state file for anonymous users', async () => {
    expect((await ask('createDeployment')).status).toBe(201);
    const projectSlug = expect.stringMatching(/^project-[0-9a-f]{4}$/);
    expect(await test.readState()).toEqual({ orgSlug: 'anon-1', projectSlug, projectId: 'p-1' });
    expect(test.cloud.calls.at(-1)).toBe('POST /v1/endpoints');
  });

  it('two concurrent creations create one project', async () => {
    await Promise.all([ask('createDeployment'), ask('createDeployment')]);
    expect(test.cloud.projects).toHaveLength(1);
  });

  it('the first deployment of an OAuth user is refused, with what the file has to say', async () => {
    await test.signIn();
    const message = expect.stringMatching(/state\.json.*orgSlug.*projectSlug.*projectId/);
    expect(await ask('createDeployment')).toMatchObject({ status: 400, code: 'state_missing', message });
    expect([test.cloud.calls, await test.readState()]).toEqual([[], null]);
  });
});

describe('with .svc/state.json and without credentials', () => {
  it.each(ROUTES)('%s answers 401 and creates no identity', async name => {
    await test.writeState();
    const message = expect.stringContaining('No identity on');
    expect(await ask(name)).toMatchObject({ status: 401, code: 'unauthenticated', message });
    expect(test.cloud.calls).toEqual([]);
    expect(await readdir(test.root)).not.toContain('home');
  });

  it('a list waits while the identity is being created', async () => {
    await test.writeState({ ...STATE, orgSlug: 'anon-1' });
    const [, list] = await Promise.all([test.json('GET', '/api/credentials'), ask('listDeployments')]);
    expect(list).toMatchObject({ status: 200, body: { deployments: [{ slug: 'demo' }] } });
    expect(test.cloud.calls).toEqual(['POST /v1/auth/anonymous', 'GET /v1/endpoints']);
  });
});

describe('a forwarded request', () => {
  it.each([...ROUTES, CREATING])('%s is %s in the cloud', async (name, asked, answer) => {
    await test.link();
    const { status, body } = await ask(name);
    expect([status, body]).toEqual([asked.startsWith('POST /v1/endpoints') ? 201 : 200, answer]);
    expect(test.cloud.calls).toEqual([asked]);
    const [{ query, headers }] = test.cloud.requests as [(typeof test.cloud.requests)[0]];
    expect(headers.get('authorization')).toBe('Bearer known');
    const scope = 'orgSlug=anon-0&projectSlug=web';
    const wanted = new URLSearchParams(QUERIES[name] ? `${scope}&${QUERIES[name]}` : scope);
    expect([...new URLSearchParams(query)].sort()).toEqual([...wanted].sort());
    expect(received).toEqual(BODIES[name] ? { [name]: BODIES[name] } : {});
  });

  it('rereads the credentials and the state file each time', async () => {
    await test.link();
    await ask('listDeployments');
    await test.writeState({ ...STATE, projectSlug: 'other' });
    await ask('listDeployments');
    await test.signIn();
    await ask('listDeployments');
    const seen = test.cloud.requests.map(({ query, headers }) => `${headers.get('authorization')} ${query}`);
    expect(seen).toEqual([
      'Bearer known ?orgSlug=anon-0&projectSlug=web',
      'Bearer known ?orgSlug=anon-0&projectSlug=other',
      'Bearer access ?orgSlug=anon-0&projectSlug=other',
    ]);
  });

  it.each([
    ['POST', '', { slug: 'A', target: CREATE.target }, 'slug_invalid', 'slug'],
    ['POST', '', { ...CREATE, enabled: true }, 'unknown_field', 'enabled'],
    ['POST', '', { ...CREATE, operations: ['chat'] }, 'unknown_field', 'operations'],
    ['POST', '', { slug: 'triage' }, 'invalid_value', 'target'],
    ['PATCH', '/one', { target: CREATE.target }, 'unknown_field', 'target'],
    ['PATCH', '/one', { corsOrigins: ['https://app.example.com'] }, 'unknown_field', 'corsOrigins'],
  ])('is refused here if it is wrong: %s %s %j', async (method, id, body, code, param) => {
    await test.link();
    const refused = await test.json(method, `/api/deployments${id}`, body);
    expect(refused).toMatchObject({ status: 400, code, param });
    expect(test.cloud.calls).toEqual([]);
  });
});

describe('an error of the cloud', () => {
  it.each(['anonymous', 'oauth'])('is passed on as it is to %s users', async mode => {
    await (mode === 'oauth' ? test.signIn() : test.beKnown());
    await test.writeState();
    for (const status of [400, 401, 403, 404, 409, 422, 429, 500, 503]) {
      const error = {
        message: `Said ${status}.`,
        type: 'some_type',
        code: `code_${status}`,
        param: 'slug',
      };
      failure = new ApiError({ ...error, status }, error.message, { param: 'slug' });
      for (const [name] of [...ROUTES, CREATING])
        if (name !== 'getCluster' || status !== 404)
          expect(await ask(name), `${name} ${status}`).toMatchObject({ status, body: { error } });
    }
  });

  it('of 401 stays 401 for an OAuth user whose token cannot be renewed', async () => {
    await test.signIn({ refreshToken: 'refresh', issuer: 'http://127.0.0.1:9' });
    await test.writeState();
    failure = new ApiError('unauthenticated', 'The token is not valid.');
    const error = { type: 'authentication_error', code: 'issuer_unreachable' };
    for (const [name] of [...ROUTES, CREATING])
      expect(await ask(name)).toMatchObject({ status: 401, body: { error } });
  });

  it('keeps the retry headers', async () => {
    await test.link();
    const told = { 'x-should-retry': 'false', 'retry-after': '7' };
    failure = new ApiError('slug_taken', 'Taken.', { headers: told });
    const { headers } = await test.call('/api/deployments');
    expect(Object.fromEntries(headers)).toMatchObject(told);
  });

  it("is 502 with the cloud's URL when the cloud is unreachable", async () => {
    await test.link();
    await test.cloud.close();
    const message = expect.stringContaining(test.cloud.url);
    expect(await ask('listDeployments')).toMatchObject({ status: 502, code: 'cloud_unreachable', message });
  });

  it('is none where another cloud has no overview or no cluster, and others are told', async () => {
    await test.link();
    failure = new ApiError('unknown_url', 'There is no such route.');
    expect(await ask('getOverview')).toMatchObject({ status: 200, body: noOverview });
    expect(await ask('getCluster')).toMatchObject({ status: 200, body: { cluster: null } });
    expect(await ask('listJobs')).toMatchObject({ status: 404, code: 'unknown_url' });
  });
});

describe('a state file of another organization', () => {
  it('is refused for anonymous users without calling the cloud, and left unchanged', async () => {
    await test.beKnown();
    await test.writeState({ ...STATE, orgSlug: 'acme' });
    expect(await ask('listDeployments')).toMatchObject({ status: 409, code: 'state_mismatch' });
    expect(test.cloud.calls).toEqual([]);
    expect(await test.readState()).toMatchObject({ orgSlug: 'acme' });
  });

  it.each([
    ['state_mismatch', () => ['else']],
    ['project_not_found', () => ['acme']],
    ['project_not_found', () => Promise.reject(new ApiError('engine_unavailable', 'Not now.'))],
  ])("is told from a missing project after a 404, by the user's organizations: %s", async (code, orgs) => {
    const toOrg = (slug: string) => ({ id: slug, slug, name: slug });
    const other = await openStudio({
      getMe: async () => ({ mode: 'oauth', orgs: (await orgs()).map(toOrg) }),
      listDeployments: () => {
        throw new ApiError('project_not_found', 'No such project.');
      },
    });
    await other.signIn();
    await other.writeState({ ...STATE, orgSlug: 'acme' });
    expect(await other.json('GET', '/api/deployments')).toMatchObject({ status: 404, code });
    expect(other.cloud.calls).toEqual(['GET /v1/endpoints', 'GET /v1/me']);
  });
});

describe('the Idempotency-Key', () => {
  it.each(['createDeployment', 'issueDeploymentKey'] as const)('is passed on: %s', async name => {
    await test.link();
    const headers = { 'content-type': 'application/json', 'idempotency-key': 'mine' };
    const { method, path } = studioAddresses[name];
    const init = { method, headers, body: JSON.stringify(BODIES[name]) };
    expect((await test.call(fillPath(path, { id: 'one' }), init)).ok).toBe(true);
    expect(test.cloud.requests.at(-1)!.headers.get('idempotency-key')).toBe('mine');
  });

  it('is generated when the request has none', async () => {
    await test.link();
    await ask('createDeployment');
    expect(test.cloud.requests.at(-1)!.headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('a deployment key issued for a page', () => {
  function issue(server: Listening) {
    const headers = { 'content-type': 'application/json', [STUDIO_TOKEN_HEADER]: TOKEN };
    const path = '/api/deployments/one/keys';
    const asking = request({ host: '127.0.0.1', port: server.port, method: 'POST', path, headers });
    return asking.on('error', () => {}).end('{"label":"ci"}');
  }

  it('is revoked when the page disconnects before the response', async () => {
    await test.link();
    const lose = async (given: Request) => {
      const response = await test.studio.fetch(given);
      (given as Request & { runtime: { node: { res: ServerResponse } } }).runtime.node.res.destroy();
      return response;
    };
    const server = await listen({ fetch: lose }, { ports: [0] });
    issue(server);
    await until(() => test.cloud.calls.at(-1)).toBe(`DELETE /v1/endpoints/one/keys/${sampleKey().id}`);
    await server.close();
  });

  it('has its request to the cloud aborted when the page disconnects', async () => {
    let asked: Request | undefined;
    const other = await openStudio({
      issueDeploymentKey: ({ request: given }: { request: Request }) => {
        asked = given;
        return new Promise((_, reject) => given.signal.addEventListener('abort', () => reject(new Error())));
      },
    });
    await other.link();
    const server = await listen(other.studio, { ports: [0] });
    const asking = issue(server);
    await until(() => asked !== undefined).toBe(true);
    asking.destroy();
    await until(() => asked!.signal.aborted).toBe(true);
    await server.close();
  });
});
