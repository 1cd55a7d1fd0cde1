// svc logout and svc whoami, for signed-in, anonymous and unknown users, and svc link, which writes the state file.
import { readdir, readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { callCli } from '../cli/support/terminal.js';
import { sampleAnonymous } from '../support/samples.js';
import { writeCredentials } from '../support/write-credentials.js';
import { openWorld, type World } from './world.js';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});

/** Writes anonymous credentials, as a first run does; `more` is appended to the token to invalidate it. */
async function writeAnonymous(more = '') {
  const { token, personalOrg, anonymousId } = await world.memory.signUp();
  const entry = sampleAnonymous({ token: token + more, anonymousId, orgSlug: personalOrg.slug });
  await writeCredentials(world.home, { [world.url]: entry });
  return entry;
}

describe('svc logout', () => {
  it('ends the session at the provider and removes the tokens', async () => {
    await world.login();
    const { accessToken, refreshToken } = await world.signed();
    const stdout = `Signed out of ${world.host}.\n`;
    expect(await world.svc('logout')).toEqual({ exitCode: 0, stdout, stderr: '' });
    expect(await world.readCredentials()).toEqual({ clouds: {} });
    expect(await readFile(world.credentials, 'utf8')).not.toContain(accessToken);
    const grant = { grant_type: 'refresh_token', client_id: 'svc', refresh_token: refreshToken! };
    const body = new URLSearchParams(grant);
    const answer = await fetch(`${world.provider.issuer}/token`, { method: 'POST', body });
    expect(await answer.json()).toMatchObject({ error: 'invalid_grant' });
    expect((await world.svc('whoami')).exitCode).toBe(4);
  });

  it('prints the result with --json', async () => {
    await world.login();
    const signedOut = { cloud: world.host, mode: 'oauth', revoked: true };
    expect(JSON.parse((await world.svc('logout', '--json')).stdout)).toEqual({ signedOut });
  });

  it('succeeds when not signed in, as svc whoami does not', async () => {
    await world.expectFailure('whoami', 4, 'Run "svc login" to sign in');
    const stdout = `You were not signed in to ${world.host}.\n`;
    expect(await world.svc('logout')).toEqual({ exitCode: 0, stdout, stderr: '' });
    expect(JSON.parse((await world.svc('logout', '--json')).stdout)).toEqual({ signedOut: null });
    expect(world.calls).toEqual([]);
  });

  it('removes the tokens even if the provider is unreachable, and warns about it', async () => {
    await world.login();
    const { issuer } = world.provider;
    await world.provider.close();
    const why = `The session may still be active at the identity provider: Cannot reach ${issuer}.`;
    const stdout = `Signed out of ${world.host}.\n`;
    const stderr = `! ${why} You can end the session there yourself.\n`;
    expect(await world.svc('logout')).toEqual({ exitCode: 0, stdout, stderr });
    expect(await world.readCredentials()).toEqual({ clouds: {} });
  });

  it('removes an invalid entry and leaves all others unchanged', async () => {
    const other = { mode: 'oauth', of: 'another cloud' };
    const clouds = { [world.url]: { mode: 'oauth', accessToken: 1 }, 'https://other.test': other };
    const current = 'https://other.test';
    await writeCredentials(world.home, clouds, { current });
    expect((await world.svc('whoami')).stderr).toContain('run `svc logout`');
    expect((await world.svc('logout')).exitCode).toBe(0);
    expect(await world.readCredentials()).toEqual({ clouds: { 'https://other.test': other }, current });
  });

  it('refuses to remove an anonymous identity, which could not be recovered', async () => {
    const entry = await writeAnonymous();
    const kept = 'Your anonymous identity there is kept, because it could not be recovered.\n';
    await world.expectFailure('logout', 1, `svc: You are not signed in to ${world.url}. ${kept}`);
    expect((await world.readCredentials()).clouds).toEqual({ [world.url]: entry });
  });

  it.each([
    ['the local cloud', {}],
    ['http://127.0.0.1:9', { SVC_CLOUD_URL: 'http://127.0.0.1:9' }],
  ])('keeps an anonymous identity when its cloud is unreachable: %s', async (where, env) => {
    const entry = await writeAnonymous();
    const clouds = { local: entry, 'http://127.0.0.1:9': entry };
    await writeCredentials(world.home, clouds);
    const called = await callCli(['logout'], { cwd: world.cwd, env: { SVC_HOME: world.home, ...env } });
    const stderr = expect.stringContaining(`You are not signed in to ${where}`);
    expect(called).toMatchObject({ exitCode: 1, stderr });
    expect(await world.readCredentials()).toEqual({ clouds });
    expect(await world.inHome()).toEqual(['credentials.json']);
  });

  it('removes an anonymous identity unknown to its cloud, as after a data wipe', async () => {
    const { orgSlug } = await writeAnonymous('x');
    await world.writeState({ orgSlug, projectSlug: 'web', projectId: 'p' });
    await world.expectFailure('jobs list', 4, 'run `svc logout`');
    expect((await world.svc('logout')).exitCode).toBe(0);
    expect(await world.readCredentials()).toEqual({ clouds: {} });
  });
});

