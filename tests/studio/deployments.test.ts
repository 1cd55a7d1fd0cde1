// The deployment routes: each one rereads the files, calls the cloud and passes on its errors.
import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiError, fillPath, studioAddresses } from '../../lib/contract/index.js';
import { openStudio, STATE, sampleDeployment, type TestStudio } from './open-studio.js';

const KEY = {
  id: 'key-1',
  label: 'ci',
  prefix: 'svc_live_abc',
  enabled: true,
  createdAt: '2025-01-01T00:00:00.000Z',
  lastUsedAt: null,
};
const CREATE = { slug: 'triage', target: { kind: 'base_model', baseModel: 'svc/tiny' } };

/** An error for the cloud to answer with, if set. */
let failure: ApiError | undefined;
/** What the cloud says of a deployment. */
let shown: object;
let received: unknown[];
let test: TestStudio;
beforeEach(async () => {
  failure = undefined;
  shown = {};
  received = [];
  const answer =
    <T>(document: T) =>
    ({ body }: { body?: unknown }) => {
      if (failure) throw failure;
      if (body !== undefined) received.push(body);
      return document;
    };
  test = await openStudio({
    listDeployments: answer({ deployments: [sampleDeployment()] }),
    createDeployment: answer({ deployment: sampleDeployment() }),
    getDeployment: input => answer({ deployment: sampleDeployment(shown) })(input),
    updateDeployment: answer({ deployment: sampleDeployment({ enabled: false }) }),
    listDeploymentKeys: answer({ keys: [KEY] }),
    issueDeploymentKey: answer({ key: { ...KEY, plaintext: 'svc_live_secret' } }),
    revokeDeploymentKey: answer({ key: { ...KEY, enabled: false } }),
  });
});
afterEach(() => test.close());

type Name = keyof typeof studioAddresses;
const BODIES: Partial<Record<Name, unknown>> = {
  createDeployment: CREATE,
  updateDeployment: { enabled: false },
  issueDeploymentKey: { label: 'ci' },
};
const ROUTES = [
  'listDeployments',
  'createDeployment',
  'getDeployment',
  'updateDeployment',
  'listDeploymentKeys',
  'issueDeploymentKey',
  'revokeDeploymentKey',
] as const;
const callRoute = (name: Name) => {
  const { method, path } = studioAddresses[name];
  return test.json(
    method,
    fillPath(path, { id: 'd-1', keyId: 'key-1', requestId: 'request-1' }),
    BODIES[name],
  );
};
const known = async () => {
  await test.beKnown();
  await test.writeState();
};

describe('without .svc/state.json', () => {
  it('the list is empty and the cloud is not called', async () => {
    expect(await callRoute('listDeployments')).toEqual({ status: 200, body: { deployments: [] } });
    await test.signIn();
    expect(await callRoute('listDeployments')).toEqual({ status: 200, body: { deployments: [] } });
    expect(test.cloud.calls).toEqual([]);
    expect(await test.readState()).toBeNull();
  });

  it('the first deployment creates the state file for anonymous users', async () => {
    expect((await callRoute('createDeployment')).status).toBe(201);
    expect(await test.readState()).toEqual({
      orgSlug: 'anon-1',
      projectSlug: expect.stringMatching(/^project-[0-9a-f]{4}$/),
      projectId: 'p-1',
    });
    expect(test.cloud.calls.at(-1)).toBe('POST /v1/endpoints');
  });

  it('two concurrent creations create one project', async () => {
    await Promise.all([callRoute('createDeployment'), callRoute('createDeployment')]);
    expect(test.cloud.projects).toHaveLength(1);
  });

  it.each(ROUTES.filter(name => name !== 'listDeployments' && name !== 'createDeployment'))(
    '%s answers 404 without calling the cloud or writing anything',
    async name => {
      await test.beKnown();
      expect(await callRoute(name)).toMatchObject({
        status: 404,
        body: { error: { code: 'deployment_not_found' } },
      });
      expect(test.cloud.calls).toEqual([]);
      expect(await test.readState()).toBeNull();
    },
  );

  it.each(ROUTES.filter(name => name !== 'listDeployments'))(
    '%s answers state_missing to OAuth users',
    async name => {
      await test.signIn();
      expect(await callRoute(name)).toMatchObject({
        status: 400,
        body: {
          error: {
            code: 'state_missing',
            message: expect.stringMatching(/state\.json.*orgSlug.*projectSlug.*projectId/),
          },
        },
      });
      expect(test.cloud.calls).toEqual([]);
      expect(await test.readState()).toBeNull();
    },
  );
});

describe('with .svc/state.json and without credentials', () => {
  it.each(ROUTES.filter(name => name !== 'createDeployment'))(
    '%s answers 401 and creates no identity',
    async name => {
      await test.writeState();
      expect(await callRoute(name)).toMatchObject({
        status: 401,
        body: { error: { code: 'unauthenticated', message: expect.stringContaining('No identity on') } },
      });
      expect(test.cloud.calls).toEqual([]);
      expect(await readdir(test.root)).not.toContain('home');
    },
  );

  it('listDeployments waits while the identity is being created', async () => {
    await test.writeState({ ...STATE, orgSlug: 'anon-1' });
    const [, list] = await Promise.all([test.json('GET', '/api/credentials'), callRoute('listDeployments')]);
    expect(list).toMatchObject({ status: 200, body: { deployments: [{ id: 'd-1' }] } });
    expect(test.cloud.calls).toEqual(['POST /v1/auth/anonymous', 'GET /v1/endpoints']);
  });
});

