import type OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { end, saying, scriptedBackend, text } from '../backends/scripted-backend.js';
import { BASE_MODEL, jobs, openSampleCloud, type SampleCloud } from '../deployments/sample-cloud.js';
import { createSampleEdge } from '../edge/sample-edge.js';
import { BASE_URL, createSampleProjectApi, refusal } from './sample-project-api.js';

let cloud: SampleCloud;
let backend: ReturnType<typeof scriptedBackend>;
let sample: ReturnType<typeof createSampleProjectApi>;
let client: OpenAI;
beforeEach(async () => {
  cloud = await openSampleCloud();
  backend = scriptedBackend(saying(text('Hello'), text(' there.'), end(5, 3)));
  sample = createSampleProjectApi(cloud, backend);
  client = await clientOf();
});
afterEach(() => cloud.close());

const FINAL = `ft:${BASE_MODEL}:alpha:triage:${jobs.done}`;
const chat = (more: object, one = client) =>
  one.chat.completions.create({ messages: [{ role: 'user', content: 'hello' }], model: BASE_MODEL, ...more });
const clientOf = async (place?: string) => sample.clientWith((await sample.issue(place)).plaintext);
const listIds = async (one = client) => (await one.models.list()).data.map(({ id }) => id);

describe('models', () => {
  it('are the base model, and the adapters of all jobs of the project, the newest first', async () => {
    const models = (await client.models.list()).data;
    expect(models.map(({ id }) => id)).toEqual([
      BASE_MODEL,
      expect.stringMatching(new RegExp(`^ft:.*:${jobs.running}:ckpt-step-10$`)),
      expect.stringMatching(new RegExp(`^ft:.*:${jobs.done}$`)),
      expect.stringMatching(new RegExp(`^ft:.*:${jobs.done}:ckpt-step-10$`)),
    ]);
    for (const model of models) expect(model).toMatchObject({ object: 'model', owned_by: expect.anything() });
  });

  it('of other projects do not exist', async () => {
    const other = await clientOf('alpha/two');
    expect(await listIds(other)).toEqual([BASE_MODEL]);
    for (const call of [other.models.retrieve(FINAL), chat({ model: FINAL }, other)])
      expect(await refusal(call)).toMatchObject({ status: 404, code: 'model_not_found' });
    expect(backend.tasks).toEqual([]);
  });

  it('trained on another base model are not listed', async () => {
    const config = JSON.stringify({ model: 'another' });
    await cloud.db
      .updateTable('jobs')
      .set({ config, base_digest: 'other' })
      .where('id', '=', jobs.done)
      .execute();
    expect((await listIds()).filter(id => id.includes(jobs.done))).toEqual([]);
  });

  it('can be looked up by their IDs, with slashes that are escaped or not', async () => {
    const headers = { authorization: `Bearer ${client.apiKey}` };
    for (const id of await listIds()) {
      expect((await client.models.retrieve(id)).id).toBe(id);
      const raw = await sample.send(`${BASE_URL}/models/${id}`, { headers });
      expect(await raw.json()).toMatchObject({ id });
    }
  });

  it.each(['no-such-model', 'ft:x', `ft:${BASE_MODEL}:alpha::${jobs.foreign}`, `${FINAL}:ckpt-step-11`])(
    'that do not exist are refused as OpenAI does: %s',
    async id => {
      const error = await refusal(client.models.retrieve(id));
      const newest = (await listIds()).slice(0, 3).map(one => `\`${one}\``);
      const message = expect.stringMatching(new RegExp(`\`${id}\`.*${newest.join('.*')}`));
      expect(error).toMatchObject({ status: 404, code: 'model_not_found', param: 'model', message });
    },
  );

  it('are deleted with their job, which only its final adapter stands for', async () => {
    expect(await client.models.delete(FINAL)).toEqual({ id: FINAL, object: 'model', deleted: true });
    for (const id of [BASE_MODEL, `${FINAL}:ckpt-step-10`])
      expect(await refusal(client.models.delete(id))).toMatchObject({ status: 400, param: 'model' });
    expect(sample.deleted).toEqual([jobs.done]);
  });
});

