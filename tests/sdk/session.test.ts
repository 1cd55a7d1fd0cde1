// A session in a project's folder: which cloud calls it makes, and which files it writes.
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ApiError, type CloudCredentials } from '../../lib/contract/index.js';
import { openSession, resolveTarget, startRun } from '../../lib/sdk/index.js';
import { projectSlugOf } from '../../lib/sdk/session/project.js';
import type { FakeCloud } from '../support/fake-cloud.js';
import { sampleSignedIn } from '../support/samples.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { writeCredentials } from '../support/write-credentials.js';
import { openFakeCloud, sessionIn } from './support.js';

let folder: string;
let home: string;
let credentialsPath: string;
let statePath: string;
let cloud: FakeCloud;
beforeEach(async () => {
  folder = join(temporaryFolder('svc-session'), 'My Project');
  await mkdir(folder);
  home = join(folder, 'home');
  credentialsPath = join(home, 'credentials.json');
  statePath = join(folder, '.svc', 'state.json');
  cloud = await openFakeCloud();
});

const session = () => sessionIn(folder, cloud);
const read = (path: string) => readFile(path, 'utf8');
const many = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: 8 }, work));

describe('the identity', () => {
  it('is missing at first, without a cloud call or a written file', async () => {
    expect([await session().credentials(), await session().state()]).toEqual([null, null]);
    expect(cloud.calls).toEqual([]);
    await expect(stat(home)).rejects.toThrow('ENOENT');
  });

  it('is created anonymously when needed, by one call of all that need it, and stored for this cloud', async () => {
    const all = await many(() => session().ensureIdentity());
    for (const who of [...all, await session().ensureIdentity()])
      expect(who).toMatchObject({ mode: 'anonymous', anonymousId: 'anon-1' });
    expect(cloud.calls).toEqual(['POST /v1/auth/anonymous']);
    expect((await stat(credentialsPath)).mode & 0o777).toBe(0o600);
    const clouds = { [cloud.url]: { token: 'token-1' } };
    expect(JSON.parse(await read(credentialsPath))).toMatchObject({ clouds });
  });

  it('is not created when the file is invalid, and the file stays unchanged', async () => {
    await mkdir(home);
    for (const content of ['{', `{"clouds":{"${cloud.url}":{"mode":"anonymous"}}}`]) {
      await writeFile(credentialsPath, content);
      for (const work of ['ensureIdentity', 'ensureProject'] as const)
        await expect(session()[work]()).rejects.toMatchObject({ code: 'credentials_invalid' });
      expect(await read(credentialsPath)).toBe(content);
    }
    expect(cloud.calls).toEqual([]);
  });
});

describe('the base model', () => {
  const NEW = 'test/new';
  const about = { version: '9.9.9', baseModel: NEW, deploymentDomain: 'new.example.com', proof: null };
  const dataset = { type: 'rows', rows: [{ text: 'a' }] } as const;

  it('is what the cloud has now, to all that need its name, and is noted for this cloud', async () => {
    cloud = await openFakeCloud({ getCloud: () => about });
    const { anonymousId } = (await session().ensureIdentity()) as CloudCredentials & { mode: 'anonymous' };
    expect(await session().credentials()).toMatchObject({ anonymousId, baseModel: 'svc/tiny' });
    expect(await session().baseModel()).toBe(NEW);
    const { baseModel, deploymentDomain } = about;
    expect(await session().credentials()).toMatchObject({ anonymousId, baseModel, deploymentDomain });
  });

  it('is that of a run, and of an evaluation of the base model', async () => {
    await session().ensureProject();
    const url = cloud.url;
    cloud = await openFakeCloud({ getCloud: () => about });
    const { clouds } = JSON.parse(await read(credentialsPath));
    await writeCredentials(home, { [cloud.url]: clouds[url] });
    const [{ job }, { subject }] = await Promise.all([
      startRun({ name: 'x', dataset }, session()),
      resolveTarget(session(), 'base'),
    ]);
    expect([job.config!.model, subject.target]).toEqual([NEW, { kind: 'base_model', baseModel: NEW }]);
  });

  it('is what it was when the identity was created, where a cloud does not say', async () => {
    const getCloud = () => {
      throw new ApiError('unknown_url', 'There is no such route.');
    };
    cloud = await openFakeCloud({ getCloud });
    expect([await session().baseModel(), await session().baseModel()]).toEqual(['svc/tiny', 'svc/tiny']);
  });
});

