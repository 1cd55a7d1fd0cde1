// An endpoint with a canary, as its callers and its owner see it.
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ChatCompletion, Deployment, KeptRequests } from '../../../lib/contract/index.js';
import { EngineError } from '../../../lib/engine/index.js';
import { end, faultAfter, type Script, saying, scriptedBackend, text } from '../backends/scripted-backend.js';
import { BASE_MODEL, jobs, openSampleCloud, type SampleCloud } from '../deployments/sample-cloud.js';
import { createSampleEdge } from './sample-edge.js';

const stable = { kind: 'adapter', adapter: { kind: 'final', jobId: jobs.done } };
const trial = { kind: 'adapter', adapter: { kind: 'checkpoint', jobId: jobs.done, step: 10 } };
const nameOf = {
  stable: `${BASE_MODEL}:${jobs.done}:final`,
  canary: `${BASE_MODEL}:${jobs.done}:checkpoint:10`,
};

let cloud: SampleCloud;
let script: Script;
let drawn: number;
let sample: ReturnType<typeof createSampleEdge>;
let made: Deployment;
beforeEach(async () => {
  cloud = await openSampleCloud();
  script = saying(text('Hi'), end(5, 3));
  drawn = 0;
  sample = createSampleEdge(
    cloud,
    scriptedBackend((task, signal) => script(task, signal)),
    () => drawn,
  );
  const operations = ['embeddings', 'responses', 'messages', 'models'];
  made = await cloud.publish({ slug: 'bot', target: stable, authMode: 'none', operations });
  await change({ canary: { target: trial, share: 0.1 } });
});
afterEach(() => cloud.close());

const change = async (body: object) => (await cloud.ask('PATCH', `/${made.id}`, body)).deployment;
const shown = async () => (await cloud.ask('GET', `/${made.id}`)).deployment;

async function asked(body: object = {}, headers: Record<string, string> = {}) {
  const response = await sample.chat('bot', body, headers);
  const { model } = (await response.json()) as ChatCompletion;
  return [response.status, response.headers.get('svc-target'), model];
}

/** Fails for the canary's adapter only. */
const failing =
  (fault: unknown, ...pieces: Parameters<typeof saying>): Script =>
  (task, signal) =>
    (task.adapter === `${jobs.done}-10` ? faultAfter(fault, ...pieces) : saying(text('Hi'), end(5, 3)))(
      task,
      signal,
    );

it('answers its share of the requests, and the response says so', async () => {
  expect(await asked()).toEqual([200, 'canary', nameOf.canary]);
  drawn = 0.1;
  expect(await asked()).toEqual([200, 'stable', nameOf.stable]);
  expect(await asked({}, { 'svc-target': 'canary' })).toEqual([200, 'canary', nameOf.canary]);
  await change({ canary: null });
  drawn = 0;
  expect(await asked({}, { 'svc-target': 'canary' })).toEqual([200, null, nameOf.stable]);
});

it('answers in every format for texts, but embeds nothing: vectors of two models do not compare', async () => {
  const ask = async (path: string, body: object) =>
    (await sample.fetch(`/d/bot/v1/${path}`, { body: JSON.stringify({ model: 'm', ...body }) })).headers.get(
      'svc-target',
    );
  const messages = [{ role: 'user', content: 'hi' }];
  expect(await ask('chat/completions', { messages, stream: true })).toBe('canary');
  expect(await ask('responses', { input: 'hi' })).toBe('canary');
  expect(await ask('messages', { messages, max_tokens: 5 })).toBe('canary');
  expect(await ask('embeddings', { input: 'hi' })).toBe('stable');
  const listed = await sample.fetch('/d/bot/v1/models', { method: 'GET' });
  expect(await listed.json()).toMatchObject({ data: [{ id: nameOf.stable }] });
});