describe('a chat', () => {
  it('is answered by the model that it names, and streamed', async () => {
    const choices = [{ message: { content: 'Hello there.' } }];
    expect(await chat({ model: FINAL })).toMatchObject({ model: FINAL, choices });
    const asked = { stream: true, stream_options: { include_usage: true } };
    const stream = (await chat(asked)) as unknown as AsyncIterable<OpenAI.ChatCompletionChunk>;
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.map(chunk => chunk.choices[0]?.delta.content ?? '').join('')).toBe('Hello there.');
    expect(chunks.at(-1)).toMatchObject({ model: BASE_MODEL, usage: { total_tokens: 8 } });
    expect(backend.tasks.map(({ adapter }) => adapter === null)).toEqual([false, true]);
  });

  it('counts as one caller for each key', async () => {
    for (const one of [client, client, await clientOf()]) await chat({}, one);
    const [first, again, other] = backend.tasks.map(({ caller }) => caller);
    expect([first === again, first === other]).toEqual([true, false]);
  });

  it('without a model, or with a feature that is missing, is refused by name', async () => {
    expect(await refusal(chat({ model: '' }))).toMatchObject({ param: 'model' });
    const unsupported = { code: 'unsupported_parameter', param: 'modalities' };
    expect(await refusal(chat({ modalities: ['audio'] }))).toMatchObject(unsupported);
  });
});

describe('a key', () => {
  it('of a project is not one of an endpoint, and the other way round', async () => {
    const demo = await cloud.publish({ slug: 'demo', target: { kind: 'base_model', baseModel: BASE_MODEL } });
    const ofDemo = (await cloud.issue(demo)).plaintext;
    expect(await refusal(sample.clientWith(ofDemo).models.list())).toMatchObject({ status: 401 });
    const edge = createSampleEdge(cloud, backend);
    const statusWith = async (key: string) =>
      (await edge.chat('demo', {}, { authorization: `Bearer ${key}` })).status;
    expect([await statusWith(client.apiKey!), await statusWith(ofDemo)]).toEqual([401, 200]);
  });

  it('that was revoked, is foreign or missing opens nothing', async () => {
    const { id, plaintext } = await sample.issue();
    const revoke = `http://localhost:4100/v1/project-keys/${id}?orgSlug=alpha&projectSlug=one`;
    expect((await cloud.fetch(new Request(revoke, { method: 'DELETE' }))).status).toBe(200);
    for (const key of [plaintext, 'sk-something', `${plaintext}x`])
      expect(await refusal(sample.clientWith(key).models.list())).toMatchObject({ code: 'invalid_api_key' });
    expect((await sample.send(`${BASE_URL}/models`)).status).toBe(401);
  });
});

describe('an address', () => {
  it.each(['', '/nothing', '/chat', '/chat/x'])(
    'that does not exist is named, with those that do, before any key is asked for: %j',
    async path => {
      const response = await sample.send(`${BASE_URL}${path}`, { method: 'POST' });
      expect(response.status).toBe(404);
      const message = expect.stringContaining('/openai/v1/chat/completions');
      expect(await response.json()).toMatchObject({ error: { code: 'unknown_url', message } });
    },
  );

  it.each([
    ['/moderations', 'There is no /openai/v1/moderations here: svc has no moderation models.'],
    [
      '/vector_stores/vs_1/files',
      'There is no /openai/v1/vector_stores/vs_1/files here: svc has no vector stores.',
    ],
  ])('of a part that svc does not have says so: %s', async (path, message) => {
    const response = await sample.send(`${BASE_URL}${path}`, { method: 'POST' });
    expect(await response.json()).toMatchObject({ error: { code: 'unknown_url', message } });
  });

  it('that allows other methods says which', async () => {
    const response = await sample.send(`${BASE_URL}/models/x`, { method: 'POST' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, DELETE']);
  });

  it('is not for web pages, nor for other hosts', async () => {
    const page = await sample.send(`${BASE_URL}/models`, { headers: { origin: 'https://example.com' } });
    const foreign = new Request(`${BASE_URL}/models`, { headers: { host: 'example.com' } });
    expect([page.status, (await sample.api(foreign)!).status]).toEqual([403, 403]);
  });

  it('of another API is left to it', () => {
    for (const path of ['/v1/jobs', '/openai', '/openaix/models', '/v1/openai/v1'])
      expect(sample.api(new Request(`http://localhost:4100${path}`))).toBeNull();
  });
});
