// The way to the cloud from a project's folder: what is asked and written, and what is not.
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

describe('who we are', () => {
  it('is nobody at first, which calls nobody and writes nothing', async () => {
    expect(await session().credentials()).toBeNull();
    expect(await session().state()).toBeNull();
    expect(cloud.calls).toEqual([]);
    await expect(stat(home())).rejects.toThrow('ENOENT');
  });

  it('is an anonymous identity once it is needed, minted by one call and kept for this cloud', async () => {
    const { mode } = await session().ensureIdentity();
    expect(mode).toBe('anonymous');
    expect(await session().ensureIdentity()).toMatchObject({ anonymousId: 'anon-1' });
    expect(cloud.calls).toEqual(['POST /v1/auth/anonymous']);
    expect((await stat(credentialsPath())).mode & 0o777).toBe(0o600);
    expect(await readJson(credentialsPath())).toMatchObject({
      clouds: { [cloud.url]: { token: 'token-1' } },
    });
  });

  it('is one identity, however many ask at once', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => session().ensureIdentity()));
    expect(new Set(all.map(who => who.mode === 'anonymous' && who.anonymousId)).size).toBe(1);
    expect(cloud.calls).toEqual(['POST /v1/auth/anonymous']);
  });

  it('is not made up anew when the file cannot be parsed, and the file stays as it is', async () => {
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
  it('is made by the first call that needs it, and written down', async () => {
    const scope = { orgSlug: 'anon-1', projectSlug: projectSlugOf(folder) };
    expect(await session().ensureProject()).toEqual(scope);
    expect(await readJson(statePath())).toEqual({ ...scope, projectId: 'p-1' });
    expect(scope.projectSlug).toMatch(/^my-project-[0-9a-f]{4}$/);
    const calls = cloud.calls.length;
    expect(await session().ensureProject()).toEqual(scope);
    expect(cloud.calls).toHaveLength(calls);
  });

  it('is one project, however many ask at once', async () => {
    await Promise.all(Array.from({ length: 6 }, () => session().ensureProject()));
    expect(cloud.projects).toHaveLength(1);
  });

  it('is the project that is there already when the file was lost', async () => {
    await session().ensureProject();
    await rm(statePath());
    await session().ensureProject();
    expect(cloud.projects).toHaveLength(1);
    expect(await readJson(statePath())).toMatchObject({ projectId: 'p-1' });
  });

  it('is never made for who is signed in: the file has to be written', async () => {
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

  it("is refused when the file names another's organization, or cannot be read; the file stays", async () => {
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

describe('a project whose owner is not known here any more', () => {
  it('is refused before an identity is made, which could not be its owner; the file stays', async () => {
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
  it('is SVC_CLOUD_URL, else the one signed in to last, else the local one', async () => {
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

  it('is production when SVC_PRODUCTION_CLOUD_URL names the same one', async () => {
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