it('has figures of its own: requests, failures, time and tokens', async () => {
  script = async function* slow(task) {
    if (task.adapter === `${jobs.done}-10`) await cloud.clock.pass(40);
    yield text('Hi');
    yield end(5, task.adapter === `${jobs.done}-10` ? 30 : 3);
  };
  await asked();
  drawn = 0.5;
  await asked();
  await asked();
  await sample.chat('bot', { messages: 'none' });
  const { lastHour } = await shown();
  const none = { failed: 0, promptTokens: 5 };
  expect(lastHour).toEqual({
    target: { ...none, requests: 2, answers: 2, meanMs: 0, promptTokens: 10, completionTokens: 6 },
    canary: { ...none, requests: 1, answers: 1, meanMs: 40, completionTokens: 30 },
    countedSince: expect.any(String),
  });
  // The one that was refused before anyone was asked is the endpoint's alone.
  expect(sample.counts.read(made.id)).toEqual({ requests: 4, failed: 1 });
});

it('an answer that fails in the middle has failed, and one is counted once', async () => {
  const fault = new EngineError('engine_unavailable', 'It went out.');
  script = failing(fault, text('Hi'));
  await (await sample.chat('bot', { stream: true })).text();
  script = failing(fault);
  expect((await asked()).slice(0, 2)).toEqual([503, 'canary']);
  expect((await shown()).lastHour?.canary).toMatchObject({ requests: 2, failed: 2, answers: 0 });
});

it.each([false, true])(
  'a damaged one fails no request: the stable target answers (stream: %s)',
  async stream => {
    script = failing(new EngineError('adapter_damaged', 'Bad files.'));
    const response = await sample.chat('bot', { stream });
    expect([response.status, response.headers.get('svc-target')]).toEqual([200, 'stable']);
    expect(await response.text()).toContain('Hi');
    expect((await shown()).lastHour).toMatchObject({
      target: { requests: 1, failed: 0 },
      canary: { requests: 0 },
    });
  },
);

it('a damaged one fails no other format, either, and what was asked arrives as it was sent', async () => {
  const asked: unknown[] = [];
  const damaged = failing(new EngineError('adapter_damaged', 'Bad files.'));
  script = (task, signal) => {
    asked.push('messages' in task && task.messages);
    return damaged(task, signal);
  };
  const messages = [{ role: 'user', content: 'Grüße' }];
  const packed = gzipSync(JSON.stringify({ input: messages }));
  const headers = { 'content-encoding': 'gzip' };
  const response = await sample.fetch('/d/bot/v1/responses', { body: packed, headers });
  expect([response.status, response.headers.get('svc-target')]).toEqual([200, 'stable']);
  expect(asked).toEqual([messages, messages]);
});

it.each([
  ['POST', 'chat/completions', { 'content-type': 'text/plain' }, 415],
  ['POST', 'chat/completions', { 'content-encoding': 'zstd' }, 415],
  ['POST', 'responses/resp_0/cancel', {}, 404],
  ['DELETE', 'responses/resp_0', {}, 404],
])('what is refused before its body is read is answered: %s %s %o', async (method, path, headers, status) => {
  // The body comes slowly, and its end never.
  const body = new ReadableStream({
    start: stream => stream.enqueue(Buffer.from('{"messages":')),
  });
  const sent = { method, headers, body, duplex: 'half' } as RequestInit;
  expect((await sample.fetch(`/d/bot/v1/${path}`, sent)).status).toBe(status);
});

it('neither does one that is gone, and its endpoint says what is wrong', async () => {
  await cloud.db.deleteFrom('artifacts').where('name', '=', 'step-10').execute();
  expect(await asked()).toEqual([200, 'stable', nameOf.stable]);
  expect(await shown()).toMatchObject({
    problem: null,
    canary: { problem: 'There is no such adapter here.' },
  });
});

it('a failure of another kind is not hidden by asking the stable target', async () => {
  script = failing(new EngineError('engine_unavailable', 'It went out.'));
  expect((await asked()).slice(0, 2)).toEqual([503, 'canary']);
});

it('kept requests say who answered', async () => {
  await change({ keepRequests: true });
  await asked();
  drawn = 0.5;
  await asked();
  const { requests } = (await (await cloud.call('GET', `/${made.id}/requests`)).json()) as KeptRequests;
  expect(requests.map(({ canary, model }) => [canary, model])).toEqual([
    [undefined, nameOf.stable],
    [true, nameOf.canary],
  ]);
});
