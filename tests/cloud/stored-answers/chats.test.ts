// Chat completions that were created with `store: true`.
import type OpenAI from 'openai';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { end, saying, scriptedBackend, text } from '../backends/scripted-backend.js';
import { BASE_MODEL as model } from '../deployments/sample-cloud.js';
import { createSampleProjectApi, refusal } from '../project-api/sample-project-api.js';
import { HOUR_MS, openStoredCloud, type StoredCloud } from './sample-stored-cloud.js';

let cloud: StoredCloud;
beforeEach(async () => {
  cloud = await openStoredCloud();
});
afterEach(() => cloud.close());

const ask = (content: OpenAI.ChatCompletionUserMessageParam['content'], more = {}) =>
  cloud.client.chat.completions.create({
    model,
    messages: [{ role: 'user', content }],
    store: true,
    ...more,
  });
const listed = async (query = {}) =>
  (await cloud.client.chat.completions.list(query)).data.map(({ id }) => id);

it('is read, changed and deleted, with what it answers', async () => {
  const completion = await ask([{ type: 'text', text: 'hello' }], { metadata: { topic: 'rain' } });
  const { completions } = cloud.client.chat;
  const { id } = completion;
  expect(await completions.retrieve(id)).toEqual({ ...completion, metadata: { topic: 'rain' } });
  const content_parts = [{ type: 'text', text: 'hello' }];
  const message = { id: `${id}-0`, role: 'user', content: 'hello', content_parts };
  expect((await completions.messages.list(id)).data).toEqual([message]);
  expect(await completions.update(id, { metadata: { topic: 'sun' } })).toMatchObject({
    metadata: { topic: 'sun' },
  });
  expect(await refusal(cloud.stranger.chat.completions.retrieve(id))).toMatchObject({ status: 404 });
  expect(await completions.delete(id)).toEqual({ id, object: 'chat.completion.deleted', deleted: true });
  const gone = await refusal(completions.retrieve(id));
  expect(gone).toMatchObject({ status: 404, code: 'chat_completion_not_found' });
});

it('is stored only if its request says so, and listed in pages, by model and metadata', async () => {
  await ask('x', { store: false });
  await ask('x', { store: undefined });
  expect(await listed()).toEqual([]);
  const [one, two] = [await ask('1', { metadata: { "it's": 'a' } }), await ask('2')];
  expect(await listed()).toEqual([one.id, two.id]);
  expect(await listed({ order: 'desc', limit: 1 })).toEqual([two.id]);
  expect(await listed({ after: one.id })).toEqual([two.id]);
  expect(await listed({ metadata: { "it's": 'a' } })).toEqual([one.id]);
  expect(await listed({ metadata: { "it's": 'b' } })).toEqual([]);
  expect(await listed({ model: 'other' })).toEqual([]);
  const lost = await refusal(cloud.client.chat.completions.list({ after: 'chatcmpl-x' }) as never);
  expect(lost).toMatchObject({ status: 400, param: 'after' });
});

it('is deleted as it is listed, or expires between two pages', async () => {
  const { completions } = cloud.client.chat;
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.push((await ask(`${i}`)).id);
  const deleted: string[] = [];
  for await (const { id } of completions.list({ limit: 2 })) {
    deleted.push(id);
    await completions.delete(id);
  }
  expect(deleted).toEqual(ids);
  expect(await listed()).toEqual([]);
  const foreign = cloud.stranger.chat.completions.list({ after: ids[1]! });
  expect(await refusal(foreign as never)).toMatchObject({ status: 400, param: 'after' });

  const old = [await ask('old'), await ask('old')];
  await cloud.clock.pass(HOUR_MS);
  const recent = await ask('recent');
  const page = await completions.list({ limit: 2 });
  expect(page.data.map(({ id }) => id)).toEqual(old.map(({ id }) => id));
  await cloud.clock.pass(23.5 * HOUR_MS);
  expect((await page.getNextPage()).data.map(({ id }) => id)).toEqual([recent.id]);
});

it('is stored as it was streamed', async () => {
  const call = { text: '', tokenIds: [], call: { index: 0, name: 'look' }, arguments: '{}' };
  const backend = scriptedBackend(saying(text('Hm.'), call, end(5, 3)));
  const { completions } = createSampleProjectApi(cloud, backend).clientWith(cloud.apiKey).chat;
  const tools = [{ type: 'function' as const, function: { name: 'look', parameters: {} } }];
  const messages = [{ role: 'user' as const, content: 'hello' }];
  const streamed = await completions.stream({ model, messages, tools, store: true }).finalChatCompletion();
  const stored = await completions.retrieve(streamed.id);
  const [choice] = streamed.choices;
  expect(stored.choices[0]!.message.tool_calls![0]!.id).toBe(choice!.message.tool_calls![0]!.id);
  expect(stored).toMatchObject({ usage: { total_tokens: 8 }, choices: [{ message: { content: 'Hm.' } }] });
});
