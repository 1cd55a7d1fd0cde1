// Requests that create something, over lines that are lost: sent again under one key.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { createCloudClient } from '../../lib/client/index.js';
import { createHastyClock } from '../support/hasty-clock.js';
import { listening } from '../support/listening.js';
import { sampleJob } from '../support/samples.js';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let keys: (string | undefined)[];
beforeEach(() => {
  keys = [];
});

/** A client of a server that gives these answers, in order; the last goes for all that follow. */
async function open(...answers: Answer[]) {
  const clock = createHastyClock();
  const server = createServer((request, response) => {
    keys.push(request.headers['idempotency-key'] as string | undefined);
    const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
    request.resume().on('end', () => answer(request, response));
  });
  const scope = { orgSlug: 'o', projectSlug: 'p' };
  const baseUrl = await listening(server);
  return { server, clock, cloud: createCloudClient({ baseUrl, token: 't', scope, clock }) };
}

const job = sampleJob();
const datasetSource = { type: 'huggingface', name: 'some/rows' } as const;
const input = { name: 'a', config: { model: 'm', datasetSource } };
const JSON_TYPE = { 'content-type': 'application/json' };
const answered: Answer = (_, response) => response.writeHead(201, JSON_TYPE).end(JSON.stringify({ job }));
const dropped: Answer = (_, response) => response.destroy();
const cutShort: Answer = (_, response) => {
  response.writeHead(201, { ...JSON_TYPE, 'content-length': 1000 });
  response.write('{"job":', () => response.destroy());
};
const refused: Answer = (_, response) => {
  const error = { message: 'No.', type: 'server_error', code: 'internal_error', param: null };
  response.writeHead(500, JSON_TYPE).end(JSON.stringify({ error }));
};

describe('a request that creates something', () => {
  it.each([
    ['before a word of the answer', dropped],
    ['in the middle of the answer', cutShort],
  ])('is sent again under the same key when the line is cut %s', async (_, cut) => {
    const { cloud } = await open(cut, cut, answered);
    expect((await cloud.createJob(input)).job.id).toBe(job.id);
    expect(keys).toEqual(Array(3).fill(keys[0]));
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('has a key of its own each time, or the one that it is given', async () => {
    const { cloud } = await open(answered);
    for (const options of [{}, {}, { idempotencyKey: 'mine' }]) await cloud.createJob(input, options);
    expect([new Set(keys).size, keys[2]]).toEqual([3, 'mine']);
  });

  it('is not sent again when it was answered, whatever the answer', async () => {
    const { cloud } = await open(refused);
    await expect(cloud.createJob(input)).rejects.toMatchObject({ status: 500 });
    expect(keys).toHaveLength(1);
  });

  it('is given up when the line is cut each time', async () => {
    const { cloud, clock } = await open(dropped);
    await expect(cloud.createJob(input)).rejects.toMatchObject({ code: 'cloud_unreachable' });
    expect(keys).toEqual(Array(4).fill(keys[0]));
    expect(clock.slept).toHaveLength(3);
    for (const [i, ms] of clock.slept.entries()) {
      expect(ms).toBeGreaterThanOrEqual(125 * 2 ** i);
      expect(ms).toBeLessThanOrEqual(250 * 2 ** i);
    }
  });

  it('is not waited for where nothing listens', async () => {
    const { cloud, clock, server } = await open(answered);
    await new Promise(resolve => server.close(resolve));
    const message = expect.stringContaining('connection refused');
    await expect(cloud.createJob(input)).rejects.toMatchObject({ code: 'cloud_unreachable', message });
    expect(clock.slept).toEqual([]);
  });

  it('ends with the reason of the signal', async () => {
    const reason = new Error('enough');
    const stop = new AbortController();
    const { cloud } = await open((request, response) => {
      dropped(request, response);
      stop.abort(reason);
    });
    await expect(cloud.createJob(input, { signal: stop.signal })).rejects.toBe(reason);
    expect(keys).toHaveLength(1);
  });
});

it('a request that creates nothing has no key, and is not sent again', async () => {
  const { cloud } = await open(dropped);
  await expect(cloud.cancelJob('x')).rejects.toMatchObject({ code: 'cloud_unreachable' });
  expect(keys).toEqual([undefined]);
});
