// svc login with a real identity provider; the test acts as the browser.

import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { callCli } from '../cli/support/terminal.js';
import { untilFound } from '../support/in-time.js';
import { listening } from '../support/listening.js';
import { sampleAnonymous } from '../support/samples.js';
import { writeCredentials } from '../support/write-credentials.js';
import { openBrowser } from './browser.js';
import { AUDIENCE } from './identity-provider.js';
import { addressIn, codeIn, openWorld, type World } from './world.js';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});

describe('svc login', () => {
  it('signs in with a browser, and writes credentials that only the user can read', async () => {
    const { exitCode, stdout, stderr, page } = await world.login();
    expect(exitCode).toBe(0);
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('You are signed in.') });
    const who = await world.signed();
    expect(who).toEqual({
      ...{ mode: 'oauth', issuer: world.provider.issuer, clientId: 'svc', audience: AUDIENCE },
      ...{ accessToken: expect.stringMatching(/^eyJ/), refreshToken: expect.any(String) },
      ...{ expiresAt: expect.stringMatching(/^\d{4}-.*Z$/), deploymentDomain: 'localhost:4100' },
      ...{ orgSlug: expect.stringMatching(/^user-[a-z2-9]{6}$/), baseModel: 'test/model' },
    });
    expect((await stat(world.credentials)).mode & 0o777).toBe(0o600);
    expect(stdout).toContain(`Signed in: oauth · ${who.orgSlug} · ${world.host}\n`);
    expect(stderr).toContain(`svc link ${who.orgSlug}/PROJECT`);
    for (const secret of [who.accessToken, who.refreshToken!]) expect(stdout + stderr).not.toContain(secret);
    // Later commands use this cloud without SVC_CLOUD_URL.
    expect((await world.readCredentials()).current).toBe(world.url);
    const later = await callCli(['whoami'], { cwd: world.cwd, env: { SVC_HOME: world.home } });
    expect(later.stdout).toContain(`· ${world.host}\n`);
  });

  it('prints only the identity with --json', async () => {
    const call = world.startLogin('--no-browser', '--json');
    const address = await untilFound(() => /^http\S+$/m.exec(call.stderr)?.[0], {
      beside: () => call.stderr,
    });
    await openBrowser().open(address);
    const { stdout } = await call.done;
    expect(JSON.parse(stdout)).toMatchObject({ mode: 'oauth', projectSlug: null, cloudHost: world.host });
  });

  it('uses a code with PKCE and a state, and redirects to 127.0.0.1 only', async () => {
    const call = world.startLogin('--no-browser');
    const { href, searchParams } = new URL(await addressIn(call));
    const random = expect.stringMatching(/^[\w-]{43}$/);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      ...{ response_type: 'code', client_id: 'svc', resource: AUDIENCE },
      ...{ code_challenge_method: 'S256', code_challenge: random, state: random },
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
    });
    const redirect = new URL(searchParams.get('redirect_uri')!);
    await expect(fetch(`http://[::1]:${redirect.port}/callback`)).rejects.toThrow();
    await openBrowser().open(href);
    expect((await call.done).exitCode).toBe(0);
    await expect(fetch(redirect)).rejects.toThrow();
  });

  it('shows a code for another machine with --device', async () => {
    const call = world.startLogin('--device');
    const code = await codeIn(call);
    expect(call.stdout).toContain(`Open ${world.provider.issuer}/device in a browser`);
    const browser = openBrowser();
    const form = await browser.open(`${world.provider.issuer}/device`);
    const asked = await browser.submit(form, { user_code: code });
    expect((await browser.submit(asked, { confirm: 'yes' })).text).toContain('Success');
    const { exitCode, stdout } = await call.done;
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Signed in: ')]);
    expect(await world.signed()).toMatchObject({ mode: 'oauth', refreshToken: expect.any(String) });
    expect(world.provider.grants.at(-1)).toBe('device_code ok');
  });

  it('keeps the previous anonymous identity, which is used again after svc logout', async () => {
    const { token, anonymousId, personalOrg } = await world.memory.signUp();
    const entry = sampleAnonymous({ token, anonymousId, orgSlug: personalOrg.slug });
    const other = { mode: 'anonymous', note: 'of another cloud' };
    const clouds = { [world.url]: entry, 'https://other.test': other };
    await writeCredentials(world.home, clouds, { own: 1 });
    expect((await world.login()).stderr).toContain('Your anonymous identity on this cloud is kept');
    expect((await world.readCredentials()).clouds['https://other.test']).toEqual(other);
    expect((await world.svc('logout')).exitCode).toBe(0);
    expect((await world.svc('whoami')).exitCode).toBe(4);
    world.forget();
    expect(await world.session().ensureIdentity()).toEqual(entry);
    expect(world.calls).toEqual([]);
    expect(await world.readCredentials()).toEqual({ clouds, own: 1 });
  });

  it('switches to the new user when it is repeated, and keeps the current one when they deny it', async () => {
    await world.login();
    const former = await world.signed();
    expect((await world.login('bert')).exitCode).toBe(0);
    const { orgSlug, accessToken } = await world.signed();
    expect(orgSlug).not.toBe(former.orgSlug);
    expect(await world.memory.client(accessToken).getMe()).toMatchObject({ subject: 'bert' });
    const before = await world.readCredentials();
    expect(before.anonymous).toBeUndefined();
    world.provider.refuses = true;
    const { exitCode, stderr } = await world.login();
    expect([exitCode, stderr]).toEqual([4, expect.stringContaining('Sign-in at ')]);
    expect(stderr).toContain(`${world.provider.issuer} was denied.`);
    expect(await world.readCredentials()).toEqual(before);
  });
});

describe('svc login to a cloud', () => {
  it('without an identity provider reports this', async () => {
    const plain = await openWorld({ oauth: undefined });
    const said = `The cloud at ${plain.url} has no identity provider`;
    await plain.expectFailure('login --no-browser', 1, said);
  });

  it('that rejects the token suggests a fix and writes nothing', async () => {
    const { issuer } = world.provider;
    const other = await openWorld({ oauth: { issuer, audience: 'https://other.test/', clientId: 'svc' } });
    const stderr = expect.stringContaining('Check that its --oauth-issuer and --oauth-audience match');
    expect(await other.login()).toMatchObject({ exitCode: 4, stderr });
    await expect(other.readCredentials()).rejects.toThrow('ENOENT');
  });

  it('whose provider has an unsafe authorization URL fails without opening it', async () => {
    let endpoint: string | undefined;
    const rogue = createServer((_, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ issuer, authorization_endpoint: endpoint }));
    });
    const issuer = await listening(rogue);
    const other = await openWorld({ oauth: { issuer, audience: AUDIENCE, clientId: 'svc' } });
    for (endpoint of ['file:///etc/passwd', 'javascript:alert(1)', 'http://evil.test/', undefined])
      await other.expectFailure('login', 1, 'svc: ');
  });

  it('whose provider has another issuer reports this', async () => {
    const issuer = world.provider.issuer.replace('127.0.0.1', 'localhost');
    const other = await openWorld({ oauth: { issuer, audience: AUDIENCE, clientId: 'svc' } });
    await other.expectFailure(
      'login --no-browser',
      1,
      `${issuer}: discovered metadata issuer does not match`,
    );
  });
});
