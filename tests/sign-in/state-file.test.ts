// The state file and the credentials file in both identity modes, counting every call to the cloud and to the identity
// provider.
import { mkdir, readdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { startRun } from '../../lib/sdk/index.js';
import { createStudio } from '../../lib/studio/index.js';
import { TOKEN, toRequest } from '../studio/open-studio.js';
import { JOB_ID } from '../support/samples.js';
import { openWorld, type World } from './world.js';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});

/** What an answer or an error has to say. */
type Said = { status?: number; code?: string; message?: string };

/** Sends one request to a new Studio, as the page does. */
async function ask(method: string, path: string, body?: object): Promise<Said> {
  const studio = createStudio({
    ...{ openSession: async () => world.session(), token: TOKEN, env: world.env, log: () => {} },
    folder: world.cwd,
    staticFolder: join(world.cwd, 'web'),
    startTrain: () => Promise.reject(new Error('nothing is started here')),
  });
  const init = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await studio.fetch(toRequest(path, { method, ...init }));
  const text = await response.text();
  await studio.close();
  const { error } = text.startsWith('{') ? (JSON.parse(text) as { error?: Said }) : {};
  return { status: response.status, ...error };
}

const MODEL = 'test/model';
const train = async () =>
  (await startRun({ name: 'first', dataset: { type: 'rows', rows: [{ text: 'a' }] } }, world.session())).job;
const infer = () =>
  ask('POST', '/api/inference/chat', { messages: [{ role: 'user', content: 'Hi' }], baseModel: MODEL });
const deploy = () =>
  ask('POST', '/api/deployments', { slug: 'first-one', target: { kind: 'base_model', baseModel: MODEL } });

/** The actions that need a project. */
const NEEDS = [
  ['a training run', train],
  ['base-model inference', infer],
  ['the first deployment', deploy],
] as const;

/** What each of them says, or why it fails. */
const needed = () =>
  Promise.all(NEEDS.map(([, act]) => (act() as Promise<Said>).catch((error: Said) => error)));
const expectAll = async (code: string, about?: string) => {
  const codes = (await needed()).map(said => said.code);
  expect(codes, about).toEqual([code, code, code]);
};

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

const ACME = '{"orgSlug":"acme",  "projectSlug":"web","projectId":"p"}';
const readStateText = () => readFile(world.statePath, 'utf8');

describe('for anonymous users', () => {
  it('the only cloud call of reading is the creation of an identity by /api/credentials', async () => {
    await readAll();
    await readAll();
    expect(world.calls).toEqual(['POST /v1/auth/anonymous']);
    expect((await stat(world.credentials)).mode & 0o777).toBe(0o600);
    expect(await readdir(world.cwd)).toEqual([]);
  });

  it.each(NEEDS)('%s creates the state file', async (_, call) => {
    await call();
    const { orgSlug, projectSlug, projectId, ...others } = (await world.readState())!;
    expect(others).toEqual({});
    expect(projectSlug).toMatch(/^shop-[\da-f]{4}$/);
    const client = await world.session().client();
    expect(await client.getMe()).toMatchObject({ mode: 'anonymous', orgs: [{ slug: orgSlug }] });
    const { projects } = await client.listProjects(orgSlug);
    expect(projects.map(({ id }) => id)).toEqual([projectId]);
  });

  it('the state file and its project are created once', async () => {
    for (const [, call] of [...NEEDS, ...NEEDS]) await call().catch(() => {});
    for (const creation of ['POST /v1/projects', 'POST /v1/auth/anonymous'])
      expect(world.calls.filter(call => call === creation)).toHaveLength(1);
  });
});

