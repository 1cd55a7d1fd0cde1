// A session in a project's folder: which cloud calls it makes, and which files it writes.
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSession, projectSlugOf } from '../../lib/sdk/index.js';
import { type FakeCloud, startFakeCloud } from '../support/fake-cloud.js';
import { sampleSignedIn } from '../support/samples.js';
import { writeCredentials } from '../support/write-credentials.js';

let root: string;
let folder: string;
let cloud: FakeCloud;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-session-'));
  folder = join(root, 'My Project');
  await mkdir(folder);
  cloud = await startFakeCloud();
});
afterEach(async () => {
  await cloud.close();
  await rm(root, { recursive: true, force: true });
});

const home = () => join(root, 'home');
const session = () => openSession({ folder, env: { SVC_HOME: home(), SVC_CLOUD_URL: cloud.url } });
const readJson = async (path: string) => JSON.parse(await readFile(path, 'utf8'));
const credentialsPath = () => join(home(), 'credentials.json');
const statePath = () => join(folder, '.svc', 'state.json');

describe('the identity', () => {
  it('is missing at first, without a cloud call or a written file', async () => {
    expect(await session().credentials()).toBeNull();
    expect(await session().state()).toBeNull();
    expect(cloud.calls).toEqual([]);
    await expect(stat(home())).rejects.toThrow('ENOENT');
  });

  it('is created anonymously when needed, by one call, and stored for this cloud', async () => {
    const { mode } = await session().ensureIdentity();
    expect(mode).toBe('anonymous');
    expect(await session().ensureIdentity()).toMatchObject({ anonymousId: 'anon-1' });
    expect(cloud.calls).toEqual(['POST /v1/auth/anonymous']);
    expect((await stat(credentialsPath())).mode & 0o777).toBe(0o600);
    expect(await readJson(credentialsPath())).toMatchObject({
      clouds: { [cloud.url]: { token: 'token-1' } },
    });
  });

  it('is created once for concurrent requests', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => session().ensureIdentity()));
    expect(new Set(all.map(who => who.mode === 'anonymous' && who.anonymousId)).size).toBe(1);
    expect(cloud.calls).toEqual(['POST /v1/auth/anonymous']);
  });

  it('is not created when the file is invalid, and the file stays unchanged', async () => {
    await mkdir(home());
    for (const content of ['{', `{"clouds":{"${cloud.url}":{"mode":"anonymous"}}}`]) {
      await writeFile(credentialsPath(), content);
      await expect(session().ensureIdentity()).rejects.toMatchObject({ code: 'credentials_invalid' });
      await expect(session().ensureProject()).rejects.toMatchObject({ code: 'credentials_invalid' });
      expect(await readFile(credentialsPath(), 'utf8')).toBe(content);
    }
    expect(cloud.calls).toEqual([]);
  });
});

describe("the project's scope", () => {
  it('is created by the first call that needs it, and stored in the state file', async () => {
    const scope = { orgSlug: 'anon-1', projectSlug: projectSlugOf(folder) };
    expect(await session().ensureProject()).toEqual(scope);
    expect(await readJson(statePath())).toEqual({ ...scope, projectId: 'p-1' });
    expect(scope.projectSlug).toMatch(/^my-project-[0-9a-f]{4}$/);
    const calls = cloud.calls.length;
    expect(await session().ensureProject()).toEqual(scope);
    expect(cloud.calls).toHaveLength(calls);
  });

  it('is one project for concurrent requests', async () => {
    await Promise.all(Array.from({ length: 6 }, () => session().ensureProject()));
    expect(cloud.projects).toHaveLength(1);
  });

  it('is the existing project when the state file was lost', async () => {
    await session().ensureProject();
    await rm(statePath());
    await session().ensureProject();
    expect(cloud.projects).toHaveLength(1);
    expect(await readJson(statePath())).toMatchObject({ projectId: 'p-1' });
  });

  it('is never created for OAuth users, who must write the state file', async () => {
    await writeCredentials(home(), { [cloud.url]: sampleSignedIn() });
    await expect(session().ensureProject()).rejects.toMatchObject({
      code: 'state_missing',
      message: expect.stringMatching(/state\.json.*orgSlug.*projectSlug.*projectId/),
    });
    await expect(stat(statePath())).rejects.toThrow('ENOENT');
    await mkdir(join(folder, '.svc'));
    await writeFile(statePath(), JSON.stringify({ orgSlug: 'acme', projectSlug: 'web', projectId: 'p' }));
    expect(await session().ensureProject()).toEqual({ orgSlug: 'acme', projectSlug: 'web' });
    expect(cloud.calls).toEqual([]);
  });

  it('is refused when the file is invalid or names another organization, and the file stays unchanged', async () => {
    await session().ensureProject();
    const cases = [
      ['state_mismatch', JSON.stringify({ orgSlug: 'other', projectSlug: 'web', projectId: 'p' })],
      ['state_invalid', '{"orgSlug":'],
    ] as const;
    for (const [code, content] of cases) {
      await writeFile(statePath(), content);
      await expect(session().ensureProject()).rejects.toMatchObject({ code });
      expect(await readFile(statePath(), 'utf8')).toBe(content);
    }
  });
});

describe('a project whose owner has no stored identity', () => {
  it('is refused before a new identity is created, and the file stays unchanged', async () => {
    await session().ensureProject();
    await rm(credentialsPath());
    const before = await readFile(statePath(), 'utf8');
    const calls = [...cloud.calls];
    for (const ask of [() => session().ensureProject(), () => session().projectClient()])
      await expect(ask()).rejects.toMatchObject({
        code: 'state_mismatch',
        message: expect.stringMatching(/organization anon-1, but .*credentials\.json has no identity/),
      });
    expect(cloud.calls).toEqual(calls);
    expect(await readFile(statePath(), 'utf8')).toBe(before);
    await expect(stat(credentialsPath())).rejects.toThrow('ENOENT');
  });
});

describe('the choice of a cloud', () => {
  it('is SVC_CLOUD_URL, then the cloud of the last sign-in, then the local one', async () => {
    const choose = (env: Record<string, string>) =>
      openSession({ folder, env: { SVC_HOME: home(), ...env } }).choose();
    expect(await choose({})).toMatchObject({ key: 'local', url: null });
    await mkdir(home());
    await writeFile(credentialsPath(), '{"clouds":{},"current":"https://cloud.test"}');
    expect(await choose({})).toMatchObject({ key: 'https://cloud.test', url: 'https://cloud.test' });
    expect(await choose({ SVC_CLOUD_URL: 'http://localhost:4123/' })).toMatchObject({
      key: 'http://localhost:4123',
      url: 'http://localhost:4123',
    });
    await expect(choose({ SVC_CLOUD_URL: 'http://cloud.test' })).rejects.toThrow('must start with https://');
  });

  it('is production when SVC_PRODUCTION_CLOUD_URL is the same URL', async () => {
    const isProduction = async (cloud: string, production: string) => {
      const env = { SVC_HOME: home(), SVC_CLOUD_URL: cloud, SVC_PRODUCTION_CLOUD_URL: production };
      return (await openSession({ folder, env }).choose()).isProduction;
    };
    expect(await isProduction('https://cloud.test', 'https://CLOUD.test:443/')).toBe(true);
    expect(await isProduction('https://staging.test', 'https://cloud.test')).toBe(false);
    expect(await isProduction('', 'https://cloud.test')).toBe(false);
    await expect(isProduction('https://cloud.test', 'http://cloud.test')).rejects.toMatchObject({
      code: 'invalid_value',
      param: 'SVC_PRODUCTION_CLOUD_URL',
    });
  });
});
