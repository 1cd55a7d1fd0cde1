// The state file and the credentials file in both identity modes, counting every call to the cloud and to the identity
// provider.
import { mkdir, readdir, readFile, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSession, startRun } from '../../lib/sdk/index.js';
import { createStudio } from '../../lib/studio/index.js';
import { JOB_ID, TOKEN, toRequest } from '../studio/open-studio.js';
import { openWorld, type World } from './world.js';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const session = () => openSession({ folder: world.cwd, env: world.env });

/** Sends one request to a new Studio, as the page does. */
async function ask(method: string, path: string, body?: object) {
  const studio = createStudio({
    session: session(),
    token: TOKEN,
    staticFolder: join(world.cwd, 'web'),
    startTrain: () => Promise.reject(new Error('nothing is started here')),
    env: world.env,
    log: () => {},
  });
  const init = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await studio.fetch(toRequest(path, { method, ...init }));
  const text = await response.text();
  await studio.close();
  const { error } = text.startsWith('{')
    ? (JSON.parse(text) as { error?: { code: string; message: string } })
    : {};
  return { status: response.status, text, code: error?.code, message: error?.message };
}

const train = async () => {
  const { job } = await startRun(
    { name: 'first', dataset: { type: 'rows', rows: [{ text: 'a' }] } },
    session(),
  );
  return job;
};
const infer = () =>
  ask('POST', '/api/inference/chat', {
    messages: [{ role: 'user', content: 'Hi' }],
    baseModel: 'test/model',
  });
const deploy = () =>
  ask('POST', '/api/deployments', {
    slug: 'first-one',
    target: { kind: 'base_model', baseModel: 'test/model' },
  });
const codeOf = async (call: Promise<unknown>) =>
  call.then(
    answer => (answer as { code?: string }).code,
    error => (error as { code?: string }).code,
  );

/** The actions that need a project. */
const NEEDS = [
  ['a training run', train],
  ['base-model inference', infer],
  ['the first deployment', deploy],
] as const;

/** The routes that only read. */
const READS = [
  ...['credentials', 'manifest', 'jobs', 'deployments', 'train', 'train/output', 'openapi.json'],
  ...[`jobs/${JOB_ID}`, `jobs/${JOB_ID}/events`, 'deployments/d-1', 'deployments/d-1/keys'],
].map(path => `/api/${path}`);

const COMMANDS = [
  ...['whoami', 'jobs list', 'endpoints list', 'endpoints show x', 'keys list x'],
  ...['show', 'logs', 'wait', 'download', 'cancel', 'delete'].map(verb => `jobs ${verb} ${JOB_ID}`),
  ...[`chat --job ${JOB_ID} Hi`, 'endpoints disable x', 'endpoints delete x', 'keys issue x --label a'],
];

/** Calls everything that only reads, or only changes what already exists. */
async function readAll(): Promise<void> {
  for (const path of READS) await ask('GET', path);
  for (const words of COMMANDS) await world.svc(...words.split(' '));
}

describe('without credentials', () => {
  it('lists are empty without a cloud call', async () => {
    expect(await ask('GET', '/api/deployments')).toMatchObject({ status: 200, text: '{"deployments":[]}' });
    expect(await ask('GET', '/api/jobs')).toMatchObject({ status: 200, text: '{"jobs":[]}' });
    expect(world.calls).toEqual([]);
    expect(await readdir(world.cwd)).toEqual([]);
  });

  it('the only cloud call of reading is the creation of an anonymous identity by /api/credentials', async () => {
    await readAll();
    await readAll();
    expect(world.calls).toEqual(['POST /v1/auth/anonymous']);
    expect((await stat(join(world.home, 'credentials.json'))).mode & 0o777).toBe(0o600);
  });

  it('reading never writes the state file', async () => {
    await readAll();
    expect(await world.readState()).toBeNull();
  });
});