describe('a deployment request', () => {
  it("calls the matching cloud route with the user's token and scope", async () => {
    await known();
    const answers = [];
    for (const name of ROUTES) answers.push(await callRoute(name));
    expect(answers.map(({ status }) => status)).toEqual([200, 201, 200, 200, 200, 201, 200]);
    expect(test.cloud.calls).toEqual([
      'GET /v1/endpoints',
      'POST /v1/endpoints',
      'GET /v1/endpoints/d-1',
      'PATCH /v1/endpoints/d-1',
      'GET /v1/endpoints/d-1/keys',
      'POST /v1/endpoints/d-1/keys',
      'DELETE /v1/endpoints/d-1/keys/key-1',
    ]);
    for (const { query, headers } of test.cloud.requests) {
      expect(query).toBe('?orgSlug=anon-0&projectSlug=web');
      expect(headers.get('authorization')).toBe('Bearer known');
    }
    expect(received).toEqual([CREATE, { enabled: false }, { label: 'ci' }]);
  });

  it('accepts slug, target and auth mode, and returns the created deployment', async () => {
    await known();
    const { body } = await test.json('POST', '/api/deployments', { ...CREATE, authMode: 'none' });
    expect(received).toEqual([{ ...CREATE, authMode: 'none' }]);
    expect(body).toMatchObject({ deployment: { id: 'd-1', slug: 'triage', authMode: 'fixed_api_key' } });
  });

  it('sends only the given changes', async () => {
    await known();
    for (const patch of [{ enabled: true }, { authMode: 'none' }])
      expect((await test.json('PATCH', '/api/deployments/d-1', patch)).status).toBe(200);
    expect(received).toEqual([{ enabled: true }, { authMode: 'none' }]);
  });

  it('shows what an endpoint offers, and leaves changes of it to the command line', async () => {
    await known();
    const offer = { operations: ['chat', 'models'], corsOrigins: ['https://app.example.com'] };
    shown = offer;
    expect(await callRoute('getDeployment')).toMatchObject({ body: { deployment: offer } });
    // An older cloud says nothing of it.
    shown = {};
    const none = { operations: ['chat'], corsOrigins: [] };
    expect(await callRoute('getDeployment')).toMatchObject({ body: { deployment: none } });
    for (const [field, value] of Object.entries(offer)) {
      const refusal = { status: 400, body: { error: { code: 'unknown_field', param: field } } };
      expect(await test.json('POST', '/api/deployments', { ...CREATE, [field]: value })).toMatchObject(
        refusal,
      );
      expect(await test.json('PATCH', '/api/deployments/d-1', { [field]: value })).toMatchObject(refusal);
    }
    expect(received).toEqual([]);
  });

  it('leaves the check of reserved slugs to the cloud, which answers 400', async () => {
    await known();
    failure = new ApiError('slug_reserved', '`admin` is reserved.', { param: 'slug' });
    expect(await test.json('POST', '/api/deployments', { ...CREATE, slug: 'admin' })).toMatchObject({
      status: 400,
      body: { error: { code: 'slug_reserved', message: '`admin` is reserved.', param: 'slug' } },
    });
    expect(test.cloud.calls).toEqual(['POST /v1/endpoints']);
  });

  it('returns the plaintext of a key only when it is issued', async () => {
    await known();
    const texts = [];
    for (const name of ROUTES) texts.push(JSON.stringify((await callRoute(name)).body));
    expect(texts.filter(text => text.includes('svc_live_secret'))).toHaveLength(1);
  });

  it('returns a revoked key as disabled', async () => {
    await known();
    expect((await callRoute('revokeDeploymentKey')).body).toEqual({ key: { ...KEY, enabled: false } });
  });

  it('rereads the credentials and the state file each time', async () => {
    await known();
    await callRoute('listDeployments');
    await test.writeState({ ...STATE, projectSlug: 'other' });
    await callRoute('listDeployments');
    await test.signIn();
    await callRoute('listDeployments');
    const seen = test.cloud.requests.map(({ query, headers }) => `${headers.get('authorization')} ${query}`);
    expect(seen).toEqual([
      'Bearer known ?orgSlug=anon-0&projectSlug=web',
      'Bearer known ?orgSlug=anon-0&projectSlug=other',
      'Bearer access ?orgSlug=anon-0&projectSlug=other',
    ]);
  });

  it.each([
    [{ slug: 'A', target: CREATE.target }, 'slug_invalid', 'slug'],
    [{ ...CREATE, enabled: true }, 'unknown_field', 'enabled'],
    [{ slug: 'triage' }, 'invalid_value', 'target'],
  ])('is refused without calling the cloud if it is invalid: %j', async (body, code, param) => {
    await known();
    expect(await test.json('POST', '/api/deployments', body)).toMatchObject({
      status: 400,
      body: { error: { code, param } },
    });
    expect((await test.json('PATCH', '/api/deployments/d-1', { target: CREATE.target })).body).toMatchObject({
      error: { code: 'unknown_field', param: 'target' },
    });
    expect(test.cloud.calls).toEqual([]);
  });
});