describe('after svc logout', () => {
  it('the previous anonymous identity is used again, even by commands that only read', async () => {
    const made = await world.svc('endpoints', 'create', 'mine', '--base-model', 'test/model');
    expect(made.exitCode).toBe(0);
    await world.login();
    await world.svc('logout');
    const again = 'The next command that needs an identity uses your anonymous one again';
    await world.expectFailure('whoami', 4, again);
    world.forget();
    expect((await world.svc('endpoints', 'list')).stdout).toContain('mine');
    expect(world.calls).toEqual(['GET /v1/endpoints']);
    expect((await world.svc('whoami')).stdout).toMatch(/^anonymous · anon-/);
  });

  it('no identity is created for a user without a previous one', async () => {
    await world.login();
    await world.link();
    await world.svc('logout');
    world.forget();
    await world.expectFailure('jobs list', 4, 'This folder has a project, but you have no identity');
    expect(world.calls).toEqual([]);
    expect(await world.readCredentials()).toEqual({ clouds: {} });
  });
});

describe('svc whoami', () => {
  it('prints mode, organization, project and cloud without any request', async () => {
    await world.login();
    const orgSlug = await world.link();
    world.forget();
    const stdout = `oauth · ${orgSlug} / web · ${world.host}\n`;
    expect(await world.svc('whoami')).toEqual({ exitCode: 0, stdout, stderr: '' });
    expect(JSON.parse((await world.svc('whoami', '--json')).stdout)).toEqual({
      ...{ mode: 'oauth', orgSlug, projectSlug: 'web', cloudHost: world.host },
      ...{ deploymentDomain: 'localhost:4100', baseModel: 'test/model' },
    });
    expect(world.asked()).toEqual([]);
  });

  it('exits with 4 when the token has expired and cannot be renewed, which it does not try', async () => {
    await world.login();
    world.forget();
    await world.change({ expiresAt: new Date(0).toISOString() });
    expect((await world.svc('whoami')).exitCode).toBe(0);
    await world.change({ refreshToken: null });
    const ended = `svc: Your session at ${world.provider.issuer} has ended. Run \`svc login\`.\n`;
    await world.expectFailure('whoami', 4, ended);
    await world.change({ expiresAt: '2999-01-01T00:00:00Z' });
    expect((await world.svc('whoami')).exitCode).toBe(0);
    expect(world.asked()).toEqual([]);
  });

  it("prints an anonymous user's own organization, even if the state file names another", async () => {
    const { orgSlug } = await writeAnonymous();
    await world.writeState({ orgSlug: 'acme', projectSlug: 'web', projectId: 'p' });
    expect((await world.svc('whoami')).stdout).toBe(`anonymous · ${orgSlug} · ${world.host}\n`);
  });
});

describe('svc link', () => {
  let org: string;
  beforeEach(async () => {
    await world.login();
    org = (await world.signed()).orgSlug!;
    world.forget();
  });

  it('writes the state file and creates a missing project', async () => {
    const stdout = `Created the project. Linked this folder to ${org}/web: .svc/state.json\n`;
    expect(await world.svc('link', `${org}/web`)).toEqual({ exitCode: 0, stdout, stderr: '' });
    const { projects } = await (await world.session().client()).listProjects(org);
    expect(await world.readState()).toEqual({ orgSlug: org, projectSlug: 'web', projectId: projects[0]!.id });
    expect((await world.svc('jobs', 'list')).exitCode).toBe(0);
  });

  it('links an existing project', async () => {
    const client = await world.session().client();
    const { project } = await client.createProject(org, { name: 'Web', slug: 'web' });
    world.forget();
    const { stdout } = await world.svc('link', `${org}/web`, '--json');
    const state = { orgSlug: org, projectSlug: 'web', projectId: project.id };
    expect(JSON.parse(stdout)).toEqual({ state, created: false });
    expect(world.calls).not.toContain('POST /v1/projects');
  });

  it('makes no cloud call when it is linked already, and does not replace the file with another', async () => {
    await world.link();
    const before = await readFile(world.statePath, 'utf8');
    world.forget();
    expect((await world.svc('link', `${org}/web`)).exitCode).toBe(0);
    expect(world.calls).toEqual([]);
    await world.expectFailure(`link ${org}/other`, 1, `Already linked to ${org}/web. Remove `);
    expect(await readFile(world.statePath, 'utf8')).toBe(before);
  });

  it('refuses an organization the user is not a member of, and writes nothing', async () => {
    const said = `svc: You are not a member of organization acme (yours: ${org}).\n`;
    await world.expectFailure('link acme/web', 1, said);
    expect(await readdir(world.cwd)).toEqual([]);
  });

  it('rejects an invalid name, and requires signing in', async () => {
    for (const typed of ['web', '/web', `${org}/`, `${org}/web/x`])
      expect(await world.svc('link', typed)).toMatchObject({ exitCode: 2, stdout: '' });
    expect(world.calls).toEqual([]);
    expect(await world.svc('link', `${org}/Web!`)).toMatchObject({ exitCode: 1 });
    await world.svc('logout');
    await world.expectFailure(`link ${org}/web`, 4, 'svc login');
    expect(await world.readState()).toBeNull();
  });
});