describe('for anonymous users', () => {
  it('reading without a state file makes no cloud call and writes nothing', async () => {
    await session().ensureIdentity();
    world.calls.length = 0;
    await readAll();
    expect(world.calls).toEqual([]);
    expect(await readdir(world.cwd)).toEqual([]);
  });

  it('chat with an adapter and changes to endpoints fail without a state file and do not create one', async () => {
    await session().ensureIdentity();
    world.calls.length = 0;
    const adapter = { kind: 'final', jobId: JOB_ID };
    const messages = [{ role: 'user', content: 'Hi' }];
    expect(await ask('POST', '/api/inference/chat', { messages, adapter })).toMatchObject({ status: 400 });
    expect(await ask('PATCH', '/api/deployments/d-1', { enabled: false })).toMatchObject({ status: 404 });
    expect(await ask('POST', '/api/deployments/d-1/keys', { label: 'a' })).toMatchObject({ status: 404 });
    expect(await ask('DELETE', '/api/deployments/d-1/keys/k-1')).toMatchObject({ status: 404 });
    expect(world.calls).toEqual([]);
    expect(await readdir(world.cwd)).toEqual([]);
  });

  it.each(NEEDS)('%s creates the state file', async (_, call) => {
    await call();
    const { orgSlug, projectSlug, projectId } = (await world.readState())!;
    expect(Object.keys((await world.readState())!)).toEqual(['orgSlug', 'projectSlug', 'projectId']);
    expect(projectSlug).toMatch(/^shop-[\da-f]{4}$/);
    const me = await (await session().client()).getMe();
    expect(me).toMatchObject({ mode: 'anonymous', orgs: [{ slug: orgSlug }] });
    const { projects } = await (await session().client()).listProjects(orgSlug);
    expect(projects.map(({ id }) => id)).toEqual([projectId]);
  });

  it('the state file and its project are created once', async () => {
    for (const [, call] of [...NEEDS, ...NEEDS]) await call().catch(() => {});
    expect(world.calls.filter(call => call === 'POST /v1/projects')).toHaveLength(1);
    expect(world.calls.filter(call => call === 'POST /v1/auth/anonymous')).toHaveLength(1);
  });

  it('a state file of another organization causes state_mismatch without a cloud call and stays unchanged', async () => {
    await session().ensureIdentity();
    const content = '{"orgSlug":"acme",  "projectSlug":"web","projectId":"p"}';
    await world.write('.svc/state.json', content);
    world.calls.length = 0;
    for (const [, call] of NEEDS) expect(await codeOf(call())).toBe('state_mismatch');
    expect(await readFile(join(world.cwd, '.svc', 'state.json'), 'utf8')).toBe(content);
    expect(world.calls).toEqual([]);
  });
});

describe('for signed-in users', () => {
  beforeEach(async () => {
    await world.login();
    world.calls.length = 0;
    world.queries.length = 0;
    world.provider.calls.length = 0;
  });

  it.each(NEEDS)('%s without a state file fails with an error that describes the file', async (_, call) => {
    const failure = await call().then(
      answer => answer as { code: string; message: string },
      error => error as { code: string; message: string },
    );
    expect(failure.code).toBe('state_missing');
    expect(failure.message).toMatch(/state\.json.*orgSlug.*projectSlug.*projectId.*svc link/);
    expect(await world.readState()).toBeNull();
    expect([...world.calls, ...world.provider.calls]).toEqual([]);
  });

  it('no command creates the state file', async () => {
    await readAll();
    for (const [, call] of NEEDS) await call().catch(() => {});
    for (const words of ['start', 'chat Hi', 'endpoints create x-y --base-model test/model', 'logout'])
      expect((await world.svc(...words.split(' '))).exitCode).toBe(words === 'logout' ? 0 : 1);
    expect(await readdir(world.cwd)).toEqual([]);
    expect(world.calls).toEqual([]);
  });

  it("/api/credentials returns oauth and the user's organization without a cloud call", async () => {
    const { orgSlug } = await world.signed();
    expect(JSON.parse((await ask('GET', '/api/credentials')).text)).toMatchObject({
      mode: 'oauth',
      orgSlug,
      projectSlug: null,
      cloudHost: world.host,
    });
    expect([...world.calls, ...world.provider.calls]).toEqual([]);
  });

  it('a handwritten state file sets the project of every call', async () => {
    const { orgSlug } = await world.signed();
    const { project } = await (await session().client()).createProject(orgSlug!, {
      name: 'Web',
      slug: 'web',
    });
    await world.write(
      '.svc/state.json',
      JSON.stringify({ orgSlug, projectSlug: 'web', projectId: project.id }),
    );
    world.queries.length = 0;
    expect(await deploy()).toMatchObject({ status: 201 });
    expect((await train()).projectId).toBe(project.id);
    expect(new Set(world.queries)).toEqual(new Set([`?orgSlug=${orgSlug}&projectSlug=web`]));
  });

  it('a state file of another organization causes state_mismatch and stays unchanged', async () => {
    const { orgSlug } = await world.signed();
    const content = '{"orgSlug":"acme",  "projectSlug":"web","projectId":"p"}';
    await world.write('.svc/state.json', content);
    for (const [, call] of NEEDS) expect(await codeOf(call())).toBe('state_mismatch');
    expect(await ask('GET', '/api/jobs')).toMatchObject({ status: 404, code: 'state_mismatch' });
    const { exitCode, stderr } = await world.svc('jobs', 'list');
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`names organization acme, which you are not a member of (yours: ${orgSlug})`);
    expect(await readFile(join(world.cwd, '.svc', 'state.json'), 'utf8')).toBe(content);
    expect(world.calls).not.toContain('POST /v1/projects');
  });

  it("a state file of a deleted project in the user's organization causes project_not_found", async () => {
    const { orgSlug } = await world.signed();
    await world.write('.svc/state.json', JSON.stringify({ orgSlug, projectSlug: 'gone', projectId: 'p' }));
    expect(await ask('GET', '/api/jobs')).toMatchObject({ status: 404, code: 'project_not_found' });
  });
});

