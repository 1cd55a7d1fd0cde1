// Studio on a real socket: raw requests, who may connect, the port, and the file that scripts use to find it.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Clock, realClock } from '../../lib/clock/index.js';
import { listen, PortTakenError } from '../../lib/http/index.js';
import { connectStudio, openSession } from '../../lib/sdk/index.js';
import { createUserGuard } from '../../lib/studio/guard.js';
import { type RunningStudio, runStudio } from '../../lib/studio/index.js';
import { until } from '../support/until.js';
import { createVirtualClock } from '../support/virtual-clock.js';
import { openSharedStudio, openStudio, PAGE, type TestStudio, TOKEN } from './open-studio.js';

/** Another user than those who may connect: only its own user and root may, over loopback. */
const NOBODY = 65_534;

describe('a listening Studio', () => {
  let test: TestStudio;
  let listening: Awaited<ReturnType<typeof listen>>;
  beforeAll(async () => {
    test = await openSharedStudio();
    await test.write('web/index.html', PAGE);
    listening = await listen(test.studio, { ports: [0] });
  });
  afterAll(async () => {
    await Promise.all([listening.close(), test.close()]);
  });

  /** Sends raw lines and returns the whole response. */
  async function raw(lines: string[], host = '127.0.0.1'): Promise<string> {
    const socket = connect(listening.port, host);
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    return text(socket);
  }
  const close = 'Connection: close';
  const token = `X-Svc-Studio-Token: ${TOKEN}`;

  it('accepts the hosts 127.0.0.1 and localhost over IPv4 and IPv6, and the absolute form of its URL', async () => {
    const page = new RegExp(`^HTTP/1.1 200 [\\s\\S]*content="${TOKEN}"`);
    for (const address of ['127.0.0.1', '::1'])
      for (const host of ['localhost', `localhost:${listening.port}`, '127.0.0.1:1'])
        expect(await raw(['GET / HTTP/1.1', `Host: ${host}`, close], address)).toMatch(page);
    expect(await raw(['GET http://localhost/ HTTP/1.1', 'Host: localhost', close])).toMatch(page);
  });

  it.each([
    [['GET / HTTP/1.1', 'Host: evil.com', close]],
    [['GET / HTTP/1.1', 'Host:', close]],
    [['GET / HTTP/1.1', close]],
    [['GET / HTTP/1.0', close]],
    [['GET / HTTP/1.1', 'Host: localhost', 'Host: evil.com', close]],
    [['GET / HTTP/1.1', 'Host: evil.com', 'Host: localhost', close]],
    [['GET http://evil.com/ HTTP/1.1', 'Host: localhost', close]],
    [['GET http://localhost/ HTTP/1.1', 'Host: evil.com', close]],
    [['GET http://evil.com/ HTTP/1.1', close]],
    [['GET evil.com:80 HTTP/1.1', 'Host: localhost', close]],
    [['GET / HTTP/1.1', 'Host: evil.com', 'X-Forwarded-Host: localhost', close]],
    [['GET /api/jobs HTTP/1.1', 'Host: evil.com', token, close]],
    [['GET http://evil.com/api/jobs HTTP/1.1', 'Host: localhost', token, close]],
  ])('does not serve the page with its token to any other host: %j', async lines => {
    const answer = await raw(lines);
    expect(answer).toMatch(/^HTTP\/1\.1 (403|400) /);
    expect(answer).not.toContain('<meta');
  });

  it.each([
    ...['//api/jobs', '/%61pi/jobs', '/x/../api/jobs', '/./api/jobs', '\\api\\jobs'],
    '/api/jobs/x/events/../../../deployments?studioToken=TOKEN',
    'http://localhost/api/jobs?studioToken=TOKEN',
    ...['/api/jobs#?studioToken=TOKEN', '*'],
  ])('refuses API calls without the token for any spelling of the URL: %s', async path => {
    const target = path.replace('TOKEN', TOKEN);
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'PATCH']) {
      const first = `${method} ${target} HTTP/1.1`;
      const answer = await raw([first, 'Host: localhost', 'Content-Length: 0', close]);
      expect(answer).toMatch(/^HTTP\/1\.1 (400|403) /);
      expect(answer).not.toContain('"jobs"');
    }
  });

  /** Calls Studio from a separate process, by default as the current user. */
  async function callAs(user: number | undefined, host: string, paths: readonly string[]) {
    const program = `
      const at = { hostname: '${host}', port: ${listening.port} };
      const headers = { host: 'localhost', 'x-svc-studio-token': '${TOKEN}' };
      const ask = path => new Promise(resolve => {
        require('node:http').get({ ...at, path, headers }, async answer => {
          let body = '';
          for await (const part of answer) body += part;
          resolve({ status: answer.statusCode, id: answer.headers['x-request-id'], body });
        });
      });
      Promise.all(${JSON.stringify(paths)}.map(ask)).then(all => console.log(JSON.stringify(all)));`;
    const as = user === undefined ? {} : { uid: user, gid: user };
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', program], { cwd: '/', ...as });
    return JSON.parse(stdout) as { status: number; id?: string; body: string }[];
  }

  const HOSTS = ['127.0.0.1', '::1', '::ffff:127.0.0.1'];

  it.each(HOSTS)('the current user gets page and API over %s', async host => {
    const [page, jobs] = await callAs(undefined, host, ['/', '/api/jobs']);
    expect(page!.body).toContain(TOKEN);
    expect(jobs!.status).toBe(200);
  });

  /** Only root can switch users, and only on Linux can Studio find out who connects. */
  const canBeOther = process.platform === 'linux' && process.getuid?.() === 0;

  describe.skipIf(!canBeOther)('another user of this machine (needs root, and Linux)', () => {
    it.each(HOSTS)('gets neither page nor API over %s, even with the token', async host => {
      const answers = await callAs(NOBODY, host, ['/', '/index.html', '/api/jobs', '/nowhere']);
      expect(answers).toHaveLength(4);
      for (const { status, id, body } of answers) {
        expect([status, JSON.parse(body)]).toMatchObject([403, { error: { code: 'user_not_allowed' } }]);
        expect(id).toBeDefined();
        expect(body).not.toContain(TOKEN);
      }
    });
  });
});

