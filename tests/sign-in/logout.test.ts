// svc logout and svc whoami, for signed-in, anonymous and unknown users.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callCli } from '../cli/support/terminal.js';
import { sampleAnonymous } from '../support/samples.js';
import { writeCredentials } from '../support/write-credentials.js';
import { openWorld, type World } from './world.js';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const secretsOf = async () => {
  const { accessToken, refreshToken } = await world.signed();
  return [accessToken, refreshToken!];
};

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
    const [accessToken, refreshToken] = await secretsOf();
    expect(await world.svc('logout')).toEqual({
      exitCode: 0,
      stdout: `Signed out of ${world.host}.\n`,
      stderr: '',
    });
    expect(await world.readCredentials()).toEqual({ clouds: {} });
    const kept = await readFile(join(world.home, 'credentials.json'), 'utf8');
    expect(kept).not.toContain(accessToken);
    const answer = await fetch(`${world.provider.issuer}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: 'svc',
        refresh_token: refreshToken!,
      }),
    });
    expect(await answer.json()).toMatchObject({ error: 'invalid_grant' });
    expect((await world.svc('whoami')).exitCode).toBe(4);
  });

  it('prints the result with --json', async () => {
    expect(JSON.parse((await world.svc('logout', '--json')).stdout)).toEqual({ signedOut: null });
    await world.login();
    expect(JSON.parse((await world.svc('logout', '--json')).stdout)).toEqual({
      signedOut: { cloud: world.host, mode: 'oauth', revoked: true },
    });
  });

  it('succeeds when not signed in', async () => {
    expect(await world.svc('logout')).toEqual({
      exitCode: 0,
      stdout: `You were not signed in to ${world.host}.\n`,
      stderr: '',
    });
    expect(world.calls).toEqual([]);
  });

  it('removes the tokens even if the provider is unreachable, and warns about it', async () => {
    await world.login();
    const { issuer } = world.provider;
    await world.provider.close();
    expect(await world.svc('logout')).toEqual({
      exitCode: 0,
      stdout: `Signed out of ${world.host}.\n`,
      stderr: `! The session may still be active at the identity provider: Cannot reach ${issuer}. You can end the session there yourself.\n`,
    });
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
    expect(await world.svc('logout')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `svc: You are not signed in to ${world.url}. Your anonymous identity there is kept, because it could not be recovered.\n`,
    });
    expect((await world.readCredentials()).clouds).toEqual({ [world.url]: entry });
  });

  it.each([
    ['the local cloud', {}],
    ['http://127.0.0.1:9', { SVC_CLOUD_URL: 'http://127.0.0.1:9' }],
  ])('keeps an anonymous identity when its cloud is unreachable: %s', async (where, env) => {
    const entry = await writeAnonymous();
    const clouds = { local: entry, 'http://127.0.0.1:9': entry };
    await writeCredentials(world.home, clouds);
    const options = { cwd: world.cwd, env: { SVC_HOME: world.home, ...env } };
    expect(await callCli(['logout'], options)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`You are not signed in to ${where}`),
    });
    expect(await world.readCredentials()).toEqual({ clouds });
    expect(await readdir(world.home)).toEqual(['credentials.json']);
  });

  it('removes an anonymous identity unknown to its cloud, as after a data wipe', async () => {
    const { orgSlug } = await writeAnonymous('x');
    const state = { orgSlug, projectSlug: 'web', projectId: 'p' };
    await world.write('.svc/state.json', JSON.stringify(state));
    const refused = await world.svc('jobs', 'list');
    expect(refused).toMatchObject({ exitCode: 4, stderr: expect.stringContaining('run `svc logout`') });
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
    expect(await world.svc('whoami')).toMatchObject({
      exitCode: 4,
      stderr: expect.stringContaining(
        'The next command that needs an identity uses your anonymous one again',
      ),
    });
    world.calls.length = 0;
    expect((await world.svc('endpoints', 'list')).stdout).toContain('mine');
    expect(world.calls).toEqual(['GET /v1/endpoints']);
    expect((await world.svc('whoami')).stdout).toMatch(/^anonymous · anon-/);
  });

  it('no identity is created for a user without a previous one', async () => {
    await world.login();
    await world.svc('link', `${(await world.signed()).orgSlug}/web`);
    await world.svc('logout');
    world.calls.length = 0;
    expect(await world.svc('jobs', 'list')).toMatchObject({
      exitCode: 4,
      stderr: expect.stringContaining('This folder has a project, but you have no identity'),
    });
    expect(world.calls).toEqual([]);
    expect(await world.readCredentials()).toEqual({ clouds: {} });
  });
});

describe('svc whoami', () => {
  it('prints mode, organization, project and cloud without any request', async () => {
    await world.login();
    const { orgSlug } = await world.signed();
    await world.svc('link', `${orgSlug}/web`);
    world.calls.length = 0;
    world.provider.calls.length = 0;
    expect(await world.svc('whoami')).toEqual({
      exitCode: 0,
      stdout: `oauth · ${orgSlug} / web · ${world.host}\n`,
      stderr: '',
    });
    const answer = await world.svc('whoami', '--json');
    expect(JSON.parse(answer.stdout)).toEqual({
      mode: 'oauth',
      orgSlug,
      projectSlug: 'web',
      cloudHost: world.host,
      deploymentDomain: 'localhost:4100',
      baseModel: 'test/model',
    });
    expect([...world.calls, ...world.provider.calls]).toEqual([]);
  });

  it('exits with 4 when the token has expired and cannot be renewed', async () => {
    await world.login();
    await world.change({ refreshToken: null });
    expect((await world.svc('whoami')).exitCode).toBe(0);
    await world.change({ expiresAt: new Date(0).toISOString() });
    expect(await world.svc('whoami')).toEqual({
      exitCode: 4,
      stdout: '',
      stderr: `svc: Your session at ${world.provider.issuer} has ended. Run \`svc login\`.\n`,
    });
  });

  it('exits with 0 when the token has expired but can be renewed, without renewing it', async () => {
    await world.login();
    await world.change({ expiresAt: new Date(0).toISOString() });
    world.provider.calls.length = 0;
    expect((await world.svc('whoami')).exitCode).toBe(0);
    expect(world.provider.calls).toEqual([]);
  });

  it("prints an anonymous user's own organization, even if the state file names another", async () => {
    const { orgSlug } = await writeAnonymous();
    await world.write(
      '.svc/state.json',
      JSON.stringify({ orgSlug: 'acme', projectSlug: 'web', projectId: 'p' }),
    );
    expect((await world.svc('whoami')).stdout).toBe(`anonymous · ${orgSlug} · ${world.host}\n`);
  });

  it('exits with 4 when not signed in', async () => {
    expect(await world.svc('whoami')).toMatchObject({
      exitCode: 4,
      stdout: '',
      stderr: expect.stringContaining('Run "svc login" to sign in'),
    });
  });
});
