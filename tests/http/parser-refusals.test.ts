// Requests that Node's parser refuses before our code sees them.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { realClock } from '../../lib/clock/index.js';
import { defineRoutes } from '../../lib/contract/index.js';
import { createApp, listen } from '../../lib/http/index.js';
import type { Listening } from '../../lib/http/listen.js';
import { refuseInEnvelopes } from '../../lib/http/parser-refusals.js';
import { askRaw, readAnswer, refusedWith } from '../support/raw-answer.js';
import { EMPTY, get, post } from './support/routes.js';

const routes = defineRoutes({ hello: get('/hello', EMPTY), post: post('/post', z.object({}), EMPTY) });
const app = createApp({ log: () => {} }).mount(routes, { hello: () => ({}), post: () => ({}) });

let listening: Listening;
beforeAll(async () => {
  listening = await listen(app, { host: 'localhost', ports: [0] });
});
afterAll(() => listening.close());

const GET = 'GET /hello HTTP/1.1\r\n';
const HOST = 'Host: localhost\r\n';
const POST = `POST /post HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n`;
const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n';
const LONG = 'x'.repeat(20_000);

describe.each(['127.0.0.1', '::1'])('a refusal of the parser on %s', address => {
  it.each([
    ['malformed_request', 400, 'NO HTTP AT ALL\r\n\r\n'],
    ['malformed_request', 400, `${GET}${HOST}Content-Length: 1\r\n${CHUNKED}`],
    ['malformed_request', 400, `${POST}${CHUNKED}not a length\r\n`],
    ['malformed_request', 400, `${GET}\r\n`],
    ['body_too_large', 413, `${POST}${CHUNKED}1;${LONG}\r\n`],
    ['headers_too_large', 431, `${GET}${HOST}X: ${LONG}\r\n\r\n`],
    ['headers_too_large', 431, `GET /${LONG} HTTP/1.1\r\n${HOST}\r\n`],
    ['expectation_failed', 417, `${POST}Expect: a miracle\r\nContent-Length: 0\r\n\r\n`],
    ['method_not_allowed', 405, `CONNECT localhost:1 HTTP/1.1\r\n${HOST}\r\n`],
  ])('has an error envelope, a request id and a length: %s', async (code, status, request) => {
    const answer = await askRaw(listening.port, request, address);
    expect(refusedWith(answer)).toEqual([status, code]);
    expect(answer.headers.connection).toBe('close');
    expect((await askRaw(listening.port, `${GET}${HOST}Connection: close\r\n\r\n`, address)).status).toBe(
      200,
    );
  });

  it('reaches a client that is still sending', async () => {
    const request = `${GET}X: ${'x'.repeat(4 * 1024 ** 2)}`;
    const answer = await askRaw(listening.port, request, address);
    expect(refusedWith(answer)).toEqual([431, 'headers_too_large']);
  });

  it('does not mix with an earlier response', async () => {
    const socket = connect(listening.port, address);
    socket.write(`${GET}${HOST}\r\n`);
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
    socket.write(`${POST}Content-Length: 10\r\n\r\n{`);
    const answer = once(socket, 'data').then(async ([first]) => `${first}${await text(socket.end())}`);
    expect(readAnswer(await answer)).toMatchObject({ status: 200, body: 'ok' });
    server.close();
  });

  it('is not followed by a second refusal', async () => {
    const socket = connect(listening.port, '127.0.0.1');
    socket.end(`${POST}Content-Length: 99999999999\r\n\r\n{`);
    const answers = await text(socket);
    expect(refusedWith(readAnswer(answers))).toEqual([413, 'body_too_large']);
    expect(answers.match(/^HTTP\/1\.1 /gm)).toHaveLength(1);
  });
});

it('lets a request of HTTP/1.0 have no Host header', async () =>
  expect((await askRaw(listening.port, 'GET /hello HTTP/1.0\r\n\r\n')).status).toBe(200));

it('answers 408 with an error envelope to headers that never end', async () => {
  // listhen's server, on 127.0.0.1, checks its timeouts only every 30 seconds.
  const limits = { headersMs: 100, checkEveryMs: 50 };
  const hasty = await listen(app, { host: '::1', ports: [0], limits });
  const answer = await askRaw(hasty.port, `${GET}${HOST}`, '::1');
  expect(refusedWith(answer)).toEqual([408, 'request_timeout']);
  await hasty.close();
});