describe('a launch', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-launch-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const env = () => ({ SVC_HOME: join(folder, 'home'), SVC_CLOUD_URL: 'http://localhost:1' });
  const launch = (
    ports: number[] = [0],
    clock: Clock = realClock,
    project = folder,
  ): Promise<RunningStudio> =>
    runStudio({
      folder: project,
      clock,
      openSession: async () => openSession({ folder: project, env: env(), clock }),
      env: env(),
      ports,
      log: () => {},
    });
  const path = () => join(folder, '.svc', 'studio.json');
  const readStudio = async () => JSON.parse(await readFile(path(), 'utf8'));

  it('writes .svc/studio.json for this user only, and removes it when it closes', async () => {
    const served = await launch();
    expect(await readStudio()).toEqual({ url: served.url, token: served.token, pid: process.pid });
    expect(served.url).toBe(`http://localhost:${served.port}`);
    expect((await stat(path())).mode & 0o777).toBe(0o600);
    expect(await (await connectStudio({ cwd: folder })).listJobs()).toEqual({ jobs: [] });
    await served.close();
    await expect(stat(path())).rejects.toThrow('ENOENT');
    await expect(fetch(served.url)).rejects.toThrow();
  });

  it('listens on loopback addresses only', async () => {
    const { url, port, close } = await launch();
    expect((await fetch(url)).status).toBeLessThan(500);
    const others = Object.values(networkInterfaces())
      .flatMap(found => found ?? [])
      .filter(({ internal, scopeid }) => !internal && !scopeid)
      .map(({ address }) => address);
    // On Linux all of 127.0.0.0/8 is loopback.
    if (process.platform === 'linux') others.push('127.0.0.2');
    for (const address of others)
      await expect(once(connect(port, address), 'connect')).rejects.toThrow('ECONNREFUSED');
    await close();
  });

  it('has a new token, so that a tab from an earlier launch gets 403', async () => {
    const first = await launch();
    await first.close();
    const second = await launch([first.port]);
    expect(second.token).not.toBe(first.token);
    const status = async (token: string) =>
      (await fetch(`${second.url}/api/jobs`, { headers: { 'x-svc-studio-token': token } })).status;
    expect([await status(first.token), await status(second.token)]).toEqual([403, 200]);
    await second.close();
  });

  it('leaves the file of another one, and is found again after later ones have ended, in any order', async () => {
    const clock = createVirtualClock();
    const [first, second, third] = [await launch([0], clock), await launch(), await launch()];
    await second.close();
    expect(await readStudio()).toMatchObject({ token: third.token });
    third.abandon();
    await expect(stat(path())).rejects.toThrow('ENOENT');
    await third.close();
    await clock.pass(1000);
    await until(() => readStudio().catch(() => null)).toMatchObject({ token: first.token });
    await first.close();
    await expect(stat(path())).rejects.toThrow('ENOENT');
  });

  async function leave(content: object | string): Promise<void> {
    await mkdir(dirname(path()), { recursive: true });
    await writeFile(path(), typeof content === 'string' ? content : JSON.stringify(content));
  }
  const STALE = { url: 'http://localhost:1', token: 't', pid: 2 ** 30 };

  it.each([
    ['deleted', () => rm(path())],
    ['damaged', () => leave('{')],
    ['left by a killed process', () => leave(STALE)],
  ])('restores its file when it is %s', async (_, damage) => {
    const clock = createVirtualClock();
    const served = await launch([0], clock);
    await damage();
    await clock.pass(1000);
    await until(() => readStudio().catch(() => null)).toMatchObject({ token: served.token });
    expect((await stat(path())).mode & 0o777).toBe(0o600);
    await served.close();
  });

  it.each([
    ['moved', (from: string) => rename(from, `${from}-moved`)],
    ['deleted', (from: string) => rm(from, { recursive: true })],
  ])('does not make the folder of its project again when it is %s', async (how, lose) => {
    const clock = createVirtualClock();
    const project = join(folder, 'projects', how);
    await mkdir(project, { recursive: true });
    const served = await launch([0], clock, project);
    await lose(dirname(project));
    await clock.pass(1000);
    // Waits for the look that has begun.
    await served.close();
    await expect(stat(dirname(project))).rejects.toThrow('ENOENT');
  });

  it('tries the next port if one is taken, and throws if none is left', async () => {
    const first = await launch();
    await expect(launch([first.port])).rejects.toThrow(PortTakenError);
    expect(await readStudio()).toMatchObject({ token: first.token });
    const second = await launch([first.port, 0]);
    expect(second.port).not.toBe(first.port);
    await Promise.all([first.close(), second.close()]);
  });

  it('is not found through a file that is stale, invalid or names another host', async () => {
    const found = async () => connectStudio({ cwd: folder });
    const message = expect.stringContaining('"svc dev" is not running');
    await expect(found()).rejects.toMatchObject({ code: 'studio_unreachable', message });
    await leave(STALE);
    await expect(found()).rejects.toMatchObject({ code: 'studio_unreachable' });
    for (const wrong of [{ url: 'https://evil.com', token: 't', pid: process.pid }, '{']) {
      await leave(wrong);
      await expect(found()).rejects.toMatchObject({ code: 'state_invalid' });
    }
  });
});

