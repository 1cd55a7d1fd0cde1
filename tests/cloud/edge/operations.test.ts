// What an endpoint offers beside chat, once its owner adds to it.
import Anthropic from '@anthropic-ai/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anthropicError, OPERATION_NAMES } from '../../../lib/contract/index.js';
import { BASE_MODEL, jobs, type SampleCloud } from '../deployments/sample-cloud.js';
import { HOST } from '../to-fetch.js';
import { bearer, COMPLETIONS, openSampleEdge, refusalOf, type SampleEdge } from './sample-edge.js';

const target = { kind: 'adapter', adapter: { kind: 'checkpoint', jobId: jobs.done, step: 10 } };
const MODEL = `${BASE_MODEL}:${jobs.done}:checkpoint:10`;

let cloud: SampleCloud;
let sample: SampleEdge;
let key: string;
beforeEach(async () => {
  sample = await openSampleEdge();
  cloud = sample.cloud;
  const all = await cloud.publish({ slug: 'all', target, operations: OPERATION_NAMES });
  key = (await cloud.issue(all)).plaintext;
});
afterEach(() => cloud.close());

const openai = () => sample.clientsOf('all', key).openai;
const get = (path: string, headers = {}) => sample.fetch(path, { method: 'GET', headers });

it('responses come from its own model, whatever is named, or nothing', async () => {
  for (const named of [{ model: 'whatever' }, {}]) {
    const body = JSON.stringify({ ...named, input: 'hello', instructions: 'Be brief.' });
    const response = await sample.fetch('/d/all/v1/responses', { body, headers: bearer(key) });
    expect(await response.json()).toMatchObject({
      model: MODEL,
      output: [{ content: [{ text: 'Hello there.' }] }],
    });
  }
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'hello' },
  ];
  const task = { adapter: `${jobs.done}-10`, messages };
  expect(sample.backend.tasks).toMatchObject([task, task]);
});

describe("an endpoint's messages", () => {
  const ask = { model: 'x', max_tokens: 20, messages: [{ role: 'user' as const, content: 'hello' }] };
  const messagesWith = (apiKey: string) => sample.clientsOf('all', apiKey).anthropic.messages;

  it("are refused in Anthropic's form", async () => {
    const stranger = messagesWith('wrong').create(ask);
    await expect(stranger).rejects.toBeInstanceOf(Anthropic.AuthenticationError);
    for (const [method, path, status] of [
      ['GET', '/v1/messages', 405],
      ['POST', '/v1/messages/batches', 404],
    ] as const) {
      const response = await sample.fetch(`/d/all${path}`, { method });
      expect(response.status).toBe(status);
      expect(response.headers.get('request-id')).toBe(response.headers.get('x-request-id'));
      anthropicError.parse(await response.json());
    }
  });

  it("that are not offered, or whose endpoint is not there, are refused in OpenAI's form", async () => {
    await cloud.publish({ slug: 'plain', target, operations: ['models'] });
    const codeOf = async (slug: string) => (await refusalOf(sample.fetch(`/d/${slug}/v1/messages`))).code;
    expect([await codeOf('plain'), await codeOf('nobody')]).toEqual(['unknown_url', 'deployment_not_found']);
  });
});

describe("an endpoint's models", () => {
  it('are the one that it serves, under the name that its answers give', async () => {
    const created = Date.parse('2026-03-01T10:00:00.000Z') / 1000;
    const model = { id: MODEL, object: 'model', created, owned_by: 'svc' };
    expect((await openai().models.list()).data).toEqual([model]);
    expect(await openai().models.retrieve(MODEL)).toEqual(model);
    expect(await (await get(`/d/all/v1/models/${MODEL}`, bearer(key))).json()).toEqual(model);
    expect(await (await sample.chat('all', { model: MODEL }, bearer(key))).json()).toMatchObject({
      model: MODEL,
    });
  });

  it.each([BASE_MODEL, `${BASE_MODEL}:${jobs.done}:final`, 'all'])('do not include %s', async id => {
    const missing = { status: 404, code: 'model_not_found', param: 'model' };
    await expect(openai().models.retrieve(id)).rejects.toMatchObject(missing);
  });

  it('cannot be deleted', async () => {
    const init = { method: 'DELETE', headers: bearer(key) };
    const refused = await refusalOf(sample.fetch(`/d/all/v1/models/${MODEL}`, init));
    expect(refused).toMatchObject({ status: 405, allow: 'GET' });
  });
});

describe('the order of the checks', () => {
  it.each([
    ['some', 'models/a/b/c', 405, 'allows GET, not POST'],
    [
      'some',
      'responses',
      404,
      'its owner can add it with `svc endpoints update some --operations models,responses`.',
    ],
    [
      'plain',
      'messages',
      404,
      'its owner can add it with `svc endpoints update plain --operations messages`.',
    ],
    [
      'plain',
      'chat/completions/chat/completions',
      404,
      "it is at /v1/chat/completions. Check the client's base URL.",
    ],
    ['some', 'v1/models', 404, "it is at /v1/models. Check the client's base URL."],
    ['plain', 'moderations', 404, 'svc has no moderation models.'],
    ['plain', 'other', 404, 'only /v1/chat/completions is available.'],
    ['some', 'other', 404, 'there are /v1/chat/completions, /v1/models.'],
  ])('begins with the path, and a missing one says what to do: %s, %s', async (slug, path, status, hint) => {
    await cloud.publish({ slug: 'some', target, operations: ['models'] });
    await cloud.publish({ slug: 'plain', target });
    const headers = { host: `${slug}.${HOST}` };
    const refused = await refusalOf(sample.fetch(`/v1/${path}`, { body: '{', headers }));
    expect(refused).toMatchObject({ status, message: expect.stringContaining(hint) });
  });

  it.each<[method: string, path: string, isKnown: boolean, refused: object]>([
    ['PUT', 'responses', false, { status: 405, allow: 'POST' }],
    ['PUT', 'chat/completions/', false, { status: 405, allow: 'POST' }],
    ['POST', 'models', false, { status: 405, allow: 'GET' }],
    ['POST', 'responses', false, { code: 'invalid_api_key' }],
    ['GET', 'models', false, { code: 'invalid_api_key' }],
    ['POST', 'responses', true, { code: 'invalid_json' }],
    ['GET', 'models/%zz', false, { status: 400 }],
  ])(
    'goes on with the method, then the key, and ends with the body: %s %s',
    async (method, path, isKnown, refused) => {
      const headers = isKnown ? bearer(key) : {};
      const body = method === 'GET' ? {} : { body: '{' };
      const response = sample.fetch(`/d/all/v1/${path}`, { method, headers, ...body });
      expect(await refusalOf(response)).toMatchObject(refused);
    },
  );

  it('follows changes of what is offered at once, and hides what a disabled endpoint offers', async () => {
    const { id } = await cloud.publish({ slug: 'plain', target, authMode: 'none' });
    const change = (body: object) => cloud.call('PATCH', `/${id}`, body);
    const status = async () => (await get('/d/plain/v1/models')).status;
    expect(await status()).toBe(404);
    await change({ operations: ['models'] });
    expect(await status()).toBe(200);
    expect((await get(`/d/plain${COMPLETIONS}`)).status).toBe(405);
    await change({ enabled: false });
    expect(await refusalOf(get('/d/plain/v1/models'))).toMatchObject({ code: 'deployment_not_found' });
    await change({ enabled: true, operations: [] });
    expect(await status()).toBe(404);
  });
});
