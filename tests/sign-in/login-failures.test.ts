// Failures of svc login: the error message, and that nothing is written.

import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listenForRedirect } from '../../lib/sdk/oauth/by-browser.js';
import { buildProgram, type Program } from '../cli/support/run-bin.js';
import { listening } from '../support/listening.js';
import { openBrowser } from './browser.js';
import { AUDIENCE, CLIENT_ID } from './identity-provider.js';
import { addressIn, openWorld, type World } from './world.js';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});

describe('svc login after the redirect', () => {
  /** Redirects the browser back with these parameters and the right state. */
  async function comeBack(answer: Record<string, string>) {
    const call = world.startLogin('--no-browser');
    const { searchParams } = new URL(await addressIn(call));
    const query = new URLSearchParams({ state: searchParams.get('state')!, ...answer });
    const page = await openBrowser().open(`${searchParams.get('redirect_uri')}?${query}`);
    expect(page).toMatchObject({ status: 400, text: expect.stringContaining('Sign-in failed.') });
    const called = await call.done;
    expect(await world.inHome()).toEqual([]);
    return { ...called, page };
  }

  it('reports a rejected code as a failed sign-in', async () => {
    const { issuer, grants } = world.provider;
    const { exitCode, stderr } = await comeBack({ iss: issuer, code: 'x' });
    const why = `${issuer} rejected the sign-in code, which may have expired.`;
    expect([exitCode, stderr]).toEqual([4, `svc: ${why} Run \`svc login\` to try again.\n`]);
    expect(grants).toEqual(['authorization_code refused']);
  });

  it.each<[string, Record<string, string>, string]>([
    ['from another issuer', { iss: 'https://evil.test', code: 'x' }, 'unexpected "iss" (issuer)'],
    ['without an issuer', { code: 'x' }, '"iss" (issuer) missing'],
    ['with an error of another', { iss: 'https://evil.test', error: 'access_denied' }, '"iss" (issuer)'],
  ])('rejects a response %s and says why', async (_, answer, reason) => {
    const { exitCode, stderr } = await comeBack(answer);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`Rejected the response of the identity provider at ${world.provider.issuer}: `);
    expect(stderr).toContain(reason);
    expect(world.provider.grants).toEqual([]);
  });

  it("shows the provider's error", async () => {
    const answer = { iss: world.provider.issuer, error: 'server_error', error_description: 'Oops' };
    const { stderr, page } = await comeBack(answer);
    expect(stderr).toContain('answered with server_error, Oops.');
    expect(page.text).toContain('See the terminal for the reason.');
  });

  const GOOD = '/callback?state=the-state';

  it.each<[line: string, host?: string]>([
    ...['//', '///', '//:99999999', '//[', '//callback', '/%', '/\\', 'http://[', '*'].map(
      (target): [string] => [`GET ${target}`],
    ),
    ['GET /elsewhere'],
    ['GET /callback'],
    ['GET /callback?code=x'],
    ['GET /callback?state=another&code=a'],
    ['GET /callback?error=access_denied&state='],
    [`POST ${GOOD}&code=x`],
    [`GET ${GOOD}&code=x`, 'evil.test'],
  ])('refuses %s of %s and still accepts the redirect', async (line, host) => {
    const listener = await listenForRedirect('the-state');
    const own = new URL(listener.uri);
    /** Sends exactly this request and returns the status line of the response. */
    const send = async (first: string, to = own.hostname) => {
      const socket = connect(Number(own.port), '127.0.0.1');
      await once(socket, 'connect');
      socket.end(`${first} HTTP/1.1\r\nHost: ${to}:${own.port}\r\nConnection: close\r\n\r\n`);
      return (await text(socket)).split('\r\n')[0]!;
    };
    const taken = listener.handleRedirect(async address => address.searchParams.get('code'));
    expect(await send(line, host)).toMatch(/ 40[04] /);
    expect(await send(`GET ${GOOD}&code=b`)).toContain(' 200 ');
    expect(await taken).toBe('b');
    await listener.close();
  });
});

