// Conversations, to which responses add their turns.
import type OpenAI from 'openai';
import { afterEach, expect, it } from 'vitest';
import { until } from '../../support/until.js';
import { end, gate, type Script, saying, scriptedBackend, text } from '../backends/scripted-backend.js';
import { BASE_MODEL as model } from '../deployments/sample-cloud.js';
import { refusal } from '../project-api/sample-project-api.js';
import { HOUR_MS, lastPrompt, openStoredCloud, type StoredCloud } from './sample-stored-cloud.js';

let cloud: StoredCloud;
afterEach(() => cloud.close());
const open = async (backend?: Parameters<typeof openStoredCloud>[1]) => {
  cloud = await openStoredCloud({}, backend);
};
const user = (content: string) => ({ type: 'message' as const, role: 'user' as const, content });
const say = (conversation: string, input: string, more = {}) =>
  cloud.client.responses.create({
    ...{ model, input, conversation, ...more },
  } as OpenAI.Responses.ResponseCreateParamsNonStreaming);
const textsOf = async (id: string) => {
  const { data } = await cloud.client.conversations.items.list(id, { order: 'asc' });
  return data.map(item =>
    (item.type === 'message' ? item.content : []).map(part => 'text' in part && part.text).join(),
  );
};

it('responses continue a conversation, also those that are not stored', async () => {
  await open();
  const { id } = await cloud.client.conversations.create({ items: [user('I am Ann.')] });
  const response = await say(id, 'Who am I?');
  expect(response.conversation).toEqual({ id });
  await say(id, 'Thanks.', { store: false, stream: false });
  expect(lastPrompt(cloud.backend)).toEqual([
    'user: I am Ann.',
    'user: Who am I?',
    'assistant: Hello there.',
    'user: Thanks.',
  ]);
  expect(await textsOf(id)).toEqual(['I am Ann.', 'Who am I?', 'Hello there.', 'Thanks.', 'Hello there.']);
});

it.each([{}, { stream: true }, { background: true }])(
  'a conversation is answered as it is: %j',
  async more => {
    await open();
    const { id } = await cloud.client.conversations.create({ items: [user('I am Ann.')] });
    const answer = await cloud.client.responses.create({ model, conversation: id, ...more } as never);
    if ('stream' in more) for await (const _ of answer as never as AsyncIterable<unknown>);
    expect(lastPrompt(cloud.backend)).toEqual(['user: I am Ann.']);
    await until(() => textsOf(id)).toEqual(['I am Ann.', 'Hello there.']);
  },
);

it('a conversation is created, described, changed and deleted', async () => {
  await open();
  const { conversations } = cloud.client;
  const { id } = await conversations.create();
  expect(await conversations.retrieve(id)).toMatchObject({ id, object: 'conversation', metadata: {} });
  expect(await conversations.update(id, { metadata: { topic: 'rain' } })).toMatchObject({
    metadata: { topic: 'rain' },
  });
  const added = await conversations.items.create(id, { items: [user('one'), user('two')] });
  expect(added.data).toMatchObject([{ content: [{ text: 'one' }] }, { content: [{ text: 'two' }] }]);
  const [first, second] = added.data;
  expect(await conversations.items.retrieve(first!.id!, { conversation_id: id })).toEqual(first);
  expect(await conversations.items.delete(first!.id!, { conversation_id: id })).toMatchObject({ id });
  expect((await conversations.items.list(id)).data).toEqual([second]);
  const gone = await refusal(conversations.items.retrieve(first!.id!, { conversation_id: id }));
  expect(gone).toMatchObject({ status: 404, code: 'item_not_found' });
  expect(await conversations.delete(id)).toEqual({ id, object: 'conversation.deleted', deleted: true });
  expect(await refusal(conversations.retrieve(id))).toMatchObject({ code: 'conversation_not_found' });
  expect(await refusal(say(id, 'x'))).toMatchObject({ status: 404, param: 'conversation' });
});

