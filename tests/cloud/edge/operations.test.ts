// What an endpoint offers beside chat, once its owner adds to it.
import Anthropic from '@anthropic-ai/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anthropicError, OPERATION_NAMES } from '../../../lib/contract/index.js';
import { BASE_MODEL, jobs, openSampleCloud, type SampleCloud } from '../deployments/sample-cloud.js';
import { end, type ScriptedBackend, saying, scriptedBackend, text } from '../inference/scripted-backend.js';
import { bearer, COMPLETIONS, createSampleEdge } from './sample-edge.js';

const target = { kind: 'adapter', adapter: { kind: 'checkpoint', jobId: jobs.done, step: 10 } };
const MODEL = `${BASE_MODEL}:${jobs.done}:checkpoint:10`;

let cloud: SampleCloud;
let backend: ScriptedBackend;
let sample: ReturnType<typeof createSampleEdge>;
let key: string;
beforeEach(async () => {
  cloud = await openSampleCloud();
  backend = scriptedBackend(saying(text('Hello'), text(' there.'), end(5, 3)));
  sample = createSampleEdge(cloud, backend);
  const all = await cloud.publish({ slug: 'all', target, operations: OPERATION_NAMES });
  key = (await cloud.issue(all)).plaintext;
});
afterEach(() => cloud.close());

const openai = () => sample.clientsOf('all', key).openai;
const anthropic = (apiKey = key) => sample.clientsOf('all', apiKey).anthropic;

describe("an endpoint's responses", () => {
  const ask = { model: 'whatever', input: 'hello', instructions: 'Be brief.' };

  it('come from its own model, whatever is named', async () => {
    expect(await openai().responses.create(ask)).toMatchObject({
      model: MODEL,
      output_text: 'Hello there.',
    });
    expect(backend.tasks[0]).toMatchObject({
      adapter: `${jobs.done}-10`,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'hello' },
      ],
    });
  });

  it('need no model to be named', async () => {
    const response = await sample.fetch('/d/all/v1/responses', {
      body: JSON.stringify({ input: 'hello' }),
      headers: bearer(key),
    });
    expect([response.status, await response.json()]).toEqual([
      200,
      expect.objectContaining({ model: MODEL }),
    ]);
  });
});

describe("an endpoint's messages", () => {
  const ask = { model: 'x', max_tokens: 20, messages: [{ role: 'user' as const, content: 'hello' }] };

  it("are read and streamed by Anthropic's client", async () => {
    expect(await anthropic().messages.create(ask)).toMatchObject({
      model: MODEL,
      content: [{ text: 'Hello there.' }],
    });
    expect(await anthropic().messages.stream(ask).finalText()).toBe('Hello there.');
  });

  it("are refused in Anthropic's form", async () => {
    await expect(anthropic('wrong').messages.create(ask)).rejects.toBeInstanceOf(
      Anthropic.AuthenticationError,
    );
    const thinking = { type: 'enabled' as const, budget_tokens: 1024 };
    await expect(anthropic().messages.create({ ...ask, thinking })).rejects.toThrow(
      '`thinking` is not supported',
    );
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
    for (const [slug, code] of [
      ['plain', 'unknown_url'],
      ['nobody', 'deployment_not_found'],
    ]) {
      const response = await sample.fetch(`/d/${slug}/v1/messages`);
      expect(await response.json()).toMatchObject({ error: { code } });
    }
  });
});

describe("an endpoint's models", () => {
  it('are the one that it serves, under the name that its answers give', async () => {
    const created = Date.parse('2026-03-01T10:00:00.000Z') / 1000;
    const model = { id: MODEL, object: 'model', created, owned_by: 'svc' };
    expect((await openai().models.list()).data).toEqual([model]);
    expect(await openai().models.retrieve(MODEL)).toEqual(model);
    const raw = await sample.fetch(`/d/all/v1/models/${MODEL}`, { method: 'GET', headers: bearer(key) });
    expect(await raw.json()).toEqual(model);
    const { model: told } = await openai().chat.completions.create({
      model: MODEL,
      messages: [{ role: 'user', content: 'hi' }],
    });
    expect(told).toBe(MODEL);
  });

  it('do not include others, not even those of the same job', async () => {
    for (const id of [BASE_MODEL, `${BASE_MODEL}:${jobs.done}:final`, 'all'])
      await expect(openai().models.retrieve(id)).rejects.toMatchObject({
        status: 404,
        code: 'model_not_found',
        param: 'model',
      });
  });

  it('cannot be deleted', async () => {
    const response = await sample.fetch(`/d/all/v1/models/${MODEL}`, {
      method: 'DELETE',
      headers: bearer(key),
    });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET']);
  });
});

describe('the order of the checks', () => {
  const refusal = async (path: string, init: RequestInit = {}) => {
    const response = await sample.fetch(path, { headers: {}, ...init });
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    return { status: response.status, allow: response.headers.get('allow'), ...error };
  };

  it('begins with the path, which is named with those that there are', async () => {
    await cloud.publish({ slug: 'some', target, operations: ['models'] });
    await cloud.publish({ slug: 'plain', target });
    expect(await refusal('/d/plain/v1/models', { method: 'GET' })).toMatchObject({
      status: 404,
      code: 'unknown_url',
      message: 'There is no /v1/models here: only /v1/chat/completions is available.',
    });
    expect(await refusal('/d/some/v1/responses', { body: '{' })).toMatchObject({
      status: 404,
      message:
        'There is no /v1/responses here: there are /v1/chat/completions, /v1/models, /v1/models/{model}.',
    });
  });

  it('goes on with the method, then the key, and ends with the body', async () => {
    for (const path of ['responses', 'chat/completions', 'chat/completions/'])
      expect(await refusal(`/d/all/v1/${path}`, { method: 'PUT' })).toMatchObject({
        status: 405,
        allow: 'POST',
      });
    expect(await refusal('/d/all/v1/models', { body: '{' })).toMatchObject({ status: 405, allow: 'GET' });
    expect(await refusal('/d/all/v1/responses', { body: '{' })).toMatchObject({ code: 'invalid_api_key' });
    expect(await refusal('/d/all/v1/models', { method: 'GET' })).toMatchObject({ code: 'invalid_api_key' });
    expect(await refusal('/d/all/v1/responses', { body: '{', headers: bearer(key) })).toMatchObject({
      code: 'invalid_json',
    });
    expect(await refusal('/d/all/v1/models/%zz', { method: 'GET' })).toMatchObject({ status: 400 });
  });

  it('hides what a disabled endpoint offers', async () => {
    const { id } = await cloud.publish({
      slug: 'off',
      target,
      operations: OPERATION_NAMES,
      authMode: 'none',
    });
    expect((await sample.fetch('/d/off/v1/models', { method: 'GET' })).status).toBe(200);
    await cloud.call('PATCH', `/${id}`, { enabled: false });
    expect(await refusal('/d/off/v1/models', { method: 'GET' })).toMatchObject({
      code: 'deployment_not_found',
    });
  });

  it('follows changes of what is offered at once', async () => {
    const { id } = await cloud.publish({ slug: 'plain', target, authMode: 'none' });
    const status = async () => (await sample.fetch('/d/plain/v1/models', { method: 'GET' })).status;
    expect(await status()).toBe(404);
    await cloud.call('PATCH', `/${id}`, { operations: ['models'] });
    expect(await status()).toBe(200);
    expect((await sample.fetch(`/d/plain${COMPLETIONS}`, { method: 'GET' })).status).toBe(405);
    await cloud.call('PATCH', `/${id}`, { operations: [] });
    expect(await status()).toBe(404);
  });
});