describe("the project's scope", () => {
  it('is created once by the calls that need it, and stored in the state file', async () => {
    const scope = { orgSlug: 'anon-1', projectSlug: projectSlugOf(folder) };
    expect(scope.projectSlug).toMatch(/^my-project-[0-9a-f]{4}$/);
    for (const found of await many(() => session().ensureProject())) expect(found).toEqual(scope);
    expect(cloud.projects).toHaveLength(1);
    expect(JSON.parse(await read(statePath))).toEqual({ ...scope, projectId: 'p-1' });
    const calls = cloud.calls.length;
    expect(await session().ensureProject()).toEqual(scope);
    expect(cloud.calls).toHaveLength(calls);
  });

  it('is not stored in a folder that was moved meanwhile, which stays where it is', async () => {
    const moved = join(temporaryFolder('svc-moved'), 'project');
    const opened = openSession({ folder: moved, env: { SVC_HOME: home, SVC_CLOUD_URL: cloud.url } });
    await expect(opened.ensureProject()).rejects.toMatchObject({ code: 'not_writable' });
    expect(existsSync(moved)).toBe(false);
    expect(cloud.projects).toEqual([]);
  });

  it('is the existing project when the state file was lost', async () => {
    await session().ensureProject();
    await rm(statePath);
    await session().ensureProject();
    expect(cloud.projects).toHaveLength(1);
    expect(JSON.parse(await read(statePath))).toMatchObject({ projectId: 'p-1' });
  });

  it('is never created for OAuth users, who must write the state file', async () => {
    await writeCredentials(home, { [cloud.url]: sampleSignedIn() });
    await expect(session().ensureProject()).rejects.toMatchObject({
      code: 'state_missing',
      message: expect.stringMatching(/state\.json.*orgSlug.*projectSlug.*projectId/),
    });
    await expect(stat(statePath)).rejects.toThrow('ENOENT');
    await mkdir(join(folder, '.svc'));
    await writeFile(statePath, JSON.stringify({ orgSlug: 'acme', projectSlug: 'web', projectId: 'p' }));
    expect(await session().ensureProject()).toEqual({ orgSlug: 'acme', projectSlug: 'web' });
    expect(cloud.calls).toEqual([]);
  });

  it.each([
    [
      'names another organization',
      'state_mismatch',
      '{"orgSlug":"other","projectSlug":"web","projectId":"p"}',
    ],
    ['is invalid', 'state_invalid', '{"orgSlug":'],
  ])('is refused when the file %s, and the file stays unchanged', async (_, code, content) => {
    await session().ensureProject();
    await writeFile(statePath, content);
    await expect(session().ensureProject()).rejects.toMatchObject({ code });
    expect(await read(statePath)).toBe(content);
  });

  it('is refused without the identity of its owner, before a new one is created', async () => {
    await session().ensureProject();
    await rm(credentialsPath);
    const before = [await read(statePath), [...cloud.calls]];
    for (const work of ['ensureProject', 'projectClient'] as const)
      await expect(session()[work]()).rejects.toMatchObject({
        code: 'state_mismatch',
        message: expect.stringMatching(/organization anon-1, but .*credentials\.json has no identity/),
      });
    expect([await read(statePath), cloud.calls]).toEqual(before);
    await expect(stat(credentialsPath)).rejects.toThrow('ENOENT');
  });
});

describe('the choice of a cloud', () => {
  const choose = (SVC_CLOUD_URL?: string, more: object = {}) =>
    openSession({ folder, env: { SVC_HOME: home, SVC_CLOUD_URL, ...more } }).choose();

  it('is SVC_CLOUD_URL, then the cloud of the last sign-in, then the local one', async () => {
    expect(await choose()).toMatchObject({ key: 'local', url: null });
    await writeCredentials(home, {}, { current: 'https://cloud.test' });
    const last = { key: 'https://cloud.test', url: 'https://cloud.test' };
    expect(await choose()).toMatchObject(last);
    const named = { key: 'http://localhost:4123', url: 'http://localhost:4123' };
    expect(await choose('http://localhost:4123/')).toMatchObject(named);
    await expect(choose('http://cloud.test')).rejects.toThrow('must start with https://');
  });

  it.each(['/team', '/?key=1', '/#part', '//'])(
    'refuses an address that ends with %s, which no request would have, and takes one that is stored',
    async rest => {
      const address = `https://cloud.test${rest}`;
      const message = `"${address}" is not a valid cloud URL: it must end after the host, as in https://cloud.test.`;
      await expect(choose(address)).rejects.toMatchObject({
        ...{ code: 'invalid_value', param: 'SVC_CLOUD_URL', message: `SVC_CLOUD_URL: ${message}` },
      });
      await expect(choose('https://cloud.test', { SVC_PRODUCTION_CLOUD_URL: address })).rejects.toMatchObject(
        { param: 'SVC_PRODUCTION_CLOUD_URL' },
      );
      await writeCredentials(home, {}, { current: address });
      expect(await choose()).toMatchObject({ key: 'https://cloud.test', url: 'https://cloud.test' });
    },
  );

  it.each([
    [undefined, 'https://second.test'],
    [true, 'https://first.test'],
  ])('follows a sign-in elsewhere, unless it is kept: %s', async (keepsCloud, key) => {
    await writeCredentials(home, {}, { current: 'https://first.test' });
    const opened = openSession({ folder, env: { SVC_HOME: home }, keepsCloud });
    expect(await opened.choose()).toMatchObject({ key: 'https://first.test' });
    await writeCredentials(home, {}, { current: 'https://second.test' });
    expect(await opened.choose()).toMatchObject({ key });
    expect(await opened.reach()).toMatchObject({ key, url: key });
  });

  it('is production when SVC_PRODUCTION_CLOUD_URL is the same URL', async () => {
    const isProduction = async (url: string, SVC_PRODUCTION_CLOUD_URL: string) =>
      (await choose(url, { SVC_PRODUCTION_CLOUD_URL })).isProduction;
    expect(await isProduction('https://cloud.test', 'https://CLOUD.test:443/')).toBe(true);
    expect(await isProduction('https://staging.test', 'https://cloud.test')).toBe(false);
    expect(await isProduction('', 'https://cloud.test')).toBe(false);
    const fault = { code: 'invalid_value', param: 'SVC_PRODUCTION_CLOUD_URL' };
    await expect(isProduction('https://cloud.test', 'http://cloud.test')).rejects.toMatchObject(fault);
  });
});
