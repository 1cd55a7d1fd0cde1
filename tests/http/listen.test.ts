import { once } from 'node:events';
import { Agent, createServer, request as httpRequest, type RequestOptions, Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { defineRoutes, json } from '../../lib/contract/index.js';
import { createApp, eventStream, type Listening, listen, PortTakenError } from '../../lib/http/index.js';
import { createVirtualClock } from '../support/virtual-clock.js';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0)) await thing.close();
});

const routes = defineRoutes({
  hello: {
    method: 'GET',
    path: '/hello',
    summary: '',
    answer: json(z.object({ host: z.nullable(z.string()) })),
  },
  stream: { method: 'GET', path: '/stream', summary: '', answer: { kind: 'events', schema: z.object({}) } },
  half: {
    method: 'POST',
    path: '/half',
    summary: '',
    body: 'bytes',
    answer: json(z.object({ ok: z.boolean() })),
  },
  echo: {
    method: 'POST',
    path: '/echo',
    summary: '',
    body: z.unknown(),
    answer: json(z.object({ ok: z.boolean() })),
  },
});

let left: Promise<void> | undefined;
const app = () =>
  createApp({ log: line => console.error(line.error) }).mount(routes, {
    hello: ({ request }) => ({ host: request.headers.get('host') }),
    stream: () => {
      let leave = () => {};
      left = new Promise(resolve => {
        leave = resolve;
      });
      return eventStream(async ({ send, signal }) => {
        signal.addEventListener('abort', leave);
        await send({ data: '1' });
        await new Promise(resolve => signal.addEventListener('abort', resolve));
      });
    },
    half: async ({ body }) => {
      for await (const _ of body) break;
      return { ok: true };
    },
    echo: () => ({ ok: true }),
  });

async function start(ports: readonly number[]): Promise<Listening> {
  const listening = await listen(app(), { ports });
  open.push(listening);
  return listening;
}

async function occupy(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  open.push({ close: () => new Promise(resolve => server.close(resolve)) });
  return (server.address() as AddressInfo).port;
}

