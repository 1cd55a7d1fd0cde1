// Callers that take more connections than the process may open files, in every way to hold one.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectSecurely } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defineRoutes } from '../../lib/contract/index.js';
import { mostConnections, openFileLimit } from '../../lib/http/connections.js';
import { createApp, eventStream, listen } from '../../lib/http/index.js';
import type { Listening } from '../../lib/http/listen.js';
import { createCertificate } from '../engine/train/data/certificate.js';
import { askRaw, readAnswer, refusedWith } from '../support/raw-answer.js';
import { until } from '../support/until.js';
import { createGate, EMPTY, EVENTS, get, post } from './support/routes.js';

const routes = defineRoutes({
  quick: get('/quick', EMPTY),
  health: get('/health', EMPTY),
  slow: get('/slow', EMPTY),
  upload: post('/upload', 'bytes', EMPTY),
  events: get('/events', EVENTS),
});

const OPEN_FILES = 160;
const MOST = mostConnections(OPEN_FILES);
const MANY = 3 * MOST;
const tls = createCertificate('localhost');

let listening: Listening;
let sockets: Socket[];
/** When slow requests are answered. */
let released: ReturnType<typeof createGate>;
/** Called when a slow request is here. */
let onSlow: () => void;
beforeEach(() => {
  sockets = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await listening?.close();
});

async function start({ openFiles = OPEN_FILES, isSecure = false } = {}): Promise<void> {
  released = createGate();
  const app = createApp({ log: () => {} }).mount(routes, {
    quick: () => ({}),
    health: () => ({}),
    slow: async () => {
      onSlow();
      await released.opened;
      return {};
    },
    upload: async ({ body }) => {
      for await (const _ of body);
      return {};
    },
    events: () =>
      eventStream(async ({ send, signal }) => {
        await send({ data: '1' });
        await once(signal, 'abort');
      }),
  });
  const options = { openFiles, vital: ['/health'], ...(isSecure && { tls }) };
  listening = await listen(app, { ports: [0], ...options });
}

const headOf = (path: string, ...lines: string[]) =>
  [`GET ${path} HTTP/1.1`, 'Host: localhost', ...lines, '', ''].join('\r\n');
const UPLOAD = 'POST /upload HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/octet-stream';
const ask = (path: string) => askRaw(listening.port, headOf(path, 'Connection: close'));

/** Opens a connection and sends the bytes. Resolves once the server has it. */
async function hold(bytes: string, isSecure = false): Promise<Socket> {
  const at = { port: listening.port, host: sockets.length % 2 ? '127.0.0.1' : '::1' };
  const socket = isSecure ? connectSecurely({ ...at, rejectUnauthorized: false }) : connect(at);
  sockets.push(socket.on('error', () => {}));
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}

const countOpen = () => sockets.filter(({ destroyed, readableEnded }) => !destroyed && !readableEnded).length;

describe('callers are answered while others hold', () => {
  it.each([
    ['connections without a request', ''],
    ['connections with half a head', 'GET /quick HTTP/1.1\r\nHost: loc'],
    ['bodies that do not end', `${UPLOAD}\r\nContent-Length: 9\r\n\r\nx`],
    ['connections that were answered', headOf('/quick')],
  ])('%s', async (_, bytes) => {
    await start();
    for (let i = 0; i < MANY; i++) (await hold(bytes)).resume();
    expect((await ask('/quick')).status).toBe(200);
    await until(countOpen).toBeLessThanOrEqual(MOST);
    expect(sockets.at(-1)!.destroyed).toBe(false);
  });

  it('connections without a request, beside which one that was answered is kept', async () => {
    await start();
    const kept = await hold(headOf('/quick'));
    await once(kept, 'data');
    for (let i = 0; i < MANY; i++) (await hold('')).resume();
    kept.write(headOf('/quick', 'Connection: close'));
    expect(readAnswer(await text(kept)).status).toBe(200);
  });

  it('connections over TLS', async () => {
    await start({ isSecure: true });
    for (let i = 0; i < MANY; i++) (await hold(headOf('/quick'), true)).resume();
    const last = await hold(headOf('/quick', 'Connection: close'), true);
    expect(readAnswer(await text(last)).status).toBe(200);
    await until(countOpen).toBeLessThanOrEqual(MOST);
  });

  it('event streams, of which there are only so many', async () => {
    await start();
    const held = await Promise.all(Array.from({ length: MANY }, () => hold(headOf('/events'))));
    const firsts = held.map(socket => Promise.race([once(socket, 'data'), once(socket, 'close')]));
    const answers = (await Promise.all(firsts)).map(([first]) => readAnswer(String(first)));
    const streams = answers.filter(({ status }) => status === 200).length;
    expect(streams).toBeGreaterThan(MOST / 2);
    expect(streams).toBeLessThan(MOST);
    expect(listening.isFull).toBe(true);
    expect(refusedWith(await ask('/events'))).toEqual([503, 'too_many_connections']);
    expect((await ask('/quick')).status).toBe(200);
    for (const socket of sockets) socket.destroy();
    await until(() => listening.isFull).toBe(false);
    expect((await hold(headOf('/events'))).destroyed).toBe(false);
  });

  it('nothing anymore, but had asked for a stream whose turn did not come', async () => {
    await start();
    for (let i = 0; i < MOST; i++) {
      const socket = await hold(headOf('/events').repeat(2));
      await once(socket, 'data');
      socket.resetAndDestroy();
    }
    await until(() => listening.isFull).toBe(false);
    for (let i = 0; i < 2; i++) {
      const [first] = await once(await hold(headOf('/events')), 'data');
      expect(readAnswer(String(first)).status).toBe(200);
    }
  });
});

describe('while all that may be are being answered', () => {
  beforeEach(async () => {
    await start();
    for (let i = 0; i < MOST && !listening.isFull; i++) {
      const arrival = createGate();
      onSlow = arrival.open;
      await hold(headOf('/slow'));
      await arrival.opened;
    }
  });

  it('requests are refused, except the vital ones, also beside many idle connections', async () => {
    expect(refusedWith(await ask('/quick'))).toEqual([503, 'too_many_connections']);
    expect((await ask('/quick')).headers['retry-after']).toBe('2');
    expect((await ask('/health?now')).status).toBe(200);
    for (let i = 0; i < MANY; i++) (await hold('')).resume();
    expect((await ask('/health')).status).toBe(200);
    expect(refusedWith(await ask('/quick'))).toEqual([503, 'too_many_connections']);
  });

  it('none of their answers is lost', async () => {
    const answers = sockets.map(async socket => String((await once(socket, 'data'))[0]));
    for (let i = 0; i < MANY; i++) (await hold('')).resume();
    released.open();
    for (const answer of await Promise.all(answers)) expect(readAnswer(answer).status).toBe(200);
    expect((await ask('/quick')).status).toBe(200);
  });
});

it('without a limit of files, all requests are answered', async () => {
  await start({ openFiles: Number.POSITIVE_INFINITY });
  expect((await ask('/quick')).status).toBe(200);
  const [first] = await once(await hold(headOf('/events')), 'data');
  expect(String(first)).toMatch(/^HTTP\/1\.1 200 /);
  expect(listening.isFull).toBe(false);
});

it('the files that a process may open are for its own, for connections and for requests', async () => {
  const limits = [64, 1024, 20_000, Number.POSITIVE_INFINITY].map(mostConnections);
  expect(limits).toEqual([32, 480, 15_840, Number.POSITIVE_INFINITY]);
  const told = execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim();
  expect(await openFileLimit()).toBe(told === 'unlimited' ? Number.POSITIVE_INFINITY : Number(told));
});
