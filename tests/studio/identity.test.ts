// The identity shown in Studio's header, and the one cloud call it may need.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSession } from '../../lib/sdk/index.js';
import { peekIdentity } from '../../lib/studio/index.js';
import { openStudio, type TestStudio } from './open-studio.js';

let test: TestStudio;
beforeEach(async () => {
  test = await openStudio();
});
afterEach(() => test.close());

const credentials = () => readFile(join(test.home, 'credentials.json'), 'utf8');
const host = () => new URL(test.cloud.url).host;

describe('GET /api/credentials', () => {
  it('creates an anonymous identity when the credentials file is missing', async () => {
    expect(await test.json('GET', '/api/credentials')).toEqual({
      status: 200,
      body: {
        mode: 'anonymous',
        orgSlug: 'anon-1',
        projectSlug: null,
        cloudHost: host(),
        deploymentDomain: 'd.example.com',
        baseModel: 'svc/tiny',
      },
    });
    expect(test.cloud.calls).toEqual(['POST /v1/auth/anonymous']);
    expect(await credentials()).toContain('token-1');
  });

  it('creates one identity for concurrent and repeated requests', async () => {
    await Promise.all(Array.from({ length: 5 }, () => test.json('GET', '/api/credentials')));
    await test.json('GET', '/api/credentials');
    expect(test.cloud.calls).toEqual(['POST /v1/auth/anonymous']);
  });

  it('makes the only cloud call needed to show the empty Studio', async () => {
    await test.json('GET', '/api/credentials');
    for (const path of ['/api/jobs', '/api/deployments', '/api/train', '/api/openapi.json']) {
      expect((await test.json('GET', path)).status).toBe(200);
    }
    expect(test.cloud.calls).toEqual(['POST /v1/auth/anonymous']);
  });

  it('creates no identity if there is a credentials file, and leaves the file unchanged', async () => {
    await test.beKnown();
    const before = await credentials();
    for (let i = 0; i < 3; i++) {
      expect((await test.json('GET', '/api/credentials')).body).toMatchObject({ orgSlug: 'anon-0' });
    }
    expect(test.cloud.calls).toEqual([]);
    expect(await credentials()).toBe(before);
  });

  it('never returns a token', async () => {
    const minted = JSON.stringify((await test.json('GET', '/api/credentials')).body);
    expect(minted).not.toContain('token-1');
    await test.signIn();
    const signedIn = JSON.stringify((await test.json('GET', '/api/credentials')).body);
    expect(signedIn).not.toContain('access');
  });

  it('returns the mode with the organization and project of the state file', async () => {
    await test.beKnown();
    await test.writeState();
    expect((await test.json('GET', '/api/credentials')).body).toMatchObject({
      mode: 'anonymous',
      orgSlug: 'anon-0',
      projectSlug: 'web',
    });
    await test.signIn();
    await test.writeState({ orgSlug: 'acme', projectSlug: 'site', projectId: 'p' });
    expect((await test.json('GET', '/api/credentials')).body).toMatchObject({
      mode: 'oauth',
      orgSlug: 'acme',
      projectSlug: 'site',
    });
  });

  it('returns no cloud host for the production cloud', async () => {
    await test.beKnown();
    const identityWith = async (production: string) => {
      const env = {
        SVC_HOME: test.home,
        SVC_CLOUD_URL: test.cloud.url,
        SVC_PRODUCTION_CLOUD_URL: production,
      };
      const identity = await peekIdentity(openSession({ folder: test.folder, env }));
      return identity?.cloudHost;
    };
    expect(await identityWith(test.cloud.url)).toBeNull();
    expect(await identityWith('https://cloud.example')).toBe(host());
  });

  it('returns null for an unknown organization and for a project of another organization', async () => {
    await test.signIn();
    expect((await test.json('GET', '/api/credentials')).body).toMatchObject({
      orgSlug: null,
      projectSlug: null,
    });
    await test.beKnown();
    await test.writeState({ orgSlug: 'other', projectSlug: 'site', projectId: 'p' });
    expect((await test.json('GET', '/api/credentials')).body).toMatchObject({
      orgSlug: 'anon-0',
      projectSlug: null,
    });
    expect(test.cloud.calls).toEqual([]);
  });

  it('reports invalid credentials, leaves the file unchanged and creates no identity', async () => {
    await test.write('home/credentials.json', '{"clouds":');
    expect(await test.json('GET', '/api/credentials')).toMatchObject({
      status: 400,
      body: { error: { code: 'credentials_invalid' } },
    });
    expect(await credentials()).toBe('{"clouds":');
    expect(test.cloud.calls).toEqual([]);
  });

  it("names the cloud's URL when it is unreachable", async () => {
    const { url } = test.cloud;
    await test.cloud.close();
    expect(await test.json('GET', '/api/credentials')).toMatchObject({
      status: 502,
      body: { error: { code: 'cloud_unreachable', message: expect.stringContaining(url) } },
    });
  });
});
