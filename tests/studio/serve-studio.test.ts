// Studio on a real socket: raw requests, the port, and the file that scripts use to find it.
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeEventSource } from '../../lib/client/node.js';
import { type Clock, realClock } from '../../lib/clock/index.js';
import { listen, PortTakenError } from '../../lib/http/index.js';
import { connectStudio, openSession } from '../../lib/sdk/index.js';
import { type ServedStudio, serveStudio, spawnTrain } from '../../lib/studio/index.js';
import { until } from '../support/until.js';
import { createVirtualClock } from '../support/virtual-clock.js';
import { JOB_ID, openStudio, type TestStudio, TOKEN } from './open-studio.js';

describe('a listening Studio', () => {
  let test: TestStudio;
  let listening: Awaited<ReturnType<typeof listen>>;
  beforeAll(async () => {
    test = await openStudio(
      {
        streamJobEvents: () =>
          new Response(
            'id: 1\nevent: training.log\ndata: {}\n\nid: 2\nevent: end\ndata: {"status":"completed"}\n\n',
            {
              headers: { 'content-type': 'text/event-stream' },
            },
          ),
      },
      {
        startTrain: hooks =>
          spawnTrain(
            ['-e', `process.stdin; require('fs').writeFileSync('up', '1'); setInterval(() => {}, 1000)`],
            { cwd: test.folder, env: process.env },
            hooks,
          ),
      },
    );
    await test.write('web/index.html', '<head><meta name="svc-studio-token" content=""></head>');
    await test.beKnown();
    await test.writeState();
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

  it('accepts the hosts 127.0.0.1 and localhost over IPv4 and IPv6', async () => {
    for (const address of ['127.0.0.1', '::1']) {
      for (const host of ['localhost', `localhost:${listening.port}`, '127.0.0.1:1']) {
        expect(await raw(['GET / HTTP/1.1', `Host: ${host}`, close], address)).toMatch(
          new RegExp(`^HTTP/1.1 200 [\\s\\S]*content="${TOKEN}"`),
        );
      }
    }
  });

  it('answers a client that closes its side after its request', async () => {
    const socket = connect(listening.port, '127.0.0.1');
    socket.end('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 .*<\/head>/s);
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

  it('accepts the absolute form of its own URL', async () => {
    const answer = await raw(['GET http://localhost/ HTTP/1.1', 'Host: localhost', close]);
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
  });

  it.each([
    '//api/jobs',
    '/%61pi/jobs',
    '/x/../api/jobs',
    '/./api/jobs',
    '\\api\\jobs',
    '/api/jobs/x/events/../../../deployments?studioToken=TOKEN',
    'http://localhost/api/jobs?studioToken=TOKEN',
    '/api/jobs#?studioToken=TOKEN',
    '*',
  ])('refuses API calls without the token for any spelling of the URL: %s', async path => {
    const target = path.replace('TOKEN', TOKEN);
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'PATCH']) {
      const answer = await raw([
        `${method} ${target} HTTP/1.1`,
        'Host: localhost',
        'Content-Length: 0',
        close,
      ]);
      expect(answer).toMatch(/^HTTP\/1\.1 (400|403) /);
      expect(answer).not.toContain('"jobs"');
    }
  });

  it('opens the output of a run before anything is printed, and continues the run without a reader', async () => {
    const { url } = listening;
    const leaving = new AbortController();
    const headers = { 'x-svc-studio-token': TOKEN };
    const started = await fetch(`${url}/api/train`, { method: 'POST', headers, signal: leaving.signal });
    expect(started.status).toBe(200);
    const following = await fetch(`${url}/api/train/output`, { headers });
    expect(following.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    leaving.abort();
    await expect(started.text()).rejects.toThrow();
    expect(await (await fetch(`${url}/api/train`, { headers })).json()).toMatchObject({ running: true });
    await test.studio.close();
    expect(await following.text()).toBe('');
  });

  it('serves the job-event stream to an EventSource, with the token in the header or the query', async () => {
    const { url } = listening;
    const path = `/api/jobs/${JOB_ID}/events`;
    const events: string[] = [];
    const source = nodeEventSource({ baseUrl: url, token: TOKEN })(path);
    await new Promise<void>(resolve => {
      source.addEventListener('training.log', ({ data }) => void events.push(String(data)));
      source.addEventListener('end', () => resolve());
    });
    source.close();
    expect(events).toEqual(['{}']);
    const response = await fetch(`${url}${path}?studioToken=${TOKEN}`);
    expect(await response.text()).toMatch(/^retry: 3000\n\nid: 1\n/);
  });
});

describe('a launch', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-launch-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const env = () => ({ SVC_HOME: join(folder, 'home'), SVC_CLOUD_URL: 'http://localhost:1' });
  const launch = (ports: number[] = [0], clock: Clock = realClock): Promise<ServedStudio> =>
    serveStudio({
      session: openSession({ folder, env: env(), clock }),
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

  it('does not remove the file of another launch', async () => {
    const first = await launch();
    const second = await launch();
    await first.close();
    expect(await readStudio()).toMatchObject({ token: second.token });
    second.abandon();
    await expect(stat(path())).rejects.toThrow('ENOENT');
    await second.close();
  });

  it('is found again after later launches have ended, in any order', async () => {
    const clock = createVirtualClock();
    const [first, second, third] = [await launch([0], clock), await launch(), await launch()];
    await second.close();
    expect(await readStudio()).toMatchObject({ token: third.token });
    await third.close();
    await clock.pass(1000);
    await until(() => readStudio().catch(() => null)).toMatchObject({ token: first.token });
    await first.close();
    await expect(stat(path())).rejects.toThrow('ENOENT');
  });

  it.each([
    ['deleted', () => rm(path())],
    ['damaged', () => writeFile(path(), '{')],
    [
      'left by a killed process',
      () => writeFile(path(), JSON.stringify({ url: 'http://localhost:1', token: 't', pid: 2 ** 30 })),
    ],
  ])('restores its file when it is %s', async (_, damage) => {
    const clock = createVirtualClock();
    const served = await launch([0], clock);
    await damage();
    await clock.pass(1000);
    await until(() => readStudio().catch(() => null)).toMatchObject({ token: served.token });
    expect((await stat(path())).mode & 0o777).toBe(0o600);
    await served.close();
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
    await expect(connectStudio({ cwd: folder })).rejects.toMatchObject({
      code: 'studio_unreachable',
      message: expect.stringContaining('"svc dev" is not running'),
    });
    const leave = (content: object) => writeFile(path(), JSON.stringify(content));
    await leave({ url: 'http://localhost:1', token: 't', pid: 2 ** 30 });
    await expect(connectStudio({ cwd: folder })).rejects.toMatchObject({ code: 'studio_unreachable' });
    await leave({ url: 'https://evil.com', token: 't', pid: process.pid });
    await expect(connectStudio({ cwd: folder })).rejects.toMatchObject({ code: 'state_invalid' });
    await writeFile(path(), '{');
    await expect(connectStudio({ cwd: folder })).rejects.toMatchObject({ code: 'state_invalid' });
  });
});
