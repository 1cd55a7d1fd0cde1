// Failures of svc login: the error message, and that nothing is written.
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer, type RequestListener, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildProgram, type Program } from '../cli/support/run-bin.js';
import { startCli } from '../cli/support/terminal.js';
import { openBrowser } from './browser.js';
import { AUDIENCE, CLIENT_ID } from './identity-provider.js';
import { addressIn, openWorld, type World } from './world.js';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

const start = (argv: string[], { cwd, env } = world) => startCli(['login', ...argv], { cwd, env });

/** The files in the home folder; none after a failure. */
const homeOf = ({ home }: World) => readdir(home).catch(() => []);

/** Redirects the browser back with these parameters and the right state. */
async function comeBack(answer: Record<string, string>) {
  const call = start(['--no-browser']);
  const { searchParams } = new URL(await addressIn(call));
  const query = new URLSearchParams({ state: searchParams.get('state')!, ...answer });
  const page = await openBrowser().open(`${searchParams.get('redirect_uri')}?${query}`);
  return { ...(await call.done), page };
}

describe('svc login after the redirect', () => {
  it('reports a rejected code as a failed sign-in', async () => {
    const { issuer } = world.provider;
    expect(await comeBack({ iss: issuer, code: 'x' })).toMatchObject({
      exitCode: 4,
      stderr: `svc: ${issuer} rejected the sign-in code, which may have expired. Run \`svc login\` to try again.\n`,
    });
  });

  it.each([
    ['from another issuer', { iss: 'https://evil.test', code: 'x' }, 'unexpected "iss" (issuer)'],
    ['without an issuer', { code: 'x' }, '"iss" (issuer) missing'],
    [
      'from another issuer, with an error',
      { iss: 'https://evil.test', error: 'access_denied' },
      '"iss" (issuer)',
    ],
  ])('rejects a response %s and says why', async (_, answer, reason) => {
    const { exitCode, stderr } = await comeBack(answer as Record<string, string>);
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
    expect(await homeOf(world)).toEqual([]);
  });

  it('answers 404 to a foreign host and to POST', async () => {
    const call = start(['--no-browser']);
    const address = await addressIn(call);
    const { searchParams } = new URL(address);
    const url = new URL(`${searchParams.get('redirect_uri')}?state=${searchParams.get('state')}&code=x`);
    expect(await statusOf(url, { headers: { host: `evil.test:${url.port}` } })).toBe(404);
    expect(await statusOf(url, { method: 'POST' })).toBe(404);
    expect(world.provider.grants).toEqual([]);
    await openBrowser().open(address);
    expect((await call.done).exitCode).toBe(0);
  });
});

describe('svc login with an identity provider', () => {
  it.each([
    ['answers 404', 404, 'text/html'],
    ['returns a web page', 200, 'text/html'],
  ])('that %s reports this and names the --oauth-issuer option', async (_, status, type) => {
    const { stderr, exitCode, issuer } = await loginAt((_, response) =>
      response.writeHead(status, { 'content-type': type }).end('<p>Hi'),
    );
    expect(exitCode).toBe(1);
    expect(stderr).toContain(`${issuer} does not respond like an identity provider (status ${status}).`);
    expect(stderr).toContain('--oauth-issuer');
  });

  it('that is unreachable reports this and requests it once', async () => {
    const { stderr, issuer, asked } = await loginAt(({ socket }) => socket.destroy());
    expect(stderr).toContain(`Cannot reach the identity provider at ${issuer}.`);
    expect(asked).toEqual(['/.well-known/openid-configuration']);
  });

  it('that answers 503 says to check whether it is running', async () => {
    const { stderr } = await loginAt((_, response) => response.writeHead(503).end());
    expect(stderr).toContain('Check that it is running and try again.');
  });

  it('without device codes suggests --no-browser', async () => {
    const { stderr, exitCode } = await loginAt((_, response, issuer) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ issuer }));
    }, '--device');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('does not support device codes. Use "svc login --no-browser"');
  });
});

describe('svc login in a folder', () => {
  it('with an invalid state file fails before signing in', async () => {
    await world.write('.svc/state.json', '{');
    expect(await world.svc('login', '--no-browser')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('is not valid JSON. Fix the file or move it away.'),
    });
    expect([...world.calls, ...world.provider.calls]).toEqual([]);
    expect(await homeOf(world)).toEqual([]);
  });

  it('used anonymously before reports that its project belongs to another organization', async () => {
    expect((await world.svc('endpoints', 'create', 'mine', '--base-model', 'test/model')).exitCode).toBe(0);
    const state = await world.readState();
    const { exitCode, stderr } = await world.login();
    expect(exitCode).toBe(0);
    const { orgSlug } = await world.signed();
    expect(stderr).toContain(
      `names organization ${state!.orgSlug}, which you are not a member of (yours: ${orgSlug}). Sign in as a member`,
    );
    expect(await world.readState()).toEqual(state);
  });

  it("of the user's own project prints no warning", async () => {
    await world.login();
    await world.svc('link', `${(await world.signed()).orgSlug}/web`);
    const { stdout, stderr } = await world.login();
    expect(stdout).toContain(`/ web · ${world.host}\n`);
    expect(stderr).toBe('');
  });
});

describe('repeating svc login', () => {
  it('switches to the new user', async () => {
    await world.login();
    const former = await world.signed();
    expect((await world.login('bert')).exitCode).toBe(0);
    const { orgSlug, accessToken } = await world.signed();
    expect(orgSlug).not.toBe(former.orgSlug);
    expect(await world.memory.client(accessToken).getMe()).toMatchObject({ subject: 'bert' });
    expect((await world.readCredentials()).anonymous).toBeUndefined();
  });

  it('keeps the current user when it fails', async () => {
    await world.login();
    const before = await world.readCredentials();
    world.provider.refuses = true;
    expect((await world.login()).exitCode).toBe(4);
    expect(await world.readCredentials()).toEqual(before);
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
    expect(await homeOf(world)).toEqual([]);
    expect(await readdir(cwd)).toEqual([]);
  });
});

/** Signs in with a fake identity provider. */
async function loginAt(
  answer: (...args: [...Parameters<RequestListener>, issuer: string]) => unknown,
  option = '--no-browser',
) {
  const asked: string[] = [];
  const server = createServer((message, response) => {
    asked.push(message.url!);
    answer(message, response, issuer);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const other = await openWorld({ oauth: { issuer, audience: AUDIENCE, clientId: CLIENT_ID } });
  const called = await other.svc('login', option);
  expect(await homeOf(other)).toEqual([]);
  await other.close();
  server.close();
  server.closeAllConnections();
  return { ...called, issuer, asked };
}

/** Uses node:http because fetch does not allow setting the Host header. */
async function statusOf(url: URL, options: object): Promise<number> {
  const [response] = await once(request(url, options).end(), 'response');
  response.resume();
  return response.statusCode;
}
