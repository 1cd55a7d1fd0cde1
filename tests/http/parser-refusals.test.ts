// Requests that Node's parser refuses before our code sees them.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { realClock } from '../../lib/clock/index.js';
import { defineRoutes, json } from '../../lib/contract/index.js';
import { createApp, type Listening, listen } from '../../lib/http/index.js';
import { refuseInEnvelopes } from '../../lib/http/parser-refusals.js';
import { askRaw, readAnswer, refusedWith } from '../support/raw-answer.js';

const routes = defineRoutes({
  hello: { method: 'GET', path: '/hello', summary: '', answer: json(z.object({ ok: z.boolean() })) },
  post: {
    method: 'POST',
    path: '/post',
    summary: '',
    body: z.object({}),
    answer: json(z.object({ ok: z.boolean() })),
  },
});

const app = createApp({ log: () => {} }).mount(routes, {
  hello: () => ({ ok: true }),
  post: () => ({ ok: true }),
});

let listening: Listening;
beforeAll(async () => {
  listening = await listen(app, { host: 'localhost', ports: [0] });
});
afterAll(() => listening.close());

const host = 'Host: localhost\r\n';
const post = `POST /post HTTP/1.1\r\n${host}Content-Type: application/json\r\n`;

describe.each(['127.0.0.1', '::1'])('a refusal of the parser on %s', address => {
  it.each([
    ['malformed_request', 400, 'NO HTTP AT ALL\r\n\r\n'],
    [
      'malformed_request',
      400,
      `GET /hello HTTP/1.1\r\n${host}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
    ],
    ['malformed_request', 400, `${post}Transfer-Encoding: chunked\r\n\r\nnot a length\r\n`],
    ['malformed_request', 400, 'GET /hello HTTP/1.1\r\n\r\n'],
    ['body_too_large', 413, `${post}Transfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}\r\n`],
    ['headers_too_large', 431, `GET /hello HTTP/1.1\r\n${host}X: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['headers_too_large', 431, `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`],
    ['expectation_failed', 417, `${post}Expect: a miracle\r\nContent-Length: 0\r\n\r\n`],
    ['method_not_allowed', 405, `CONNECT localhost:1 HTTP/1.1\r\n${host}\r\n`],
  ])('has an error envelope, a request id and a length: %s', async (code, status, request) => {
    const answer = await askRaw(listening.port, request, address);
    expect(refusedWith(answer)).toEqual([status, code]);
    expect(answer.headers.connection).toBe('close');
  });

  it('reaches a client that is still sending', async () => {
    const answer = await askRaw(
      listening.port,
      `GET /hello HTTP/1.1\r\nX: ${'x'.repeat(4 * 1024 ** 2)}`,
      address,
    );
    expect(refusedWith(answer)).toEqual([431, 'headers_too_large']);
  });

  it('does not mix with an earlier response', async () => {
    const socket = connect(listening.port, address);
    socket.write(`GET /hello HTTP/1.1\r\n${host}\r\n`);
    const [first] = (await once(socket, 'data')) as [Buffer];
    expect(readAnswer(String(first)).status).toBe(200);
    socket.write('\x00\r\n\r\n');
    expect(refusedWith(readAnswer(await text(socket)))).toEqual([400, 'malformed_request']);
  });
});

describe('a response that starts before the body is complete', () => {
  it('is sent completely and without a second response', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-length': 2 }).flushHeaders();
      server.once('clientError', () => response.end('ok'));
    });
    refuseInEnvelopes(server, realClock);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(`${post}Content-Length: 10\r\n\r\n{`);
    const answer = once(socket, 'data').then(async ([first]) => `${first}${await text(socket.end())}`);
    expect(readAnswer(await answer)).toMatchObject({ status: 200, body: 'ok' });
    server.close();
  });

  it('is not followed by a second refusal', async () => {
    const socket = connect(listening.port, '127.0.0.1');
    socket.end(`${post}Content-Length: 99999999999\r\n\r\n{`);
    const answers = await text(socket);
    expect(refusedWith(readAnswer(answers))).toEqual([413, 'body_too_large']);
    expect(answers.match(/^HTTP\/1\.1 /gm)).toHaveLength(1);
  });
});

it('lets a request of HTTP/1.0 have no Host header', async () => {
  expect((await askRaw(listening.port, 'GET /hello HTTP/1.0\r\n\r\n')).status).toBe(200);
});

it('answers 408 with an error envelope to headers that never end', async () => {
  // listhen's server, on 127.0.0.1, checks its timeouts only every 30 seconds.
  const limits = { headersMs: 100, checkEveryMs: 50 };
  const hasty = await listen(app, { host: '::1', ports: [0], limits });
  const answer = await askRaw(hasty.port, `GET /hello HTTP/1.1\r\n${host}`, '::1');
  expect(refusedWith(answer)).toEqual([408, 'request_timeout']);
  await hasty.close();
});
