// The identity shown in Studio's header, and the one cloud call it may need.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ApiError } from '../../lib/contract/index.js';
import { openSession } from '../../lib/sdk/index.js';
import { peekIdentity } from '../../lib/studio/index.js';
import { sampleModelFacts } from '../support/sample-overview.js';
import { openStudio, STATE, type TestStudio } from './open-studio.js';

let test: TestStudio;
beforeEach(async () => {
  test = await openStudio();
});

const ask = () => test.json('GET', '/api/credentials');
const credentials = () => readFile(join(test.home, 'credentials.json'), 'utf8');
const host = () => new URL(test.cloud.url).host;

describe('GET /api/credentials', () => {
  it('creates an anonymous identity when the credentials file is missing, whose token it keeps', async () => {
    const { status, body } = await ask();
    expect([status, body]).toEqual([
      200,
      {
        mode: 'anonymous',
        orgSlug: 'anon-1',
        projectSlug: null,
        cloudHost: host(),
        deploymentDomain: 'd.example.com',
        baseModel: 'svc/tiny',
      },
    ]);
    expect(test.cloud.calls).toEqual(['POST /v1/auth/anonymous']);
    expect(await credentials()).toContain('token-1');
  });

  it('makes, for concurrent and repeated requests, the only cloud call of an empty Studio', async () => {
    await Promise.all(Array.from({ length: 5 }, ask));
    for (const path of ['credentials', 'jobs', 'deployments', 'train', 'openapi.json'])
      expect((await test.json('GET', `/api/${path}`)).status).toBe(200);
    expect(test.cloud.calls).toEqual(['POST /v1/auth/anonymous']);
  });

  it('creates no identity if there is a credentials file, and leaves the file unchanged', async () => {
    await test.beKnown();
    const before = await credentials();
    for (let i = 0; i < 3; i++) expect((await ask()).body).toMatchObject({ orgSlug: 'anon-0' });
    expect(test.cloud.calls).toEqual([]);
    expect(await credentials()).toBe(before);
  });

  it('creates none for who only looks at a known one', async () => {
    const look = () => test.json('GET', '/api/credentials?known=true');
    expect(await look()).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect(test.cloud.calls).toEqual([]);
    const { body } = await ask();
    expect((await look()).body).toEqual(body);
  });

  it("returns the mode, the organization and the state file's project, if it is of that organization", async () => {
    await test.signIn();
    const nothing = { mode: 'oauth', orgSlug: null, projectSlug: null };
    const { body } = await ask();
    expect(body).toMatchObject(nothing);
    expect(JSON.stringify(body)).not.toContain('access');
    await test.writeState({ ...STATE, orgSlug: 'acme' });
    expect((await ask()).body).toMatchObject({ mode: 'oauth', orgSlug: 'acme', projectSlug: 'web' });
    await test.beKnown();
    const anonymous = { mode: 'anonymous', orgSlug: 'anon-0' };
    expect((await ask()).body).toMatchObject({ ...anonymous, projectSlug: null });
    await test.writeState();
    expect((await ask()).body).toMatchObject({ ...anonymous, projectSlug: 'web' });
    expect(test.cloud.calls).toEqual([]);
  });

  it('returns no cloud host for the production cloud', async () => {
    await test.beKnown();
    const identityWith = async (production: string) => {
      const env = {
        SVC_HOME: test.home,
        SVC_CLOUD_URL: test.cloud.url,
        SVC_PRODUCTION_CLOUD_URL: production,
      };
      return (await peekIdentity(openSession({ folder: test.folder, env })))?.cloudHost;
    };
    expect(await identityWith(test.cloud.url)).toBeNull();
    expect(await identityWith('https://cloud.example')).toBe(host());
  });
});

describe('GET /api/base-model', () => {
  const read = async () => (await test.json('GET', '/api/base-model')).body;

  it('asks a cloud elsewhere nothing before the folder has a project', async () => {
    expect(await read()).toEqual({ baseModel: null });
    expect(test.cloud.calls).toEqual([]);
  });

  it('has what the cloud says of its base model', async () => {
    await test.link();
    Object.assign(test.cloud.baseModel, { facts: sampleModelFacts, preparing: 'Loading the model.' });
    const baseModel = { name: 'svc/tiny', facts: sampleModelFacts, preparing: 'Loading the model.' };
    expect(await read()).toEqual({ baseModel });
    expect(test.cloud.calls).toEqual(['GET /v1/base-model']);
  });

  it('corrects the name in the identity, which may be older than the model', async () => {
    const baseModel = { name: 'test/new', facts: null, preparing: null };
    test = await openStudio({ getBaseModel: () => ({ baseModel }) });
    await test.link();
    const identity = async () => (await test.json('GET', '/api/credentials')).body;
    const before = await identity();
    expect(before).toMatchObject({ baseModel: 'svc/tiny' });
    expect(await read()).toEqual({ baseModel });
    expect(await identity()).toEqual({ ...(before as object), baseModel: 'test/new' });
  });

  it('has nothing where another cloud does not say it', async () => {
    const getBaseModel = () => {
      throw new ApiError('unknown_url', 'There is no such route.');
    };
    test = await openStudio({ getBaseModel });
    await test.link();
    expect(await read()).toEqual({ baseModel: null });
  });
});
