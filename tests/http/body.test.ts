// Bodies as they come over a socket.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createApp, listen, readOptionalJson } from '../../lib/http/index.js';
import { askRaw } from '../support/raw-answer.js';

let listening: Awaited<ReturnType<typeof listen>>;
beforeEach(async () => {
  const app = createApp({ log: line => console.error(line.error) }).fallback(async request =>
    Response.json(await readOptionalJson(request)),
  );
  listening = await listen(app, { ports: [0] });
});
afterEach(() => listening.close());

const JSON_TYPE = 'Content-Type: application/json';

it.each([
  ['with no bytes', ['Content-Length: 0'], '', 200, '{}'],
  ['that has no length', [], '', 200, '{}'],
  ['in no chunks', ['Transfer-Encoding: chunked'], '0\r\n\r\n', 200, '{}'],
  ['with a type and no bytes', [JSON_TYPE, 'Content-Length: 0'], '', 200, '{}'],
  ['of JSON', [JSON_TYPE, 'Content-Length: 7'], '{"a":1}', 200, '{"a":1}'],
  ['without a type', ['Content-Length: 7'], '{"a":1}', 415, 'unsupported_media_type'],
  ['that is no JSON', [JSON_TYPE, 'Content-Length: 1'], ' ', 400, 'invalid_json'],
])('a body that may be left out, %s', async (_, headers, body, status, said) => {
  const head = ['POST / HTTP/1.1', 'Host: localhost', 'Connection: close', ...headers].join('\r\n');
  const answer = await askRaw(listening.port, `${head}\r\n\r\n${body}`);
  expect(answer.status).toBe(status);
  expect(answer.body).toContain(said);
});