describe.each(['anonymous', 'oauth'])('an unreadable state file of %s users', mode => {
  it('causes state_invalid and stays unchanged, whatever it holds instead', async () => {
    if (mode === 'oauth') await world.login();
    else await session().ensureIdentity();
    world.calls.length = 0;
    for (const content of [
      '{"orgSlug":',
      '[]',
      '{}',
      '{"orgSlug":"","projectSlug":"w","projectId":"p"}',
      '',
    ]) {
      await world.write('.svc/state.json', content);
      for (const [, call] of NEEDS) expect(await codeOf(call()), content).toBe('state_invalid');
      expect(await ask('GET', '/api/jobs'), content).toMatchObject({ status: 400, code: 'state_invalid' });
      expect((await world.svc('jobs', 'list')).stderr).toContain('Fix the file or move it away');
      expect((await world.svc('link', 'acme/web')).exitCode).toBe(1);
      expect(await readFile(join(world.cwd, '.svc', 'state.json'), 'utf8')).toBe(content);
    }
    expect(world.calls).toEqual([]);
  });

  it('causes state_invalid when it is a folder', async () => {
    if (mode === 'oauth') await world.login();
    else await session().ensureIdentity();
    await mkdir(join(world.cwd, '.svc', 'state.json'), { recursive: true });
    for (const [, call] of NEEDS) expect(await codeOf(call())).toBe('state_invalid');
  });

  it('causes state_invalid when the system cannot open it, instead of counting as missing', async () => {
    if (mode === 'oauth') await world.login();
    else await session().ensureIdentity();
    const path = join(world.cwd, '.svc', 'state.json');
    await mkdir(join(world.cwd, '.svc'));
    await symlink(path, path);
    world.calls.length = 0;
    for (const [, call] of NEEDS) expect(await codeOf(call())).toBe('state_invalid');
    expect((await world.svc('link', 'acme/web')).stderr).toContain('cannot be read (ELOOP)');
    expect(await readdir(join(world.cwd, '.svc'))).toEqual(['state.json']);
    expect(world.calls).toEqual([]);
  });
});

describe('a credentials file', () => {
  it('that the system cannot open causes an error, is not replaced, and no identity is created', async () => {
    await mkdir(join(world.home, 'credentials.json'), { recursive: true });
    for (const [, call] of NEEDS) expect(await codeOf(call())).toBe('credentials_invalid');
    for (const command of ['whoami', 'login', 'logout'])
      expect((await world.svc(command)).stderr).toContain(
        'cannot be read (EISDIR). Fix the file or move it away.',
      );
    expect(await readdir(world.home)).toEqual(['credentials.json']);
    expect(world.calls).toEqual([]);
  });

  it('with invalid content causes an error, is not replaced, and no identity is created', async () => {
    for (const content of ['', '{', '[]', '{"clouds":[]}', 'null']) {
      await world.write('../home/credentials.json', content);
      for (const [, call] of NEEDS) expect(await codeOf(call()), content).toBe('credentials_invalid');
      for (const command of ['whoami', 'login', 'logout', 'link acme/web'])
        expect(await world.svc(...command.split(' ')), content).toMatchObject({
          exitCode: 1,
          stderr: expect.stringContaining('Fix the file or move it away'),
        });
      expect(await ask('GET', '/api/credentials'), content).toMatchObject({
        status: 400,
        code: 'credentials_invalid',
      });
      expect(await readFile(join(world.home, 'credentials.json'), 'utf8')).toBe(content);
    }
    expect(world.calls).toEqual([]);
  });

  it('that is valid stays unchanged, and no identity is created', async () => {
    await session().ensureIdentity();
    const path = join(world.home, 'credentials.json');
    const before = await readFile(path, 'utf8');
    world.calls.length = 0;
    for (let i = 0; i < 5; i++) await ask('GET', '/api/credentials');
    expect(world.calls).toEqual([]);
    expect(await readFile(path, 'utf8')).toBe(before);
  });
});

describe('a cloud without anonymous identities', () => {
  it('tells users without credentials to run svc login, and writes nothing', async () => {
    const off = await openWorld({ anonymous: 'off' });
    const { exitCode, stderr } = await off.svc('chat', 'Hi');
    expect(exitCode).toBe(4);
    expect(stderr).toContain('svc login');
    expect(await readdir(off.cwd)).toEqual([]);
    await expect(off.readCredentials()).rejects.toThrow('ENOENT');
    expect((await off.login()).exitCode).toBe(0);
    await off.close();
  });
});
