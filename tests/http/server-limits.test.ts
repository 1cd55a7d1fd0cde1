// Clients that send slowly, stop midway or never start.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { defineRoutes, json } from '../../lib/contract/index.js';
import { createApp, type Listening, listen, type ServerLimits } from '../../lib/http/index.js';
import { applyLimits, SERVER_LIMITS } from '../../lib/http/server-limits.js';
import { readAnswer, refusedWith } from '../support/raw-answer.js';

const routes = defineRoutes({
  upload: {
    method: 'POST',
    path: '/upload',
    summary: '',
    body: 'bytes',
    answer: json(z.object({ bytes: z.number() })),
  },
  note: {
    method: 'POST',
    path: '/note',
    summary: '',
    body: z.record(z.string(), z.unknown()),
    answer: json(z.object({})),
  },
});

let listening: Listening | undefined;
afterEach(() => listening?.close());

const pauseBeforeReading = new Map<string, number>();

async function start(bodyIdleMs: number, limits: Partial<ServerLimits> = {}): Promise<void> {
  const app = createApp({ log: () => {}, bodyIdleMs }).mount(routes, {
    async upload({ body, request }) {
      await pause(pauseBeforeReading.get(request.headers.get('x-name') ?? '') ?? 0);
      let bytes = 0;
      for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) bytes += chunk.byteLength;
      return { bytes };
    },
    note: () => ({}),
  });
  listening = await listen(app, { host: '::1', ports: [0], limits });
}

function begin(path: string, type: string, length: number, extra = ''): Socket {
  const socket = connect(listening!.port, '::1');
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n${extra}\r\n`,
  );
  return socket;
}

const OCTETS = 'application/octet-stream';

describe('a body', () => {
  it('may take longer in total than the idle limit', async () => {
    await start(1000);
    const socket = begin('/upload', OCTETS, 6, 'Connection: close\r\n');
    const answer = text(socket);
    for (let i = 0; i < 6; i++) {
      socket.write('x');
      await pause(200);
    }
    expect(readAnswer(await answer)).toMatchObject({
      status: 200,
      body: expect.stringContaining('{"bytes":6}'),
    });
  });

  it.each([
    ['/upload', OCTETS],
    ['/note', 'application/json'],
  ])('that stops midway is answered with 408, and the connection closes: %s', async (path, type) => {
    await start(50);
    const socket = begin(path, type, 100);
    socket.write('{"a"');
    expect(refusedWith(readAnswer(await text(socket)))).toEqual([408, 'request_timeout']);
  });

  it('that the handler reads late does not time out', async () => {
    await start(60);
    pauseBeforeReading.set('slow', 300);
    const socket = begin('/upload', OCTETS, 3, 'X-Name: slow\r\nConnection: close\r\n');
    socket.write('abc');
    expect(readAnswer(await text(socket)).status).toBe(200);
  });

  it('that stops after it was refused does not keep the connection open', async () => {
    await start(60_000, { keepAliveMs: 50 });
    const socket = begin('/nowhere', OCTETS, 100);
    expect(refusedWith(readAnswer(await text(socket)))).toEqual([404, 'unknown_url']);
  });
});

it('sets no time limit on a whole request', () => {
  const server = createServer();
  applyLimits(server, SERVER_LIMITS);
  expect(server.requestTimeout).toBe(0);
  expect(server.headersTimeout).toBe(SERVER_LIMITS.headersMs);
});

it('enables TCP keep-alive', () => {
  const server = createServer();
  applyLimits(server, SERVER_LIMITS);
  const socket = new Socket();
  const keepAlive = vi.spyOn(socket, 'setKeepAlive');
  server.emit('connection', socket);
  expect(keepAlive).toHaveBeenCalledWith(true, SERVER_LIMITS.probeAfterMs);
  socket.destroy();
});

it('closes a connection that never sends anything', async () => {
  await start(60_000, { headersMs: 50, checkEveryMs: 20 });
  const socket = connect(listening!.port, '::1');
  expect(refusedWith(readAnswer(await text(socket)))).toEqual([408, 'request_timeout']);
});

it('closes an idle connection after the keep-alive time', async () => {
  await start(60_000, { keepAliveMs: 50 });
  const socket = connect(listening!.port, '::1');
  socket.write('GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(socket, 'data');
  await once(socket.resume(), 'close');
});
