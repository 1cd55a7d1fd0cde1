// Listening on loopback addresses or a given host, with or without TLS, and what clients then do.
import { once } from 'node:events';
import { Agent, createServer, request as httpRequest, type IncomingMessage, Server } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { defineRoutes, json } from '../../lib/contract/index.js';
import { createApp, eventStream, type LogLine, listen, PortTakenError } from '../../lib/http/index.js';
import type { ListenOptions } from '../../lib/http/listen.js';
import { createCertificate } from '../engine/train/data/certificate.js';
import { askRaw, refusedWith } from '../support/raw-answer.js';
import { createVirtualClock } from '../support/virtual-clock.js';
import { createGate, EMPTY, EVENTS, get, post } from './support/routes.js';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0)) await thing.close();
});

const routes = defineRoutes({
  hello: get('/hello', json(z.object({ url: z.string(), host: z.nullable(z.string()) }))),
  stream: get('/stream', EVENTS),
  half: post('/half', 'bytes', EMPTY),
  echo: post('/echo', z.unknown(), EMPTY),
});
const JSON_TYPE = { 'content-type': 'application/json' };
const OCTETS = { 'content-type': 'application/octet-stream' };
const tls = createCertificate('localhost');

let left: Promise<void> | undefined;
const app = () =>
  createApp({ log: line => console.error(line.error) }).mount(routes, {
    hello: ({ request }) => ({ url: request.url, host: request.headers.get('host') }),
    stream: () => {
      const gate = createGate();
      left = gate.opened;
      return eventStream(async ({ send, signal }) => {
        signal.addEventListener('abort', gate.open);
        await send({ data: '1' });
        await gate.opened;
      });
    },
    half: async ({ body }) => {
      for await (const _ of body) break;
      return {};
    },
    echo: () => ({}),
  });

async function start(options: Partial<ListenOptions> = {}) {
  const listening = await listen(app(), { ports: [0], ...options });
  open.push(listening);
  return listening;
}

async function occupy(host: string): Promise<number> {
  const server = createServer().listen({ port: 0, host, ipv6Only: host === '::1' });
  await once(server, 'listening');
  open.push({ close: () => new Promise(resolve => server.close(resolve)) });
  return (server.address() as AddressInfo).port;
}

/** What `/hello` answers there. */
async function ask(origin: string, isSecure = false): Promise<unknown> {
  const send = isSecure ? httpsRequest : httpRequest;
  const request = send(`${origin}/hello`, {
    ...(isSecure && { ca: tls.cert }),
    servername: 'localhost',
  } as object);
  const [response] = (await once(request.end(), 'response')) as [IncomingMessage];
  return JSON.parse(await text(response));
}

/** The stream of `/stream`, once it has begun. */
async function openStream(port: number, init?: RequestInit) {
  const reader = (await fetch(`http://127.0.0.1:${port}/stream`, init)).body!.getReader();
  await reader.read();
  return reader;
}