it('a conversation may be created with an empty body, as it comes over a socket', async () => {
  await open();
  const post = (body: string | Uint8Array<ArrayBuffer>) =>
    cloud.send(`${cloud.client.baseURL}/conversations`, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${cloud.apiKey}` },
    });
  const created = await post(new Uint8Array());
  expect([created.status, await created.json()]).toMatchObject([
    200,
    { object: 'conversation', metadata: {} },
  ]);
  expect((await post('{}')).status).toBe(415);
});

it.each(['asc', 'desc'] as const)('all items are deleted as they are listed; order: %s', async order => {
  await open();
  const { conversations } = cloud.client;
  const { items } = conversations;
  const given = ['one', 'two', 'three', 'four', 'five'].map(user);
  const { id } = await conversations.create({ items: given });
  const ids = (await items.list(id, { order })).data.map(item => item.id!);
  const deleted: string[] = [];
  for await (const { id: itemId } of items.list(id, { order, limit: 2 })) {
    deleted.push(itemId!);
    await items.delete(itemId!, { conversation_id: id });
  }
  expect(deleted).toEqual(ids);
  expect(await textsOf(id)).toEqual([]);
});

it('a page goes on after a deleted item, with what is still there and what came since', async () => {
  await open();
  const { conversations } = cloud.client;
  const { id } = await conversations.create({ items: ['one', 'two', 'three', 'four'].map(user) });
  const [one, two, three, four] = (await conversations.items.list(id, { order: 'asc' })).data.map(
    item => item.id!,
  );
  for (const gone of [two!, three!]) await conversations.items.delete(gone, { conversation_id: id });
  const five = (await conversations.items.create(id, { items: [user('five')] })).data[0]!.id;
  const after = async (itemId: string, order: 'asc' | 'desc') =>
    (await conversations.items.list(id, { after: itemId, order })).data.map(item => item.id);
  expect(await after(three!, 'asc')).toEqual([four, five]);
  expect(await after(three!, 'desc')).toEqual([one]);
  await conversations.items.delete(one!, { conversation_id: id });
  expect(await after(three!, 'desc')).toEqual([]);
  expect(await after(two!, 'asc')).toEqual([four, five]);
  const lost = await refusal(conversations.items.list(id, { after: 'msg_x' }) as never);
  expect(lost).toMatchObject({ status: 400, param: 'after' });
});

it('an item that is sent again gets an ID of its own, so that pages go on after it', async () => {
  await open();
  const { conversations } = cloud.client;
  const again = (content: string) => ({ ...user(content), id: 'msg_1' }) as never;
  const { id } = await conversations.create({ items: [again('one'), again('two')] });
  const { data } = await conversations.items.create(id, { items: [again('three')] });
  const response = await say(id, [again('four'), again('five')] as never);
  expect(await textsOf(id)).toEqual(['one', 'two', 'three', 'four', 'five', 'Hello there.']);
  const ids = (await conversations.items.list(id, { order: 'asc' })).data.map(item => item.id);
  expect(new Set(ids).size).toBe(6);
  expect(ids.slice(0, 3)).toEqual(['msg_1', ids[1], data[0]!.id]);
  const given = await cloud.client.responses.inputItems.list(response.id, { order: 'asc' });
  expect(given.data.map(item => item.id)).toEqual(ids.slice(0, 5));
});

it('lives as long as it is used', async () => {
  await open();
  const { id } = await cloud.client.conversations.create();
  await cloud.clock.pass(20 * HOUR_MS);
  await say(id, 'still here');
  await cloud.clock.pass(20 * HOUR_MS);
  expect(await textsOf(id)).toEqual(['still here', 'Hello there.']);
  await cloud.clock.pass(4 * HOUR_MS);
  expect(await refusal(cloud.client.conversations.retrieve(id))).toMatchObject({ status: 404 });
});

it('gives an item with an empty ID one of its own', async () => {
  await open(scriptedBackend(saying(text('Hi.'), end(1, 1))));
  const item = { ...user('one'), id: '' } as OpenAI.Responses.ResponseInputItem;
  const { id } = await cloud.client.conversations.create({ items: [item] });
  const { data } = await cloud.client.conversations.items.list(id);
  expect(data.map(each => each.id)).toEqual([expect.stringMatching(/^msg_/)]);
});

it('has one turn at a time, and loses no item of many added at once', async () => {
  const { open: answer, opened } = gate();
  const script: Script = async function* wait() {
    yield text('Hm.');
    await opened;
    yield end(1, 1);
  };
  await open(scriptedBackend(script));
  const { id } = await cloud.client.conversations.create();
  const stream = await cloud.client.responses.create({ model, input: 'one', conversation: id, stream: true });
  expect(await refusal(say(id, 'two'))).toMatchObject({ status: 409, code: 'conversation_locked' });
  const theirs = cloud.stranger.responses.create({ model, input: 'two', conversation: id });
  expect(await refusal(theirs)).toMatchObject({ status: 404 });
  const counted = cloud.client.responses.inputTokens.count({ model, input: 'two', conversation: id });
  expect(await counted).toMatchObject({ object: 'response.input_tokens' });
  const items = [user('x')];
  const adding = () => cloud.client.conversations.items.create(id, { items });
  expect(await refusal(adding())).toMatchObject({ code: 'conversation_locked' });
  answer();
  for await (const _ of stream);
  await Promise.all([adding(), adding(), adding()]);
  expect(await textsOf(id)).toEqual(['one', 'Hm.', 'x', 'x', 'x']);
  await say(id, 'next');
});

it.each([
  ['both a conversation and a response', { conversation: 'conv_1', previous_response_id: 'resp_1' }],
  ['metadata that is no texts', { metadata: { a: 1 } }],
])('refuses %s', async (_, more) => {
  await open(scriptedBackend(saying(end(1, 1))));
  const asked = cloud.client.responses.create({ model, input: 'x', ...more } as never);
  expect(await refusal(asked)).toMatchObject({ status: 400, code: 'invalid_value' });
});

it('refuses more than 20 items at a time, and items that are not text', async () => {
  await open();
  const { conversations } = cloud.client;
  const many = await refusal(conversations.create({ items: Array(21).fill(user('x')) }));
  expect(many).toMatchObject({ status: 400, param: 'items' });
  const image = { role: 'user', content: [{ type: 'input_image', image_url: 'data:,' }] };
  const other = await refusal(conversations.create({ items: [image as never] }));
  expect(other).toMatchObject({ code: 'unsupported_parameter', param: 'items[0].content[0].type' });
});
