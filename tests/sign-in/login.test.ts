// svc login with a real identity provider; the test acts as the browser.
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSession } from '../../lib/sdk/index.js';
import { callCli, startCli } from '../cli/support/terminal.js';
import { untilFound } from '../support/in-time.js';
import { sampleAnonymous } from '../support/samples.js';
import { writeCredentials } from '../support/write-credentials.js';
import { openBrowser } from './browser.js';
import { AUDIENCE } from './identity-provider.js';
import { addressIn, openWorld, type World } from './world.js';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const start = (...argv: string[]) => startCli(['login', ...argv], { cwd: world.cwd, env: world.env });
const hasCredentials = () =>
  stat(join(world.home, 'credentials.json')).then(
    () => true,
    () => false,
  );

describe('svc login', () => {
  it('signs in with a browser, and writes credentials that only the user can read', async () => {
    const { exitCode, stdout, stderr, page } = await world.login();
    expect(exitCode).toBe(0);
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('You are signed in.') });
    const who = await world.signed();
    expect(who).toEqual({
      mode: 'oauth',
      accessToken: expect.stringMatching(/^eyJ/),
      refreshToken: expect.any(String),
      expiresAt: expect.stringMatching(/^\d{4}-.*Z$/),
      issuer: world.provider.issuer,
      clientId: 'svc',
      audience: AUDIENCE,
      orgSlug: expect.stringMatching(/^user-[a-z2-9]{6}$/),
      deploymentDomain: 'localhost:4100',
      baseModel: 'test/model',
    });
    expect((await stat(join(world.home, 'credentials.json'))).mode & 0o777).toBe(0o600);
    expect((await world.readCredentials()).current).toBe(world.url);
    expect(stdout).toContain(`Signed in: oauth · ${who.orgSlug} · ${world.host}\n`);
    expect(stderr).toContain(`svc link ${who.orgSlug}/PROJECT`);
    for (const secret of [who.accessToken, who.refreshToken!]) expect(stdout + stderr).not.toContain(secret);
  });

  it('prints only the identity with --json', async () => {
    const call = start('--no-browser', '--json');
    const address = await addressInStderr(call);
    await openBrowser().open(address);
    const { stdout } = await call.done;
    expect(JSON.parse(stdout)).toMatchObject({ mode: 'oauth', projectSlug: null, cloudHost: world.host });
  });

  it('uses a code with PKCE and a state, and redirects to 127.0.0.1 only', async () => {
    const call = start('--no-browser');
    const { searchParams } = new URL(await addressIn(call));
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'svc',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
      resource: AUDIENCE,
    });
    const redirect = new URL(searchParams.get('redirect_uri')!);
    await expect(fetch(`http://[::1]:${redirect.port}/callback`)).rejects.toThrow();
    await openBrowser().open(String(await addressIn(call)));
    expect((await call.done).exitCode).toBe(0);
    await expect(fetch(redirect)).rejects.toThrow();
  });

  it('refuses requests without its state and keeps waiting', async () => {
    const call = start('--no-browser');
    const address = await addressIn(call);
    const redirect = new URL(new URL(address).searchParams.get('redirect_uri')!);
    for (const query of ['', '?code=x', '?code=x&state=wrong', '?error=access_denied&state=']) {
      const { status } = await openBrowser().open(`${redirect}${query}`);
      expect(status).toBe(400);
    }
    expect((await openBrowser().open(`${redirect.origin}/elsewhere`)).status).toBe(404);
    expect(world.provider.grants).toEqual([]);
    await openBrowser().open(address);
    expect((await call.done).exitCode).toBe(0);
  });

  it('rejects a response from another issuer, and an invalid code', async () => {
    for (const answer of ['iss=https://evil.test&code=x', `iss=${world.provider.issuer}&code=x`]) {
      const call = start('--no-browser');
      const { searchParams } = new URL(await addressIn(call));
      const page = await openBrowser().open(
        `${searchParams.get('redirect_uri')}?state=${searchParams.get('state')}&${answer}`,
      );
      expect(page).toMatchObject({ status: 400, text: expect.stringContaining('Sign-in failed.') });
      expect(await call.done).toMatchObject({ exitCode: expect.toSatisfy(code => code !== 0) });
    }
    // The first code was not sent to the provider.
    expect(world.provider.grants).toEqual(['authorization_code refused']);
    expect(await hasCredentials()).toBe(false);
  });

  it('reports that the user denied the sign-in', async () => {
    world.provider.refuses = true;
    const { exitCode, stderr } = await world.login();
    expect(exitCode).toBe(4);
    expect(stderr).toContain(`Sign-in at ${world.provider.issuer} was denied.`);
    expect(await hasCredentials()).toBe(false);
  });

  it('shows a code for another machine with --device', async () => {
    const call = start('--device');
    await call.shown('enter this code: ');
    const [, code] = /enter this code: (\S+)/.exec(call.stdout)!;
    expect(call.stdout).toContain(`Open ${world.provider.issuer}/device in a browser`);
    const browser = openBrowser();
    const form = await browser.open(`${world.provider.issuer}/device`);
    const asked = await browser.submit(form, { user_code: code! });
    const { text } = await browser.submit(asked, { confirm: 'yes' });
    expect(text).toContain('Success');
    expect(await call.done).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('Signed in: '),
    });
    expect(await world.signed()).toMatchObject({ mode: 'oauth', refreshToken: expect.any(String) });
    expect(world.provider.grants.at(-1)).toBe('device_code ok');
  });

  it('makes later commands use this cloud without SVC_CLOUD_URL', async () => {
    await world.login();
    const { SVC_CLOUD_URL: _, ...env } = world.env;
    const { stdout } = await callCli(['whoami'], { cwd: world.cwd, env });
    expect(stdout).toContain(`· ${world.host}\n`);
  });

  it('leaves an invalid credentials file unchanged, and makes no request', async () => {
    await world.write('../home/credentials.json', '{ "clouds": ');
    const { exitCode, stderr } = await world.svc('login', '--no-browser');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringContaining('is not valid JSON. Fix the file or move it away.'),
    });
    expect(world.provider.calls).toEqual([]);
    expect(world.calls).toEqual([]);
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
    world.calls.length = 0;
    const session = openSession({ folder: world.cwd, env: world.env });
    expect(await session.ensureIdentity()).toEqual(entry);
    expect(world.calls).toEqual([]);
    expect(await world.readCredentials()).toEqual({ clouds, own: 1 });
  });
});

