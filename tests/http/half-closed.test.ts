// Clients that close their side of the connection: some wait for their answer, some have left.
import { once } from 'node:events';
import { connect } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventStream, listen } from '../../lib/http/index.js';
import type { Listening } from '../../lib/http/listen.js';
import { createCertificate } from '../engine/train/data/certificate.js';
import { passUntil } from '../support/pass-until.js';
import { until } from '../support/until.js';
import { createVirtualClock } from '../support/virtual-clock.js';
import { createGate } from './support/routes.js';

const tls = createCertificate('localhost');

let clock: ReturnType<typeof createVirtualClock>;
let listening: Listening;
/** Lets the answer go on. */
let release: ReturnType<typeof createGate>;
/** The requests that are here. */
let asked: Request[];
beforeEach(() => {
  clock = createVirtualClock();
});
afterEach(async () => {
  const closed = listening.close();
  await clock.pass(0);
  await closed;
  expect(clock.waiting).toBe(0);
});

async function start(isSecure: boolean): Promise<void> {
  asked = [];
  release = createGate();
  const fetch = async (request: Request): Promise<Response> => {
    asked.push(request);
    const left = once(request.signal, 'abort');
    const { pathname } = new URL(request.url);
    if (pathname === '/plain') {
      await Promise.race([release.opened, left]);
      return new Response('all of it');
    }
    if (pathname === '/stuck')
      return new Response(new ReadableStream({ start: body => body.enqueue(Buffer.from('begun')) }));
    return eventStream(async ({ send, sendBytes, signal }) => {
      if (pathname === '/split') await sendBytes(Buffer.from('data: fi'));
      else await send({ data: 'first' });
      await Promise.race([release.opened, once(signal, 'abort')]);
      if (pathname === '/split') await sendBytes(Buffer.from('rst\n\n'));
      else await send({ data: 'last' });
    });
  };
  listening = await listen({ fetch }, { ports: [0], clock, ...(isSecure && { tls }) });
}

function open(isSecure: boolean, path: string, version = '1.1', requests = 1) {
  const at = { port: listening.port, host: '127.0.0.1', allowHalfOpen: true };
  const socket = isSecure ? connectSecurely({ ...at, ca: tls.cert, servername: 'localhost' }) : connect(at);
  socket.write(`GET ${path} HTTP/${version}\r\nHost: localhost\r\n\r\n`.repeat(requests));
  const ended = once(socket, 'end');
  ended.catch(() => {});
  let unread = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    unread += part;
  });
  const take = () => {
    const taken = unread;
    unread = '';
    return taken;
  };
  return {
    socket,
    /** Waits until the text has come, and returns everything up to then. */
    async readTo(wanted: string): Promise<string> {
      while (!unread.includes(wanted)) await once(socket, 'data');
      return take();
    },
    async readRest(): Promise<string> {
      await ended;
      return take();
    },
  };
}

/** How often a client that has closed its side is sent something. */
const PROBE_MS = 400;
/** Until the server knows that the client has closed its side. */
const noticed = () => until(() => clock.nextMs).toBe(PROBE_MS);
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

describe.each([
  ['HTTP', false],
  ['HTTPS', true],
])('over %s, a client that closed its side', (_, isSecure) => {
  it('gets its answer, however long that takes', async () => {
    await start(isSecure);
    const { socket, readTo, readRest } = open(isSecure, '/plain');
    socket.end();
    await noticed();
    await clock.pass(PROBE_MS);
    expect(await readTo(CONTINUE)).toMatch(/^HTTP\/1\.1 100 /);
    release.open();
    expect(await readRest()).toMatch(/HTTP\/1\.1 200 .*all of it\r\n0\r\n\r\n$/s);
  });

  it('gets the rest of an event stream', async () => {
    await start(isSecure);
    const { socket, readTo, readRest } = open(isSecure, '/events');
    await readTo('data: first\n\n');
    socket.end();
    await noticed();
    await clock.pass(PROBE_MS);
    await readTo('3\r\n:\n\n\r\n');
    release.open();
    expect(await readRest()).toMatch(/data: last\n\n\r\n0\r\n\r\n$/s);
  });

  it.each(['/plain', '/events'])('is noticed when it has left: %s', async path => {
    await start(isSecure);
    const { socket, readTo } = open(isSecure, path);
    if (path === '/events') await readTo('data: first\n\n');
    else await until(() => asked.length).toBe(1);
    const left = once(asked[0]!.signal, 'abort');
    socket.destroy();
    // At once where the connection ends with it, and otherwise by what the server sends.
    await passUntil(clock, left);
  });
});

it('is noticed when it has left, also by a later request that waits for its turn', async () => {
  await start(false);
  const { socket, readTo } = open(false, '/events', '1.1', 2);
  await readTo('data: first\n\n');
  await until(() => asked.length).toBe(2);
  const left = asked.map(({ signal }) => once(signal, 'abort'));
  socket.destroy();
  await passUntil(clock, Promise.all(left));
});

it.each([
  ['an event that is sent in parts has no comment in it', '/split', '1.1', 'fi', /^(\r\n)?5\r\nrst\n\n\r\n/],
  ['a client of HTTP/1.0 gets nothing but its answer', '/plain', '1.0', '', /^HTTP\/1\.1 200 .*all of it$/s],
])('%s', async (_, path, version, begun, rest) => {
  await start(false);
  const { socket, readTo, readRest } = open(false, path, version);
  if (begun) await readTo(`data: ${begun}`);
  socket.end();
  await noticed();
  await clock.pass(3 * PROBE_MS);
  release.open();
  expect(await readRest()).toMatch(rest);
});

it('costs no timer for an answer that it already has', async () => {
  await start(false);
  release.open();
  const { socket, readTo } = open(false, '/plain');
  await readTo('\r\n0\r\n\r\n');
  socket.write('GET /stuck HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await readTo('begun');
  socket.end();
  await noticed();
  expect(clock.waiting).toBe(1);
});

it('is cut when its answer stops in the middle, where nothing can be sent, after four seconds', async () => {
  await start(false);
  const { socket, readTo } = open(false, '/stuck');
  await readTo('begun');
  socket.end();
  await noticed();
  let isCut = false;
  const cut = once(socket.resume(), 'close').then(() => (isCut = true));
  await clock.pass(3999);
  expect(isCut).toBe(false);
  await clock.pass(1);
  await cut;
});