describe('listening', () => {
  it.each([
    ['http', {}],
    ['http', { host: 'localhost' }],
    ['https', { host: 'localhost', tls }],
  ])('on localhost answers %s on both loopback addresses at the same port: %j', async (scheme, options) => {
    const { port, url, addresses } = await start(options);
    expect([url, addresses]).toEqual([`${scheme}://localhost:${port}`, ['127.0.0.1', '::1']]);
    for (const host of ['127.0.0.1', '[::1]', 'localhost']) {
      const at = `${scheme}://${host}:${port}`;
      expect(await ask(at, scheme === 'https')).toEqual({ url: `${at}/hello`, host: `${host}:${port}` });
    }
    if (scheme === 'https') await expect(ask(`http://127.0.0.1:${port}`)).rejects.toThrow();
  });

  it.each([
    ['/hello', 200, 'OK'],
    ['/none', 404, 'Not Found'],
  ])('says in words what a status means: %s', async (path, status, words) => {
    const { url } = await start();
    const response = await fetch(`${url}${path}`);
    await response.body?.cancel();
    expect([response.status, response.statusText]).toEqual([status, words]);
  });

  it.each(['0.0.0.0', '::'])('on every interface has a localhost URL: %s', async host => {
    const { url, port, addresses } = await start({ host });
    expect({ url, addresses }).toEqual({ url: `http://localhost:${port}`, addresses: [host] });
    expect(await ask(`http://127.0.0.1:${port}`)).toMatchObject({ host: `127.0.0.1:${port}` });
  });

  it('on one address does not listen on others', async () => {
    const { url, port } = await start({ host: '127.0.0.1' });
    expect(url).toBe(`http://127.0.0.1:${port}`);
    await expect(ask(`http://[::1]:${port}`)).rejects.toThrow('ECONNREFUSED');
    expect((await start({ host: '::1', tls })).url).toMatch(/^https:\/\/\[::1\]:\d+$/);
  });

  it.each(['EADDRNOTAVAIL', 'EAFNOSUPPORT'])('uses only 127.0.0.1 if ::1 fails with %s', async code => {
    const { listen: original } = Server.prototype;
    const listenOrFail = function (this: Server, ...args: unknown[]) {
      if ((args[0] as { host?: string }).host !== '::1') return original.apply(this, args as never);
      queueMicrotask(() => this.emit('error', Object.assign(new Error(code), { code })));
      return this;
    };
    const spy = vi.spyOn(Server.prototype, 'listen').mockImplementation(listenOrFail);
    const { port, addresses } = await start().finally(() => spy.mockRestore());
    expect(addresses).toEqual(['127.0.0.1']);
    expect(await ask(`http://127.0.0.1:${port}`)).toBeDefined();
  });

  it.each<[taken: string, options: Partial<ListenOptions>]>([
    ['127.0.0.1', {}],
    ['::1', {}],
    ['127.0.0.1', { host: 'localhost', tls }],
    ['127.0.0.1', { host: '127.0.0.1' }],
    ['127.0.0.1', { host: '127.0.0.1', tls }],
  ])('tries the next port if one is taken on %s, and names it if none is left', async (host, options) => {
    const taken = await occupy(host);
    expect((await start({ ...options, ports: [taken, 0] })).port).not.toBe(taken);
    const starting = start({ ...options, ports: [taken] });
    await expect(starting).rejects.toThrow(new PortTakenError([taken]));
    await expect(starting).rejects.toThrow(`Port ${taken} is in use.`);
  });

  it('gives concurrent servers different ports, and a port to only one of them', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => start()));
    expect(new Set(all.map(({ port }) => port)).size).toBe(8);
    const { port, close } = all[0]!;
    await close();
    const rivals = await Promise.allSettled(Array.from({ length: 8 }, () => start({ ports: [port] })));
    const losers = rivals.filter(rival => rival.status === 'rejected');
    expect(losers.map(({ reason }) => reason)).toEqual(Array(7).fill(new PortTakenError([port])));
  });

  it('releases the IPv4 port when the IPv6 one is taken', async () => {
    const port = await occupy('::1');
    await expect(start({ tls, ports: [port] })).rejects.toThrow(PortTakenError);
    await open.pop()!.close();
    expect((await start({ tls, ports: [port] })).port).toBe(port);
  });

  it('refuses a port that browsers block, a foreign address and an invalid certificate', async () => {
    const blocked = 'Port 6000 cannot be used';
    await expect(start({ ports: [6000] })).rejects.toThrow(blocked);
    await expect(fetch('http://[::1]:6000/')).rejects.toThrow();
    await expect(start({ ports: [6000] })).rejects.toThrow(blocked);
    const foreign = '203.0.113.1 is not an address on this machine.';
    await expect(start({ host: '203.0.113.1' })).rejects.toThrow(foreign);
    await expect(start({ host: 'localhost', tls: { cert: 'x', key: 'y' } })).rejects.toThrow();
  });

  it.each([
    [
      'EACCES',
      'Port 443 is not allowed to this user (EACCES). Choose another one, such as one from 1024 on.',
    ],
    [
      'ENOTFOUND',
      'The host name nowhere is unknown here (ENOTFOUND). Use an address or a name of this machine.',
    ],
    [
      'EAI_AGAIN',
      'The host name nowhere is unknown here (EAI_AGAIN). Use an address or a name of this machine.',
    ],
    ['EMFILE', 'listen'],
  ])('says in words why it cannot: %s', async (code, message) => {
    const listening = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server) {
      process.nextTick(() => this.emit('error', Object.assign(new Error('listen'), { code })));
      return this;
    });
    await expect(start({ host: 'nowhere', ports: [443] }))
      .rejects.toMatchObject({ message })
      .finally(() => listening.mockRestore());
  });

  it('answers and logs an error that the server throws', async () => {
    const error = new Error('unexpected');
    const logged: LogLine[] = [];
    const fail = () => Promise.reject(error);
    const { port, close } = await listen({ fetch: fail }, { ports: [0], log: line => logged.push(line) });
    open.push({ close });
    const answer = await askRaw(port, 'GET /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    expect(refusedWith(answer)).toEqual([500, 'internal_error']);
    expect(logged).toEqual([{ requestId: answer.headers['x-request-id'], method: 'GET', path: '/x', error }]);
  });

  it('notices when a client disconnects', async () => {
    const { port } = await start();
    const aborter = new AbortController();
    await openStream(port, { signal: aborter.signal });
    aborter.abort();
    await left;
  });

  it('closes with streams still open', async () => {
    const { port, close } = await start();
    const reader = await openStream(port);
    await close();
    await expect(reader.read()).rejects.toThrow();
    await expect(ask(`http://127.0.0.1:${port}`)).rejects.toThrow();
  });

  it('lets open answers go on for as long as it is told to, then cuts them', async () => {
    const clock = createVirtualClock();
    const { port, close } = await start({ clock });
    const reader = await openStream(port);
    let isClosed = false;
    const closed = close(3000).then(() => (isClosed = true));
    await clock.pass(2999);
    expect(isClosed).toBe(false);
    await clock.pass(1);
    await closed;
    await expect(reader.read()).rejects.toThrow();
  });

  it('answers 413 before a huge body is sent completely', async () => {
    const { port } = await start();
    const headers = { ...JSON_TYPE, 'content-length': 100 * 1024 ** 2 };
    const request = httpRequest({ port, host: '127.0.0.1', path: '/echo', method: 'POST', headers });
    request.on('error', () => {}).write('[');
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(413);
    request.destroy();
  });

  it.each(['127.0.0.1', '::1'])(
    'answers 413 to a huge chunked body, then the next request on the connection, on %s',
    async host => {
      const { port } = await start();
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      open.push({ close: () => agent.destroy() });
      const send = async (method: string, path: string, body: string[]) => {
        const request = httpRequest({ agent, port, host, method, path, headers: JSON_TYPE });
        for (const part of body) request.write(part);
        const [response] = (await once(request.end(), 'response')) as [IncomingMessage];
        await once(response.resume(), 'end');
        return response.statusCode;
      };
      const huge = Array<string>(12).fill('x'.repeat(1024 ** 2));
      for (let i = 0; i < 3; i++)
        expect([await send('POST', '/echo', huge), await send('GET', '/hello', [])]).toEqual([413, 200]);
    },
  );

  it.each(['127.0.0.1', '[::1]'])('survives a handler that leaves its upload unread on %s', async host => {
    const at = `http://${host}:${(await start()).port}`;
    const body = new Blob([new Uint8Array(3 * 1024 ** 2)]).stream();
    const init = { method: 'POST', body, duplex: 'half', headers: OCTETS } as RequestInit;
    expect((await fetch(`${at}/half`, init)).status).toBe(200);
    expect((await fetch(`${at}/hello`)).status).toBe(200);
  });
});