describe('a cloud API error', () => {
  const STATUSES = [400, 401, 403, 404, 409, 422, 429, 500, 503];
  const callers = [
    ['anonymous', () => test.beKnown()],
    ['oauth', () => test.signIn()],
  ] as const;
  const cases = callers.flatMap(([mode, be]) => ROUTES.map(name => [name, mode, be] as const));

  it.each(cases)('is passed on with the same status and envelope: %s, %s', async (name, _, be) => {
    await be();
    await test.writeState();
    for (const status of STATUSES) {
      failure = new ApiError({ status, type: 'some_type', code: `code_${status}` }, `Said ${status}.`, {
        param: 'slug',
      });
      expect(await callRoute(name)).toEqual({
        status,
        body: {
          error: { message: `Said ${status}.`, type: 'some_type', code: `code_${status}`, param: 'slug' },
        },
      });
    }
  });

  it('of 401 stays 401 for an OAuth user whose token cannot be renewed', async () => {
    await test.signIn({ refreshToken: 'refresh', issuer: 'http://127.0.0.1:9' });
    await test.writeState();
    failure = new ApiError('unauthenticated', 'The token is not valid.');
    for (const name of ROUTES)
      expect(await callRoute(name)).toMatchObject({
        status: 401,
        body: { error: { type: 'authentication_error', code: 'issuer_unreachable' } },
      });
  });

  it('of 404 stays 404 for an OAuth user outside the organization in the state file', async () => {
    const other = await openStudio({
      getMe: () => ({ mode: 'oauth', orgs: [] }),
      listDeployments: () => {
        throw new ApiError('project_not_found', 'No such project.');
      },
    });
    await other.signIn();
    await other.writeState();
    expect((await other.json('GET', '/api/deployments')).status).toBe(404);
    await other.close();
  });

  it('keeps the retry headers', async () => {
    await known();
    failure = new ApiError('slug_taken', 'Taken.', {
      headers: { 'x-should-retry': 'false', 'retry-after': '7' },
    });
    const { headers } = await test.call('/api/deployments');
    expect([headers.get('x-should-retry'), headers.get('retry-after')]).toEqual(['false', '7']);
  });

  it("for a taken slug is 409 with the cloud's message", async () => {
    await known();
    failure = new ApiError('slug_taken', 'The slug triage is taken.');
    expect(await callRoute('createDeployment')).toMatchObject({
      status: 409,
      body: { error: { code: 'slug_taken', message: 'The slug triage is taken.' } },
    });
  });

  it("is 502 with the cloud's URL when the cloud is unreachable", async () => {
    await known();
    const { url } = test.cloud;
    await test.cloud.close();
    expect(await callRoute('listDeployments')).toMatchObject({
      status: 502,
      body: { error: { code: 'cloud_unreachable', message: expect.stringContaining(url) } },
    });
  });
});

describe('a state file of another organization', () => {
  const mine = (slugs: string[]) => ({
    mode: 'oauth',
    orgs: slugs.map(slug => ({ id: slug, slug, name: slug })),
  });
  const open = (orgs: string[]) =>
    openStudio({
      getMe: () => mine(orgs),
      listDeployments: () => {
        throw new ApiError('project_not_found', 'No such project.');
      },
    });

  it('is refused for anonymous users without calling the cloud, and left unchanged', async () => {
    await test.beKnown();
    await test.writeState({ ...STATE, orgSlug: 'acme' });
    expect(await callRoute('listDeployments')).toMatchObject({
      status: 409,
      body: { error: { code: 'state_mismatch' } },
    });
    expect(test.cloud.calls).toEqual([]);
    expect(await test.readState()).toMatchObject({ orgSlug: 'acme' });
  });

  it("is distinguished from a missing project by asking for the user's organizations after a 404", async () => {
    for (const [orgs, status, code] of [
      [['else'], 404, 'state_mismatch'],
      [['acme'], 404, 'project_not_found'],
    ] as const) {
      const other = await open([...orgs]);
      await other.signIn();
      await other.writeState({ ...STATE, orgSlug: 'acme' });
      expect(await other.json('GET', '/api/deployments')).toMatchObject({
        status,
        body: { error: { code } },
      });
      expect(other.cloud.calls).toEqual(['GET /v1/endpoints', 'GET /v1/me']);
      await other.close();
    }
  });

  it("does not hide the cloud's error when that request fails", async () => {
    const other = await openStudio({
      listDeployments: () => {
        throw new ApiError('project_not_found', 'No such project.');
      },
    });
    await other.signIn();
    await other.writeState();
    expect(await other.json('GET', '/api/deployments')).toMatchObject({
      status: 404,
      body: { error: { code: 'project_not_found' } },
    });
    await other.close();
  });
});
