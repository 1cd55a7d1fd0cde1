// Clients that close their side of the connection: some wait for their answer, some have left.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectSecurely } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { eventStream, type Listening, listen } from '../../lib/http/index.js';
import { createCertificate } from '../engine/train/data/certificate.js';
import { until } from '../support/until.js';

const tls = createCertificate('localhost');

let listening: Listening;
/** Lets the answer go on. */
let release: () => void;
/** The requests that are here. */
let asked: Request[];
afterEach(() => listening.close());

async function start(isSecure: boolean): Promise<void> {
  asked = [];
  const released = new Promise<void>(resolve => {
    release = resolve;
  });
  const fetch = async (request: Request): Promise<Response> => {
    asked.push(request);
    const left = once(request.signal, 'abort');
    const { pathname } = new URL(request.url);
    if (pathname === '/plain') {
      await Promise.race([released, left]);
      return new Response('all of it');
    }
    return eventStream(async ({ send, sendBytes, signal }) => {
      if (pathname === '/split') await sendBytes(Buffer.from('data: fi'));
      else await send({ data: 'first' });
      await Promise.race([released, once(signal, 'abort')]);
      if (pathname === '/split') await sendBytes(Buffer.from('rst\n\n'));
      else await send({ data: 'last' });
    });
  };
  listening = await listen({ fetch }, { ports: [0], ...(isSecure && { tls }) });
}

function open(isSecure: boolean, path: string, version = '1.1', requests = 1): Socket {
  const at = { port: listening.port, host: '127.0.0.1', allowHalfOpen: true };
  const socket = isSecure ? connectSecurely({ ...at, ca: tls.cert, servername: 'localhost' }) : connect(at);
  socket.write(`GET ${path} HTTP/${version}\r\nHost: localhost\r\n\r\n`.repeat(requests));
  return socket.setEncoding('utf8');
}

/** Reads until the text has come, and returns everything up to then. */
async function readTo(socket: Socket, wanted: string): Promise<string> {
  for (let read = ''; ; ) {
    const [part] = (await once(socket, 'data')) as [string];
    read += part;
    if (read.includes(wanted)) return read;
  }
}

/** Long enough for what must not come to come. */
const LONG_MS = 1000;
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

describe.each([
  ['HTTP', false],
  ['HTTPS', true],
])('over %s, a client that closed its side', (_, isSecure) => {
  it('gets its answer, however long that takes', async () => {
    await start(isSecure);
    const socket = open(isSecure, '/plain');
    socket.end();
    expect(await readTo(socket, CONTINUE)).toMatch(/^HTTP\/1\.1 100 /);
    release();
    expect(await text(socket)).toMatch(/HTTP\/1\.1 200 .*all of it\r\n0\r\n\r\n$/s);
  });

  it('gets the rest of an event stream', async () => {
    await start(isSecure);
    const socket = open(isSecure, '/events');
    await readTo(socket, 'data: first\n\n');
    socket.end();
    await readTo(socket, '3\r\n:\n\n\r\n');
    release();
    expect(await text(socket)).toMatch(/data: last\n\n\r\n0\r\n\r\n$/s);
  });

  it.each(['/plain', '/events'])('is noticed when it has left: %s', async path => {
    await start(isSecure);
    const socket = open(isSecure, path);
    if (path === '/events') await readTo(socket, 'data: first\n\n');
    else await until(() => asked.length).toBe(1);
    socket.destroy();
    await once(asked[0]!.signal, 'abort');
  });
});

it('is noticed when it has left, also while a later request waits for its turn', async () => {
  await start(false);
  const socket = open(false, '/events', '1.1', 2);
  await readTo(socket, 'data: first\n\n');
  const [first] = asked;
  socket.destroy();
  await once(first!.signal, 'abort');
});

it('an event that is sent in parts has no comment in it', async () => {
  await start(false);
  const socket = open(false, '/split');
  await readTo(socket, 'data: fi');
  const rest = text(socket);
  socket.end();
  setTimeout(release, LONG_MS);
  expect(await rest).toMatch(/^(\r\n)?5\r\nrst\n\n\r\n/);
});

it('a client of HTTP/1.0 gets nothing but its answer', async () => {
  await start(false);
  const socket = open(false, '/plain', '1.0');
  const answer = text(socket);
  socket.end();
  setTimeout(release, LONG_MS);
  expect(await answer).toMatch(/^HTTP\/1\.1 200 .*all of it$/s);
});