describe('listening', () => {
  it('answers on 127.0.0.1 and ::1 at the same port', async () => {
    const { port, url, addresses } = await start([0]);
    expect(addresses).toEqual(['127.0.0.1', '::1']);
    for (const host of ['127.0.0.1', '[::1]', 'localhost']) {
      const response = await fetch(`http://${host}:${port}/hello`);
      expect(await response.json()).toEqual({ host: `${host}:${port}` });
    }
    expect(url).toBe(`http://localhost:${port}`);
  });

  it.each(['EADDRNOTAVAIL', 'EAFNOSUPPORT'])('uses only 127.0.0.1 if ::1 fails with %s', async code => {
    const { listen: original } = Server.prototype;
    const spy = vi.spyOn(Server.prototype, 'listen').mockImplementation(function (
      this: Server,
      ...args: unknown[]
    ) {
      if ((args[0] as { host?: string }).host !== '::1') return original.apply(this, args as never);
      queueMicrotask(() => this.emit('error', Object.assign(new Error(code), { code })));
      return this;
    });
    const { port, addresses } = await start([0]).finally(() => spy.mockRestore());
    expect(addresses).toEqual(['127.0.0.1']);
    expect((await fetch(`http://127.0.0.1:${port}/hello`)).status).toBe(200);
  });

  it.each(['127.0.0.1', '::1'])('tries the next port if one is taken only on %s', async host => {
    const taken = await occupy(host);
    const { port } = await start([taken, 0]);
    expect(port).not.toBe(taken);
  });

  it('names the port that is in use when there is no other', async () => {
    const taken = await occupy('127.0.0.1');
    await expect(start([taken])).rejects.toThrow(new PortTakenError([taken]));
    await expect(start([taken])).rejects.toThrow(`Port ${taken} is in use.`);
  });

  it('gives concurrent servers different ports', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => start([0])));
    expect(new Set(all.map(({ port }) => port)).size).toBe(8);
  });

  it('gives a port to only one of several concurrent servers', async () => {
    const { port, close } = await start([0]);
    await close();
    const all = await Promise.allSettled(Array.from({ length: 8 }, () => start([port])));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of all)
      if (one.status === 'rejected') expect(one.reason).toEqual(new PortTakenError([port]));
  });

  it('refuses a port that browsers block', async () => {
    await expect(start([6000])).rejects.toThrow('Port 6000 cannot be used');
    await expect(fetch('http://[::1]:6000/')).rejects.toThrow();
    await expect(start([6000])).rejects.toThrow('Port 6000 cannot be used');
  });

  it('notices when a client disconnects', async () => {
    const { port } = await start([0]);
    const aborter = new AbortController();
    const response = await fetch(`http://127.0.0.1:${port}/stream`, { signal: aborter.signal });
    await response.body!.getReader().read();
    aborter.abort();
    await left;
  });

  it('closes with streams still open', async () => {
    const listening = await start([0]);
    const response = await fetch(`http://127.0.0.1:${listening.port}/stream`);
    const reader = response.body!.getReader();
    await reader.read();
    await listening.close();
    await expect(reader.read()).rejects.toThrow();
    await expect(fetch(`http://127.0.0.1:${listening.port}/hello`)).rejects.toThrow();
  });

  it('lets open answers go on for as long as it is told to, then cuts them', async () => {
    const clock = createVirtualClock();
    const listening = await listen(app(), { ports: [0], clock });
    const response = await fetch(`http://127.0.0.1:${listening.port}/stream`);
    const reader = response.body!.getReader();
    await reader.read();
    let isClosed = false;
    const closed = listening.close(3000).then(() => {
      isClosed = true;
    });
    await clock.pass(2999);
    expect(isClosed).toBe(false);
    await clock.pass(1);
    await closed;
    await expect(reader.read()).rejects.toThrow();
  });

  it('answers 413 before a huge body is sent completely', async () => {
    const { port } = await start([0]);
    const request = httpRequest({ port, host: '127.0.0.1', path: '/echo', method: 'POST' });
    request.setHeader('content-type', 'application/json');
    request.setHeader('content-length', 100 * 1024 ** 2);
    request.on('error', () => {});
    request.write('[');
    const [response] = (await once(request, 'response')) as [import('node:http').IncomingMessage];
    expect(response.statusCode).toBe(413);
    request.destroy();
  });

  it.each(['127.0.0.1', '[::1]'])(
    'answers 413 to a huge chunked body, then the next request on the connection, on %s',
    async host => {
      const { port } = await start([0]);
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      open.push({ close: () => agent.destroy() });
      const send = (options: RequestOptions, body: string[]) =>
        new Promise<number>((resolve, reject) => {
          const request = httpRequest(
            { agent, port, host: host.replace(/[[\]]/g, ''), ...options },
            response => {
              response.resume().on('end', () => resolve(response.statusCode ?? 0));
            },
          );
          request.on('error', reject);
          for (const part of body) request.write(part);
          request.end();
        });
      const huge = Array.from({ length: 12 }, () => 'x'.repeat(1024 ** 2));
      const headers = { 'content-type': 'application/json' };
      for (let i = 0; i < 3; i++) {
        expect(await send({ method: 'POST', path: '/echo', headers }, huge)).toBe(413);
        expect(await send({ method: 'GET', path: '/hello' }, [])).toBe(200);
      }
    },
  );

  it('survives a handler that leaves its upload unread', async () => {
    const { port } = await start([0]);
    for (const host of ['127.0.0.1', '[::1]']) {
      const response = await fetch(`http://${host}:${port}/half`, {
        method: 'POST',
        body: new Blob([new Uint8Array(3 * 1024 ** 2)]).stream(),
        duplex: 'half',
        headers: { 'content-type': 'application/octet-stream' },
      } as RequestInit);
      expect(await response.json()).toEqual({ ok: true });
      expect((await fetch(`http://${host}:${port}/hello`)).status).toBe(200);
    }
  });

  it('survives invalid HTTP', async () => {
    const { port } = await start([0]);
    const socket = connect(port, '127.0.0.1');
    socket.end('\x00\x01garbage\r\n\r\n');
    await once(socket.resume(), 'close');
    expect((await fetch(`http://127.0.0.1:${port}/hello`)).status).toBe(200);
  });
});
