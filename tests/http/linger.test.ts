// A client that is refused while it still sends can read the response, even if the connection then closes. If it is
// kept, the next request on it is answered.
import { EventEmitter } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { ApiError, defineRoutes } from '../../lib/contract/index.js';
import { linger } from '../../lib/http/connection-end.js';
import { createApp, listen } from '../../lib/http/index.js';
import type { Listening } from '../../lib/http/listen.js';
import { askRaw, readAnswer, refusedWith } from '../support/raw-answer.js';
import { createVirtualClock } from '../support/virtual-clock.js';
import { EMPTY, post } from './support/routes.js';

const routes = defineRoutes({
  post: post('/post', z.object({}), EMPTY),
  upload: { ...post('/upload', 'bytes', EMPTY), query: z.object({ read: z.string() }) },
});

let listening: Listening;
beforeAll(async () => {
  const guard = ({ url }: Request) => {
    if (url.endsWith('?stranger')) throw new ApiError('unauthenticated', 'Who are you?');
  };
  const app = createApp({ log: () => {}, guard }).mount(routes, {
    post: () => ({}),
    async upload({ query, body }) {
      if (query.read === 'some') for await (const _ of body) break;
      throw new ApiError('upload_conflict', 'Elsewhere.');
    },
  });
  listening = await listen(app, { host: 'localhost', ports: [0] });
});
afterAll(() => listening.close());

const headOf = (path: string, type: string, ...lines: string[]) =>
  [`POST ${path} HTTP/1.1`, 'Host: localhost', `Content-Type: ${type}`, ...lines, '', ''].join('\r\n');

/** The response, and the error that the client met while sending. */
function send(query: string, head: string, body: Buffer): Promise<{ answer: string; error: unknown }> {
  return new Promise(resolve => {
    const socket = connect(listening.port, '127.0.0.1');
    let answer = '';
    let error: unknown = null;
    socket
      .on('data', part => (answer += part))
      .on('error', met => (error = met))
      .on('close', () => resolve({ answer, error }));
    socket.write(headOf(`/post${query}`, 'application/json', 'Connection: close', head));
    socket.write(body);
  });
}

const BODY = Buffer.alloc(5 * 1024 ** 2, ' ');
const LENGTH = `Content-Length: ${BODY.length}`;
const CHUNKS = Buffer.from(`${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`);

it.each([
  ['by its Content-Length', '', LENGTH, BODY, 413, 'body_too_large'],
  ['while it arrives in chunks', '', 'Transfer-Encoding: chunked', CHUNKS, 413, 'body_too_large'],
  ['by the guard', '?stranger', LENGTH, BODY, 401, 'unauthenticated'],
])(
  'the client can read the response when a body of 5 MiB is refused %s',
  async (_how, query, head, body, status, code) => {
    const { answer, error } = await send(query, head, body);
    expect([error, refusedWith(readAnswer(answer))]).toEqual([null, [status, code]]);
  },
);

it.each([
  ['before any of it was read', 'none'],
  ['after some of it was read', 'some'],
])('the next request on the connection is answered when an upload is refused %s', async (_when, read) => {
  const upload = headOf(`/upload?read=${read}`, 'application/octet-stream', LENGTH);
  const next = `${headOf('/post', 'application/json', 'Connection: close', 'Content-Length: 2')}{}`;
  const { status, body } = await askRaw(listening.port, `${upload}${BODY}${next}`);
  expect(status).toBe(409);
  expect(body).toContain('HTTP/1.1 200 ');
});

it.each([
  ['after a second in which it sends nothing', 0, 1000],
  ['after a second in which it sends nothing anymore', 10_000, 11_000],
  ['after half a minute, if it never stops', 60_000, 31_000],
])('a refused connection whose client goes on sending is cut %s', async (_when, sendingMs, wanted) => {
  const clock = createVirtualClock();
  let lasted = -1;
  const socket = Object.assign(new EventEmitter(), {
    bytesRead: 0,
    destroy() {
      lasted = clock.elapsed();
      socket.emit('close');
    },
  });
  linger(socket as unknown as Socket, clock);
  const sending = clock.every(500, () => {
    if (clock.elapsed() < sendingMs) socket.bytesRead++;
  });
  await clock.pass(60_000);
  sending.stop();
  expect([lasted, clock.waiting]).toEqual([wanted, 0]);
});