describe('svc login to a cloud', () => {
  it('without an identity provider reports this', async () => {
    const plain = await openWorld({ oauth: undefined });
    const { exitCode, stderr } = await plain.svc('login', '--no-browser');
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`The cloud at ${plain.url} has no identity provider`);
    await plain.close();
  });

  it('that rejects the token suggests a fix and writes nothing', async () => {
    const { issuer } = world.provider;
    const other = await openWorld({ oauth: { issuer, audience: 'https://other.test/', clientId: 'svc' } });
    const call = startCli(['login', '--no-browser'], { cwd: other.cwd, env: other.env });
    await openBrowser().open(await addressIn(call));
    expect(await call.done).toMatchObject({
      exitCode: 4,
      stderr: expect.stringContaining('Check that its --oauth-issuer and --oauth-audience match'),
    });
    await expect(other.readCredentials()).rejects.toThrow('ENOENT');
    await other.close();
  });

  it('whose provider has an unsafe authorization URL fails without opening it', async () => {
    let endpoint: string | undefined;
    const rogue = createServer((_, response) => {
      const issuer = `http://127.0.0.1:${(rogue.address() as AddressInfo).port}`;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ issuer, authorization_endpoint: endpoint }));
    }).listen(0, '127.0.0.1');
    await once(rogue, 'listening');
    const issuer = `http://127.0.0.1:${(rogue.address() as AddressInfo).port}`;
    const other = await openWorld({ oauth: { issuer, audience: AUDIENCE, clientId: 'svc' } });
    for (endpoint of ['file:///etc/passwd', 'javascript:alert(1)', 'http://evil.test/', undefined]) {
      const { exitCode, stdout } = await other.svc('login');
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    }
    rogue.close();
    rogue.closeAllConnections();
    await other.close();
  });

  it('whose provider is unreachable or has another issuer reports this', async () => {
    const { issuer } = world.provider;
    const aliased = { issuer: issuer.replace('127.0.0.1', 'localhost'), audience: AUDIENCE, clientId: 'svc' };
    const other = await openWorld({ oauth: aliased });
    expect(await other.svc('login', '--no-browser')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`${aliased.issuer}: discovered metadata issuer does not match`),
    });
    await other.close();
    await world.provider.close();
    expect(await world.svc('login', '--no-browser')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(`Cannot reach the identity provider at ${issuer}.`),
    });
  });
});

/** The sign-in URL, which --json prints to stderr. */
function addressInStderr(call: ReturnType<typeof start>): Promise<string> {
  return untilFound(() => /^http\S+$/m.exec(call.stderr)?.[0], { beside: () => call.stderr });
}
