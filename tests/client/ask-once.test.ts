// Requests that create something, over lines that are lost: sent again under the same key, as often as it makes sense.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCloudClient } from '../../lib/client/index.js';
import { createHastyClock } from '../support/hasty-clock.js';
import { sampleJob } from '../support/samples.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let keys: (string | undefined)[];
/** What becomes of each request, in order; the last goes for all that follow. */
let answers: Answer[];
const server = createServer((request, response) => {
  keys.push(request.headers['idempotency-key'] as string | undefined);
  const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
  request.resume().on('end', () => answer(request, response));
});
beforeEach(async () => {
  keys = [];
  answers = [];
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise(resolve => server.close(resolve));
});

const job = sampleJob();
const input = {
  name: 'a',
  config: { model: 'm', datasetSource: { type: 'huggingface', name: 'some/rows' } },
} as const;
const answered: Answer = (_, response) => {
  response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify({ job }));
};
const dropped: Answer = (_, response) => void response.destroy();
const cutShort: Answer = (_, response) => {
  response.writeHead(201, { 'content-type': 'application/json', 'content-length': 1000 });
  response.write('{"job":', () => response.destroy());
};
const refused: Answer = (_, response) => {
  const error = { message: 'No.', type: 'server_error', code: 'internal_error', param: null };
  response.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
};

function open(clock = createHastyClock()) {
  const { port } = server.address() as AddressInfo;
  const scope = { orgSlug: 'o', projectSlug: 'p' };
  return createCloudClient({ baseUrl: `http://127.0.0.1:${port}`, token: 't', scope, clock });
}

describe('a request that creates something', () => {
  it.each([
    ['before a word of the answer', dropped],
    ['in the middle of the answer', cutShort],
  ])('is sent again under the same key when the line is cut %s', async (_, cut) => {
    answers = [cut, cut, answered];
    expect((await open().createJob(input)).job.id).toBe(job.id);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('has a key of its own each time, or the one that it is given', async () => {
    answers = [answered];
    const cloud = open();
    await cloud.createJob(input);
    await cloud.createJob(input);
    await cloud.createJob(input, { idempotencyKey: 'mine' });
    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toBe('mine');
  });

  it('is not sent again when it was answered, whatever the answer', async () => {
    answers = [refused];
    await expect(open().createJob(input)).rejects.toMatchObject({ status: 500 });
    expect(keys).toHaveLength(1);
  });

  it('is given up when the line is cut each time', async () => {
    answers = [dropped];
    const clock = createHastyClock();
    await expect(open(clock).createJob(input)).rejects.toMatchObject({ code: 'cloud_unreachable' });
    expect(keys).toHaveLength(4);
    expect(clock.slept).toHaveLength(3);
    for (const [i, ms] of clock.slept.entries()) {
      expect(ms).toBeGreaterThanOrEqual(125 * 2 ** i);
      expect(ms).toBeLessThanOrEqual(250 * 2 ** i);
    }
    expect(new Set(keys).size).toBe(1);
  });

  it('is not waited for where nothing listens', async () => {
    const clock = createHastyClock();
    const cloud = open(clock);
    await new Promise(resolve => server.close(resolve));
    await expect(cloud.createJob(input)).rejects.toMatchObject({
      code: 'cloud_unreachable',
      message: expect.stringContaining('connection refused'),
    });
    expect(clock.slept).toEqual([]);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  it('ends with the reason of the signal', async () => {
    const reason = new Error('enough');
    const stop = new AbortController();
    answers = [
      (request, response) => {
        dropped(request, response);
        stop.abort(reason);
      },
    ];
    await expect(open().createJob(input, { signal: stop.signal })).rejects.toBe(reason);
    expect(keys).toHaveLength(1);
  });
});

it('a request that creates nothing has no key, and is not sent again', async () => {
  answers = [dropped];
  await expect(open().cancelJob('x')).rejects.toMatchObject({ code: 'cloud_unreachable' });
  expect(keys).toEqual([undefined]);
});
