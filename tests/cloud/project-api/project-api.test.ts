import type OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BASE_MODEL, jobs, openSampleCloud, type SampleCloud } from '../deployments/sample-cloud.js';
import { createSampleEdge } from '../edge/sample-edge.js';
import { end, saying, scriptedBackend, text } from '../inference/scripted-backend.js';
import { refusal } from './project-cloud.js';
import { BASE_URL, createSampleProjectApi } from './sample-project-api.js';

let cloud: SampleCloud;
let backend: ReturnType<typeof scriptedBackend>;
let sample: ReturnType<typeof createSampleProjectApi>;
let client: OpenAI;
beforeEach(async () => {
  cloud = await openSampleCloud();
  backend = scriptedBackend(saying(text('Hello'), text(' there.'), end(5, 3)));
  sample = createSampleProjectApi(cloud, backend);
  client = sample.clientWith((await sample.issue()).plaintext);
});
afterEach(() => cloud.close());

const FINAL = `ft:${BASE_MODEL}:alpha:triage:${jobs.done}`;
const messages = [{ role: 'user', content: 'hello' }] as const;

describe('models', () => {
  it('are the base model, and the adapters of all jobs of the project, the newest first', async () => {
    const models = (await client.models.list()).data;
    expect(models.map(({ id }) => id)).toEqual([
      BASE_MODEL,
      expect.stringMatching(new RegExp(`^ft:.*:${jobs.running}:ckpt-step-10$`)),
      expect.stringMatching(new RegExp(`^ft:.*:${jobs.done}$`)),
      expect.stringMatching(new RegExp(`^ft:.*:${jobs.done}:ckpt-step-10$`)),
    ]);
    for (const { object, owned_by } of models)
      expect([object, owned_by]).toEqual(['model', expect.anything()]);
  });

  it('of other projects do not exist', async () => {
    const other = sample.clientWith((await sample.issue('alpha/two')).plaintext);
    expect((await other.models.list()).data.map(({ id }) => id)).toEqual([BASE_MODEL]);
    expect(await refusal(other.models.retrieve(FINAL))).toMatchObject({
      status: 404,
      code: 'model_not_found',
    });
    const { status } = await refusal(
      other.chat.completions.create({ model: FINAL, messages: [...messages] }),
    );
    expect(status).toBe(404);
    expect(backend.tasks).toEqual([]);
  });

  it('trained on another base model are not listed', async () => {
    await cloud.db
      .updateTable('jobs')
      .set({ config: JSON.stringify({ model: 'another' }) })
      .where('id', '=', jobs.done)
      .execute();
    const ids = (await client.models.list()).data.map(({ id }) => id);
    expect(ids.filter(id => id.includes(jobs.done))).toEqual([]);
  });

  it('can be looked up by their IDs, with slashes that are escaped or not', async () => {
    for (const { id } of (await client.models.list()).data) {
      expect((await client.models.retrieve(id)).id).toBe(id);
      const key = client.apiKey!;
      const raw = await sample.send(`${BASE_URL}/models/${id}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      expect(await raw.json()).toMatchObject({ id });
    }
  });

  it.each(['no-such-model', 'ft:x', `ft:${BASE_MODEL}:alpha::${jobs.foreign}`, `${FINAL}:ckpt-step-11`])(
    'that do not exist are refused as OpenAI does: %s',
    async id => {
      const error = await refusal(client.models.retrieve(id));
      expect(error).toMatchObject({ status: 404, code: 'model_not_found', param: 'model' });
      expect(error.message).toContain(id);
    },
  );

  it('are deleted with their job, which only its final adapter stands for', async () => {
    expect(await client.models.delete(FINAL)).toEqual({ id: FINAL, object: 'model', deleted: true });
    expect(sample.deleted).toEqual([jobs.done]);
    for (const id of [BASE_MODEL, `${FINAL}:ckpt-step-10`])
      expect(await refusal(client.models.delete(id))).toMatchObject({ status: 400, param: 'model' });
    expect(sample.deleted).toEqual([jobs.done]);
  });
});

describe('a chat', () => {
  it('is answered by the model that it names, and streamed', async () => {
    const completion = await client.chat.completions.create({ model: FINAL, messages: [...messages] });
    expect(completion).toMatchObject({ model: FINAL, choices: [{ message: { content: 'Hello there.' } }] });
    const stream = await client.chat.completions.create({
      model: BASE_MODEL,
      messages: [...messages],
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('Hello there.');
    expect(chunks.at(-1)).toMatchObject({ model: BASE_MODEL, usage: { total_tokens: 8 } });
    expect(backend.tasks.map(({ adapter }) => adapter === null)).toEqual([false, true]);
  });

  it('counts as one caller for each key', async () => {
    const other = sample.clientWith((await sample.issue()).plaintext);
    for (const one of [client, client, other])
      await one.chat.completions.create({ model: BASE_MODEL, messages: [...messages] });
    const callers = backend.tasks.map(({ caller }) => caller);
    expect(callers[0]).toBe(callers[1]);
    expect(callers[2]).not.toBe(callers[0]);
  });

  it('without a model, or with a feature that is missing, is refused by name', async () => {
    const create = client.chat.completions.create.bind(client.chat.completions);
    expect(await refusal(create({ model: '', messages: [...messages] }))).toMatchObject({ param: 'model' });
    const sound = create({ model: BASE_MODEL, messages: [...messages], modalities: ['audio'] });
    expect(await refusal(sound)).toMatchObject({ code: 'unsupported_parameter', param: 'modalities' });
  });
});

describe('a key', () => {
  it('of a project is not one of an endpoint, and the other way round', async () => {
    const demo = await cloud.publish({ slug: 'demo', target: { kind: 'base_model', baseModel: BASE_MODEL } });
    const [ofDemo, ofProject] = [await cloud.issue(demo), await sample.issue()];
    expect(await refusal(sample.clientWith(ofDemo.plaintext).models.list())).toMatchObject({ status: 401 });
    const edge = createSampleEdge(cloud, backend);
    const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
    expect((await edge.chat('demo', {}, bearer(ofProject.plaintext))).status).toBe(401);
    expect((await edge.chat('demo', {}, bearer(ofDemo.plaintext))).status).toBe(200);
  });

  it('that was revoked, is foreign or missing opens nothing', async () => {
    const { id, plaintext } = await sample.issue();
    const revoke = `http://localhost:4100/v1/project-keys/${id}?orgSlug=alpha&projectSlug=one`;
    expect((await cloud.fetch(new Request(revoke, { method: 'DELETE' }))).status).toBe(200);
    for (const key of [plaintext, 'sk-something', `${plaintext}x`])
      expect(await refusal(sample.clientWith(key).models.list())).toMatchObject({ code: 'invalid_api_key' });
    expect((await sample.send(`${BASE_URL}/models`)).status).toBe(401);
  });

  it('tells when it was used', async () => {
    await client.models.list();
    await expect
      .poll(() => cloud.db.selectFrom('keys').select('last_used_at').execute())
      .toEqual([{ last_used_at: new Date(cloud.clock.now()).toISOString() }]);
  });
});

describe('an address', () => {
  it('that does not exist is named, with those that do, before any key is asked for', async () => {
    for (const path of ['', '/nothing', '/chat', '/chat/completions/x']) {
      const response = await sample.send(`${BASE_URL}${path}`, { method: 'POST' });
      expect(response.status).toBe(404);
      const { error } = (await response.json()) as { error: { code: string; message: string } };
      expect(error.code).toBe('unknown_url');
      expect(error.message).toContain('/openai/v1/chat/completions');
    }
  });

  it('that allows other methods says which', async () => {
    const response = await sample.send(`${BASE_URL}/models/x`, { method: 'POST' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, DELETE']);
  });

  it('is not for web pages, nor for other hosts', async () => {
    const page = await sample.send(`${BASE_URL}/models`, { headers: { origin: 'https://example.com' } });
    expect(page.status).toBe(403);
    const response = await sample.api(
      new Request(`${BASE_URL}/models`, { headers: { host: 'example.com' } }),
    )!;
    expect(response.status).toBe(403);
  });

  it('of another API is left to it', () => {
    for (const path of ['/v1/jobs', '/openai', '/openai/v2/models', '/openai/v1x'])
      expect(sample.api(new Request(`http://localhost:4100${path}`))).toBeNull();
  });
});