describe('the user check', () => {
  const guarded = async (findUser: () => Promise<number | null>) => {
    const guard = createUserGuard(findUser);
    const fetch = (asked: Request) =>
      guard(asked).then(
        () => new Response('in'),
        error => new Response(error.code, { status: error.status }),
      );
    return listen({ fetch }, { ports: [0] });
  };
  const get = async (port: number, agent: Agent | false = false) => {
    const asking = request({ port, host: '127.0.0.1', agent }).end();
    const [answer] = (await once(asking, 'response')) as [IncomingMessage];
    return text(answer);
  };

  it.skipIf(!process.getuid)('allows the current user, root and unknown users', async () => {
    const own = process.getuid!();
    let user: number | null = null;
    const { port, close } = await guarded(async () => user);
    for (const allowed of [null, own, 0]) {
      user = allowed;
      expect(await get(port)).toBe('in');
    }
    user = own + 1;
    expect(await get(port)).toBe('user_not_allowed');
    await close();
  });

  it.skipIf(!process.getuid)('runs once per connection', async () => {
    const findUser = vi.fn(async () => process.getuid!());
    const { port, close } = await guarded(findUser);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let i = 0; i < 3; i++) await get(port, agent);
    expect(findUser).toHaveBeenCalledTimes(1);
    await get(port);
    expect(findUser).toHaveBeenCalledTimes(2);
    agent.destroy();
    await close();
  });
});

it('an API that could not be opened is told with what failed, and opened by the next request', async () => {
  let opened = 0;
  const test = await openStudio(
    {},
    {
      openSession: () => {
        if (opened++ === 0) throw new Error('The disk is gone.');
        return Promise.resolve(openSession({ folder: test.folder, env: { SVC_HOME: test.home } }));
      },
    },
  );
  const [first, second] = [
    await test.json('GET', '/api/openapi.json'),
    await test.json('GET', '/api/openapi.json'),
  ];
  expect(first).toMatchObject({ status: 500, code: 'internal_error' });
  expect(test.logged).toEqual([new Error('The disk is gone.')]);
  expect(second.status).toBe(200);
  expect(opened).toBe(2);
});
