// Clients that send slowly, stop midway or never start.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { defineRoutes, json } from '../../lib/contract/index.js';
import { createApp, listen } from '../../lib/http/index.js';
import type { Listening } from '../../lib/http/listen.js';
import { applyLimits, SERVER_LIMITS, type ServerLimits } from '../../lib/http/server-limits.js';
import { readAnswer, refusedWith } from '../support/raw-answer.js';
import { until } from '../support/until.js';
import { createVirtualClock } from '../support/virtual-clock.js';
import { createGate, EMPTY, post } from './support/routes.js';

const routes = defineRoutes({
  upload: post('/upload', 'bytes', json(z.object({ bytes: z.number() }))),
  note: post('/note', z.record(z.string(), z.unknown()), EMPTY),
});

let listening: Listening | undefined;
let clock: ReturnType<typeof createVirtualClock>;
/** When the body of an upload is read. */
let mayRead: Promise<unknown>;
beforeEach(() => {
  clock = createVirtualClock();
  mayRead = Promise.resolve();
});
afterEach(() => listening?.close());

const { bodyIdleMs } = SERVER_LIMITS;

async function start(limits: Partial<ServerLimits> = {}): Promise<void> {
  const app = createApp({ log: () => {}, clock }).mount(routes, {
    async upload({ body }) {
      await mayRead;
      let bytes = 0;
      for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) bytes += chunk.byteLength;
      return { bytes };
    },
    note: () => ({}),
  });
  listening = await listen(app, { host: '::1', ports: [0], limits });
}

/** Until it waits for the next part of a body: all that was sent is read. */
const reads = () => until(() => clock.nextMs).toBe(bodyIdleMs);

function begin(path: string, type: string, length: number, extra = ''): Socket {
  const socket = connect(listening!.port, '::1');
  const headers = `Host: localhost\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n${extra}\r\n`;
  socket.write(`POST ${path} HTTP/1.1\r\n${headers}`);
  return socket;
}

const OCTETS = 'application/octet-stream';

describe('a body', () => {
  it('may take longer in total than the idle limit', async () => {
    await start();
    const socket = begin('/upload', OCTETS, 4, 'Connection: close\r\n');
    const answer = text(socket);
    for (let i = 0; i < 4; i++) {
      await reads();
      await clock.pass(bodyIdleMs - 1);
      socket.write('x');
    }
    const body = expect.stringContaining('{"bytes":4}');
    expect(readAnswer(await answer)).toMatchObject({ status: 200, body });
  });

  it.each([
    ['/upload', OCTETS],
    ['/note', 'application/json'],
  ])('that stops midway is answered with 408, and the connection closes: %s', async (path, type) => {
    await start();
    const socket = begin(path, type, 100);
    await reads();
    await clock.pass(bodyIdleMs - 1);
    socket.write('{"a"');
    await reads();
    await clock.pass(bodyIdleMs);
    expect(refusedWith(readAnswer(await text(socket)))).toEqual([408, 'request_timeout']);
  });

  it('that the handler reads late does not time out', async () => {
    await start();
    const { opened, open } = createGate();
    mayRead = opened;
    const socket = begin('/upload', OCTETS, 3, 'Connection: close\r\n');
    socket.write('abc');
    await clock.pass(3_600_000);
    open();
    expect(readAnswer(await text(socket)).status).toBe(200);
  });

  it('that stops after it was refused does not keep the connection open', async () => {
    await start({ keepAliveMs: 50 });
    const socket = begin('/nowhere', OCTETS, 100);
    expect(refusedWith(readAnswer(await text(socket)))).toEqual([404, 'unknown_url']);
  });
});

it('sets no time limit on a whole request', () => {
  const server = createServer();
  applyLimits(server, SERVER_LIMITS);
  expect([server.requestTimeout, server.headersTimeout]).toEqual([0, SERVER_LIMITS.headersMs]);
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
  await start({ headersMs: 50, checkEveryMs: 20 });
  const socket = connect(listening!.port, '::1');
  expect(refusedWith(readAnswer(await text(socket)))).toEqual([408, 'request_timeout']);
});

it('closes an idle connection after the keep-alive time', async () => {
  await start({ keepAliveMs: 50 });
  const socket = connect(listening!.port, '::1');
  socket.write('GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(socket, 'data');
  await once(socket.resume(), 'close');
});