describe('for signed-in users', () => {
  beforeEach(async () => {
    await world.login();
    world.forget();
  });

  it('what needs a project fails without a state file, with an error that describes the file', async () => {
    for (const { code, message } of await needed()) {
      expect(code).toBe('state_missing');
      expect(message).toMatch(/state\.json.*orgSlug.*projectSlug.*projectId.*svc link/);
    }
    expect(await world.readState()).toBeNull();
    expect(world.asked()).toEqual([]);
  });

  it('no command creates the state file', async () => {
    await readAll();
    await needed();
    for (const words of ['start', 'chat Hi', 'endpoints create x-y --base-model test/model', 'logout'])
      expect((await world.svc(...words.split(' '))).exitCode).toBe(words === 'logout' ? 0 : 1);
    expect(await readdir(world.cwd)).toEqual([]);
    expect(world.calls).toEqual([]);
  });

  it('a handwritten state file sets the project of every call of the project', async () => {
    const orgSlug = (await world.signed()).orgSlug!;
    const client = await world.session().client();
    const { project } = await client.createProject(orgSlug, { name: 'Web', slug: 'web' });
    await world.writeState({ orgSlug, projectSlug: 'web', projectId: project.id });
    world.forget();
    expect(await deploy()).toMatchObject({ status: 201 });
    expect((await train()).projectId).toBe(project.id);
    const scope = `?orgSlug=${orgSlug}&projectSlug=web`;
    // What a cloud is, it tells anyone.
    const others = world.calls.filter((_, at) => world.queries[at] !== scope);
    expect([world.queries.includes(scope), others]).toEqual([true, ['GET /v1/cloud']]);
  });

  it('a state file of another organization causes state_mismatch and stays unchanged', async () => {
    await world.write('.svc/state.json', ACME);
    await expectAll('state_mismatch');
    expect(await ask('GET', '/api/jobs')).toMatchObject({ status: 404, code: 'state_mismatch' });
    const yours = `(yours: ${(await world.signed()).orgSlug})`;
    await world.expectFailure('jobs list', 1, `organization acme, which you are not a member of ${yours}`);
    expect(await readStateText()).toBe(ACME);
    expect(world.calls).not.toContain('POST /v1/projects');
  });
});

describe.each(['anonymous', 'oauth'])('an unreadable state file of %s users', mode => {
  beforeEach(async () => {
    if (mode === 'oauth') await world.login();
    else await world.session().ensureIdentity();
    world.forget();
  });

  const INVALID = ['{"orgSlug":', '[]', '{}', '{"orgSlug":"","projectSlug":"w","projectId":"p"}', ''];

  it.each(INVALID)('causes state_invalid and stays unchanged, whatever it holds: %s', async content => {
    await world.write('.svc/state.json', content);
    await expectAll('state_invalid');
    expect(await ask('GET', '/api/jobs')).toMatchObject({ status: 400, code: 'state_invalid' });
    for (const command of ['jobs list', 'link acme/web'])
      await world.expectFailure(command, 1, 'Fix the file or move it away');
    expect(await readStateText()).toBe(content);
    expect(world.calls).toEqual([]);
  });

  it('causes state_invalid when the system cannot open it, instead of counting as missing', async () => {
    await mkdir(world.statePath, { recursive: true });
    await expectAll('state_invalid', 'a folder');
    await rm(world.statePath, { recursive: true });
    await symlink(world.statePath, world.statePath);
    await expectAll('state_invalid', 'a link to itself');
    expect((await world.svc('link', 'acme/web')).stderr).toContain('cannot be read (ELOOP)');
    expect(await readdir(join(world.cwd, '.svc'))).toEqual(['state.json']);
    expect(world.calls).toEqual([]);
  });
});

describe('a credentials file', () => {
  const expectRefused = async (reason: string) => {
    await expectAll('credentials_invalid', reason);
    for (const command of ['whoami', 'login', 'logout', 'link acme/web'])
      await world.expectFailure(command, 1, reason);
    expect(await ask('GET', '/api/credentials')).toMatchObject({ status: 400, code: 'credentials_invalid' });
    expect(await world.inHome()).toEqual(['credentials.json']);
    expect(world.asked()).toEqual([]);
  };

  it('that the system cannot open is refused by all, not replaced, and no identity is created', async () => {
    await mkdir(world.credentials, { recursive: true });
    await expectRefused('cannot be read (EISDIR). Fix the file or move it away.');
  });

  it.each(['', '{', '[]', '{"clouds":[]}', 'null'])(
    'that holds %j is refused by all, and not replaced',
    async content => {
      await world.write('../home/credentials.json', content);
      await expectRefused('Fix the file or move it away');
      expect(await readFile(world.credentials, 'utf8')).toBe(content);
    },
  );
});

it('a cloud without anonymous identities tells users without credentials to run svc login', async () => {
  const off = await openWorld({ anonymous: 'off' });
  await off.expectFailure('chat Hi', 4, 'svc login');
  expect([...(await readdir(off.cwd)), ...(await off.inHome())]).toEqual([]);
  expect((await off.login()).exitCode).toBe(0);
});
