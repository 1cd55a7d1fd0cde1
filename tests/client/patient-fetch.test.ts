// A fetch of our own, next to the platform's.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import dns from 'node:dns';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createPatientFetch } from '../../lib/client/patient-fetch.js';
import { listening } from '../support/listening.js';
import { startSilentServer } from '../support/silent-server.js';
import { until } from '../support/until.js';
import { createVirtualClock } from '../support/virtual-clock.js';

const limits = { connectMs: 5000, idleMs: 5000, workMs: 5000 };
const patient = createPatientFetch(limits);

const serve = (answer: (request: IncomingMessage, response: ServerResponse) => unknown) =>
  listening(createServer(answer));

const mirror = async (request: IncomingMessage, response: ServerResponse) => {
  const { method, url, headers } = request;
  response.setHeader('x-twice', ['a', 'b']);
  response.end(JSON.stringify({ method, url, headers, body: await text(request) }));
};

describe.each([
  ['the platform', fetch],
  ['our own', patient],
])('the fetch of %s', (_, call) => {
  it.each([
    ['text', () => 'grüß', '6'],
    ['bytes', () => new TextEncoder().encode('grüß'), '6'],
    ['a blob', () => new Blob(['grüß']), '6'],
    ['a stream', () => new Blob(['grüß']).stream(), undefined],
  ])('sends %s', async (_name, body, length) => {
    const url = await serve(mirror);
    const init = { method: 'POST', headers: { 'content-type': 'x/y' }, body: body(), duplex: 'half' };
    const response = await call(`${url}/a?b=c`, init as RequestInit);
    const { headers, ...rest } = (await response.json()) as { headers: Record<string, string> };
    expect(rest).toEqual({ method: 'POST', url: '/a?b=c', body: 'grüß' });
    expect([headers['content-type'], headers['content-length']]).toEqual(['x/y', length]);
    expect(response.headers.get('x-twice')).toBe('a, b');
  });

  it('follows no redirect, and has no body where there is none', async () => {
    const headers = { location: 'http://127.0.0.1:1/', etag: '"1"' };
    const url = await serve(({ url }, response) => response.writeHead(Number(url!.slice(1)), headers).end());
    const moved = await call(`${url}/302`, { redirect: 'manual' });
    expect([moved.status, moved.headers.get('location')]).toEqual([302, 'http://127.0.0.1:1/']);
    for (const status of [204, 304]) {
      const response = await call(`${url}/${status}`);
      expect([response.status, response.body, response.headers.get('etag')]).toEqual([status, null, '"1"']);
    }
  });

  it('ends with its signal, before the answer and in it', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/begun') response.write('x');
    });
    const before = new AbortController();
    const call1 = call(`${url}/silent`, { signal: before.signal });
    before.abort();
    await expect(call1).rejects.toThrow('abort');
    await expect(call(`${url}/silent`, { signal: before.signal })).rejects.toThrow('abort');
    const within = new AbortController();
    const response = await call(`${url}/begun`, { signal: within.signal });
    within.abort();
    await expect(response.text()).rejects.toThrow('abort');
  });

  it('hangs up when the body is left', async () => {
    let isLeft = false;
    const url = await serve((_request, response) => response.on('close', () => (isLeft = true)).write('x'));
    const reader = (await call(url)).body!.getReader();
    await reader.read();
    await reader.cancel();
    await until(() => isLeft).toBe(true);
  });

  it('says what is wrong with a connection', async () => {
    const closed = createServer();
    const at = await listening(closed);
    await once(closed.close(), 'close');
    const refused = await call(at).catch(error => error);
    expect(refused.code ?? refused.cause.code).toBe('ECONNREFUSED');
    const url = await serve(request => request.socket.destroy());
    await expect(call(url)).rejects.toThrow();
  });
});

describe('our own fetch', () => {
  it('uses a connection again', async () => {
    const connections = new Set<unknown>();
    const url = await serve(({ socket }, response) => {
      connections.add(socket);
      response.end('x');
    });
    for (let i = 0; i < 3; i++) await (await patient(url)).text();
    expect(connections.size).toBe(1);
  });

  it('reads a refusal that comes before all is sent', async () => {
    const url = await serve((_request, response) => response.writeHead(413).end('no'));
    const huge = new Blob([new Uint8Array(8 * 1024 ** 2)]).stream();
    const response = await patient(url, { method: 'POST', body: huge });
    expect([response.status, await response.text()]).toEqual([413, 'no']);
  });

  it('gives up an upload that nobody takes, and an answer that never comes', async () => {
    const silent = await startSilentServer(socket => socket.pause());
    const upload = { method: 'POST', body: new Blob([new Uint8Array(64 * 1024 ** 2)]).stream() };
    const stalled = createPatientFetch({ ...limits, idleMs: 100 })(silent.url, upload);
    await expect(stalled).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    const unanswered = createPatientFetch({ ...limits, workMs: 100 })(silent.url);
    await expect(unanswered).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    await silent.close();
  });

  it('gives up connecting after its limit', async () => {
    const lookup = vi.spyOn(dns, 'lookup').mockImplementation(() => {});
    onTestFinished(() => lookup.mockRestore());
    const clock = createVirtualClock();
    let end: unknown;
    const call = createPatientFetch(limits, clock)('http://nowhere.test').catch(error => (end = error));
    await until(() => clock.nextMs).toBe(5000);
    await clock.pass(4999);
    expect(end).toBeUndefined();
    await clock.pass(1);
    await call;
    expect(end).toMatchObject({ code: 'UND_ERR_CONNECT_TIMEOUT' });
  });

  it('has no limit of its own in an answer', async () => {
    const opened: Socket[] = [];
    const note = (message: unknown) => void opened.push((message as { socket: Socket }).socket);
    subscribe('net.client.socket', note);
    onTestFinished(() => void unsubscribe('net.client.socket', note));
    const timeouts: unknown[] = [];
    // The process may have sockets of others.
    const isOwn = ({ remotePort }: Socket) => new URL(url).port === `${remotePort}`;
    const look = () => timeouts.push(...opened.filter(isOwn).map(({ timeout }) => timeout));
    let goOn = () => {};
    const url: string = await serve((_request, response) => {
      look();
      response.write('a');
      goOn = () => response.end('b');
    });
    const response = await createPatientFetch(limits)(url);
    look();
    expect(timeouts).toEqual([limits.workMs, 0]);
    goOn();
    expect(await response.text()).toBe('ab');
  });
});