describe('svc login with an identity provider', () => {
  /** Signs in with a fake identity provider. */
  async function loginAt(
    answer: (...args: [...Parameters<RequestListener>, issuer: string]) => unknown,
    option = '--no-browser',
  ) {
    const asked: string[] = [];
    const server = createServer((message, response) => {
      asked.push(message.url!);
      answer(message, response, issuer);
    });
    const issuer = await listening(server);
    const other = await openWorld({ oauth: { issuer, audience: AUDIENCE, clientId: CLIENT_ID } });
    const called = await other.svc('login', option);
    expect([called.exitCode, await other.inHome()]).toEqual([1, []]);
    return { ...called, issuer, asked };
  }

  const OTHER = 'does not respond like an identity provider (status';

  it.each([
    [404, `${OTHER} 404). Check`],
    [200, `${OTHER} 200). Check`],
    [503, 'Check that it is running and try again.'],
  ])('that answers a web page with status %i reports this', async (status, said) => {
    const page = { 'content-type': 'text/html' };
    const { stderr, issuer } = await loginAt((_, response) => response.writeHead(status, page).end('<p>Hi'));
    expect(stderr).toContain(issuer);
    expect(stderr).toContain(said);
    if (status !== 503) expect(stderr).toContain('--oauth-issuer');
  });

  it('that is unreachable reports this and requests it once', async () => {
    const { stderr, issuer, asked } = await loginAt(({ socket }) => socket.destroy());
    expect(stderr).toContain(`Cannot reach the identity provider at ${issuer}.`);
    expect(asked).toEqual(['/.well-known/openid-configuration']);
  });

  it('without device codes suggests --no-browser', async () => {
    const { stderr } = await loginAt((_, response, issuer) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ issuer }));
    }, '--device');
    expect(stderr).toContain('does not support device codes. Use "svc login --no-browser"');
  });
});

describe('svc login in a folder', () => {
  it('with an invalid state file fails before signing in', async () => {
    await world.write('.svc/state.json', '{');
    await world.expectFailure('login --no-browser', 1, 'is not valid JSON. Fix the file or move it away.');
    expect([...world.asked(), ...(await world.inHome())]).toEqual([]);
  });

  it('used anonymously before reports that its project belongs to another organization', async () => {
    expect((await world.svc('endpoints', 'create', 'mine', '--base-model', 'test/model')).exitCode).toBe(0);
    const state = await world.readState();
    const { exitCode, stderr } = await world.login();
    expect(exitCode).toBe(0);
    const yours = `(yours: ${(await world.signed()).orgSlug}). Sign in as a member`;
    const names = `names organization ${state!.orgSlug}, which you are not a member of`;
    expect(stderr).toContain(`${names} ${yours}`);
    expect(await world.readState()).toEqual(state);
  });

  it("of the user's own project prints no warning", async () => {
    await world.login();
    await world.link();
    const { stdout, stderr } = await world.login();
    expect([stdout, stderr]).toEqual([expect.stringContaining(`/ web · ${world.host}\n`), '']);
  });
});

describe('Ctrl+C while svc login waits', () => {
  let program: Program;
  beforeAll(async () => {
    program = await buildProgram();
  });
  afterAll(() => program.remove());

  it.each([
    ['--no-browser', 'code_challenge='],
    ['--device', 'enter this code: '],
  ])('ends it and leaves no files: %s', async (option, shown) => {
    const { cwd, env } = world;
    const run = program.run(['login', option], { cwd, env });
    await run.shown(shown);
    run.child.kill('SIGINT');
    await run.done;
    expect([run.child.exitCode, run.child.signalCode]).toEqual([null, 'SIGINT']);
    expect([...(await world.inHome()), ...(await readdir(cwd))]).toEqual([]);
  });
});
