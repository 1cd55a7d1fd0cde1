// Responses that are stored: what continues them, who may read them, and how long.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, stepCountIs, tool } from 'ai';
import type OpenAI from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { stageBackup } from '../../../lib/cloud/backup/make-backup.js';
import { type AnswersFile, createAnswersFile } from '../../../lib/cloud/stored-answers/answers-db.js';
import { createStoredAnswers } from '../../../lib/cloud/stored-answers/stored-answers.js';
import { EngineError, type Piece } from '../../../lib/engine/index.js';
import {
  end,
  faultAfter,
  type Script,
  sayingUntilLeft,
  scriptedBackend,
  text,
} from '../backends/scripted-backend.js';
import { BASE_MODEL as model } from '../deployments/sample-cloud.js';
import { BASE_URL, createSampleProjectApi, refusal } from '../project-api/sample-project-api.js';
import { HOUR_MS, lastPrompt, openStoredCloud, type StoredCloud } from './sample-stored-cloud.js';

let cloud: StoredCloud;
afterEach(() => cloud.close());
const open = async (...given: Parameters<typeof openStoredCloud>) => {
  cloud = await openStoredCloud(...given);
};
const ask = (input: OpenAI.Responses.ResponseCreateParams['input'], more = {}) =>
  cloud.client.responses.create({
    model,
    input,
    ...more,
  } as OpenAI.Responses.ResponseCreateParamsNonStreaming);
const idsOf = async (id: string, query = {}) =>
  (await cloud.client.responses.inputItems.list(id, query)).data.map(item => item.id);

describe('a response', () => {
  it('is stored unless its request says otherwise, and is read as it was sent', async () => {
    await open();
    const { output_text, ...response } = await ask('hello', {
      metadata: { a: 'b' },
      instructions: 'Be brief.',
    });
    expect(response).toMatchObject({ store: true, previous_response_id: null, conversation: null });
    const { output_text: again, ...read } = await cloud.client.responses.retrieve(response.id);
    expect([again, read]).toEqual([output_text, response]);
    const unstored = await ask('hello', { store: false });
    expect(unstored).toMatchObject({ store: false });
    const missing = await refusal(cloud.client.responses.retrieve(unstored.id));
    expect(missing).toMatchObject({ status: 404, code: 'response_not_found' });
  });

  it('continues another, whose instructions do not count any more', async () => {
    await open();
    const first = await ask('one', { instructions: 'Be brief.' });
    const second = await ask('two', { previous_response_id: first.id, instructions: 'Be kind.' });
    expect(second.previous_response_id).toBe(first.id);
    await ask([{ role: 'user', content: 'three' }], { previous_response_id: second.id });
    const told = [
      'user: one',
      'assistant: Hello there.',
      'user: two',
      'assistant: Hello there.',
      'user: three',
    ];
    expect(lastPrompt(cloud.backend)).toEqual(told);
    expect(cloud.backend.tasks[1]!.messages[0]).toMatchObject({ content: 'Be kind.' });
  });

  it('answers what was said before, without any input', async () => {
    await open();
    const { id } = await ask('one');
    const second = await cloud.client.responses.create({ model, previous_response_id: id });
    expect(lastPrompt(cloud.backend)).toEqual(['user: one', 'assistant: Hello there.']);
    expect(await idsOf(second.id)).toHaveLength(2);
    const counted = await cloud.client.responses.inputTokens.count({ model, previous_response_id: id });
    expect(counted).toMatchObject({ object: 'response.input_tokens' });
    const third = await ask([], { previous_response_id: second.id, background: true, stream: true });
    for await (const _ of third as never as AsyncIterable<unknown>);
    expect(lastPrompt(cloud.backend)).toHaveLength(3);
  });

  it.each([{}, { input: [] }, { input: null }])(
    'needs an input if nothing was said before: %j',
    async body => {
      await open();
      const { responses, conversations } = cloud.client;
      const { id: conversation } = await conversations.create();
      const asked = [body, { ...body, instructions: 'Be brief.' }, { ...body, conversation }];
      const calls = asked.flatMap(more => [
        responses.create({ model, ...more } as never),
        responses.inputTokens.count({ model, ...more } as never),
      ]);
      for (const call of calls)
        expect(await refusal(call)).toMatchObject({ status: 400, code: 'invalid_value', param: 'input' });
      expect(await ask('one', { conversation })).toMatchObject({ status: 'completed' });
    },
  );

  it('lists all that the model was given, in pages', async () => {
    await open();
    const first = await ask('one');
    const second = await ask('two', { previous_response_id: first.id });
    const items = await cloud.client.responses.inputItems.list(second.id, { order: 'asc' });
    expect(items.data).toMatchObject([
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'one' }] },
      first.output[0]!,
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'two' }] },
    ]);
    const newest = items.data.map(({ id }) => id).reverse();
    expect(await idsOf(second.id)).toEqual(newest);
    expect(await idsOf(second.id, { limit: 1, after: newest[0] })).toEqual([newest[1]]);
    const lost = refusal(cloud.client.responses.inputItems.list(second.id, { after: 'msg_x' }) as never);
    expect(await lost).toMatchObject({ status: 400, param: 'after' });
  });

  it('takes stored items in place of texts, and what other models thought', async () => {
    await open();
    const first = await ask('one');
    await ask([
      { role: 'user', content: 'one' },
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }] },
      { type: 'item_reference', id: first.output[0]!.id! },
      { id: (await idsOf(first.id))[0]! } as never,
    ]);
    expect(lastPrompt(cloud.backend)).toEqual(['user: one', 'assistant: Hello there.', 'user: one']);
    const unknown = await refusal(ask([{ type: 'item_reference', id: 'msg_x' }]));
    expect(unknown).toMatchObject({ status: 404, code: 'item_not_found', param: 'input[0].id' });
  });

  it('takes a stored item as the newest answer or conversation that holds it says it', async () => {
    await open();
    const said = (content: string) => ({ type: 'message' as const, role: 'user' as const, content });
    const reference = { type: 'item_reference' as const, id: 'msg_mine' };
    await ask([{ ...said('old'), id: 'msg_mine' }] as never);
    await ask([{ ...said('new'), id: 'msg_mine' }] as never);
    await ask([reference]);
    expect(lastPrompt(cloud.backend)).toEqual(['user: new']);
    const { conversations } = cloud.client;
    const { id } = await conversations.create({ items: [{ ...said('newest'), id: 'msg_mine' }] as never });
    await ask([reference], { store: false });
    expect(lastPrompt(cloud.backend)).toEqual(['user: newest']);
    await conversations.items.delete('msg_mine', { conversation_id: id });
    await ask([reference]);
    expect(lastPrompt(cloud.backend)).toEqual(['user: new']);
  });

  it('takes each stored item once, and not too many', async () => {
    await open();
    const referring = (ids: string[]) => refusal(ask(ids.map(id => ({ type: 'item_reference', id }))));
    const twice = { status: 400, code: 'invalid_value', param: 'input[1].id' };
    expect(await referring(['msg_x', 'msg_x'])).toMatchObject(twice);
    const many = Array.from({ length: 1001 }, (_, i) => `msg_${i}`);
    expect(await referring(many)).toMatchObject({ status: 400, code: 'invalid_value', param: 'input' });
    expect(await referring(many.slice(1))).toMatchObject({ status: 404, param: 'input[0].id' });
  });

  it('is stored before its stream ends, and not if its caller leaves', async () => {
    await open();
    const stream = await cloud.client.responses.create({ model, input: 'hello', stream: true });
    for await (const event of stream)
      if (event.type === 'response.completed')
        expect(await cloud.client.responses.retrieve(event.response.id)).toMatchObject({
          status: 'completed',
        });
    const slow = createSampleProjectApi(cloud, scriptedBackend(sayingUntilLeft)).clientWith(cloud.apiKey);
    const left = await slow.responses.create({ model, input: 'left behind', stream: true });
    for await (const event of left) if (event.type === 'response.output_text.delta') break;
    expect(await cloud.bytesOnDisk()).not.toContain('left behind');
  });

  it('is deleted from the disk', async () => {
    await open();
    const { id } = await ask('a secret');
    expect(await cloud.bytesOnDisk()).toContain('a secret');
    await cloud.client.responses.delete(id);
    expect(await cloud.bytesOnDisk()).not.toContain('a secret');
    expect(await refusal(cloud.client.responses.delete(id))).toMatchObject({ code: 'response_not_found' });
    const continued = await refusal(ask('x', { previous_response_id: id }));
    expect(continued).toMatchObject({ status: 400, code: 'previous_response_not_found' });
  });

  it('is gone after 24 hours, and from the disk with the next sweep', async () => {
    await open();
    const { id } = await ask('a secret');
    await cloud.clock.pass(24 * HOUR_MS - 1);
    expect(await cloud.client.responses.retrieve(id)).toMatchObject({ id });
    await cloud.clock.pass(1);
    expect(await refusal(cloud.client.responses.retrieve(id))).toMatchObject({ status: 404 });
    await cloud.stored.enforce();
    expect(await cloud.bytesOnDisk()).not.toContain('a secret');
  });

  it('belongs to its project, whatever the key', async () => {
    await open();
    const { id, output } = await ask('hello');
    expect(await cloud.colleague.responses.retrieve(id)).toMatchObject({ id });
    const { responses } = cloud.stranger;
    expect(await refusal(responses.retrieve(id))).toMatchObject({ code: 'response_not_found' });
    expect(await refusal(responses.delete(id))).toMatchObject({ code: 'response_not_found' });
    const reference = { type: 'item_reference' as const, id: output[0]!.id! };
    expect(await refusal(responses.create({ model, input: [reference] }))).toMatchObject({ status: 404 });
  });

  it('cannot be canceled', async () => {
    await open();
    const { id } = await ask('hello');
    expect(await refusal(cloud.client.responses.cancel(id))).toMatchObject({ status: 400, param: 'id' });
  });
});

describe('storage', () => {
  it('makes room for new answers, and keeps none that is too large', async () => {
    await open({ limits: { entries: 2, entryBytes: 10_000 } });
    const ids = [await ask('one'), await ask('two'), await ask('three')].map(({ id }) => id);
    const left = await Promise.allSettled(ids.map(id => cloud.client.responses.retrieve(id)));
    expect(left.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(await ask('x'.repeat(10_000))).toMatchObject({ store: false });
  });

  it('makes room by what came first, also when the clock is set back', async () => {
    await open({ limits: { entries: 2 } });
    const ids = [(await ask('one')).id, (await ask('two')).id];
    const earlier = cloud.clock.now() - HOUR_MS;
    cloud.clock.now = () => earlier;
    ids.push((await ask('three')).id);
    const left = await Promise.allSettled(ids.map(id => cloud.client.responses.retrieve(id)));
    expect(left.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  });

  it('ends after a day also for what came after the clock was ahead', async () => {
    await open();
    let now = cloud.clock.now();
    cloud.clock.now = () => now;
    now += 365 * 24 * HOUR_MS;
    const { id: ahead } = await ask('one');
    now -= 365 * 24 * HOUR_MS;
    const { id } = await ask('two');
    now += 24 * HOUR_MS;
    expect(await refusal(cloud.client.responses.retrieve(id))).toMatchObject({ status: 404 });
    expect(await cloud.client.responses.retrieve(ahead)).toMatchObject({ id: ahead });
  });

  it('is off with `--no-store`: answers say so, and nothing is left on the disk', async () => {
    await open();
    const { id } = await ask('a secret');
    // The clock was ahead then.
    const earlier = cloud.clock.now() - HOUR_MS;
    cloud.clock.now = () => earlier;
    const off = createStoredAnswers(cloud.db, { ...cloud, hours: 0, log: () => {} });
    await off.start();
    await off.close();
    expect(await cloud.bytesOnDisk()).not.toContain('a secret');
    const { client } = {
      client: createSampleProjectApi({ ...cloud, stored: off }, cloud.backend).clientWith(cloud.apiKey),
    };
    expect(await client.responses.create({ model, input: 'x' })).toMatchObject({ store: false });
    const why = expect.stringContaining('this cloud was started with `--no-store`');
    const continued = client.responses.create({ model, input: 'x', previous_response_id: id });
    const refused = {
      status: 400,
      code: 'unsupported_parameter',
      param: 'previous_response_id',
      message: why,
    };
    expect(await refusal(continued)).toMatchObject(refused);
    expect(await refusal(client.responses.retrieve(id))).toMatchObject({ status: 404, message: why });
    expect(await refusal(client.conversations.create())).toMatchObject({ status: 404, message: why });
  });

  it('that fails costs no answer, and is logged once without what was said', async () => {
    const broken = { open: () => Promise.reject(new Error('disk')) } as unknown as AnswersFile;
    await open({ file: { ...broken, openExisting: async () => null, close: async () => {} } });
    for (const secret of ['secret one', 'secret two'])
      expect(await ask(secret)).toMatchObject({ store: false, output_text: 'Hello there.' });
    expect(cloud.storedLog).toHaveLength(1);
    expect(cloud.storedLog.join()).not.toContain('secret');
  });

  it('is in no backup', async () => {
    await open();
    await ask('hello');
    // They have no files here, which a backup would miss.
    await cloud.db.deleteFrom('artifacts').execute();
    const stage = join(cloud.folder, 'stage');
    await mkdir(stage);
    expect((await stageBackup(cloud.folder, async () => stage)).names).toEqual(['cloud.db']);
  });

  it('survives a restart', async () => {
    await open();
    const { id } = await ask('hello');
    await cloud.stored.close();
    const file = createAnswersFile(cloud.folder);
    const stored = createStoredAnswers(cloud.db, { ...cloud, file, log: () => {} });
    await stored.start();
    const again = createSampleProjectApi({ ...cloud, stored }, cloud.backend).clientWith(cloud.apiKey);
    expect(await again.responses.retrieve(id)).toMatchObject({ id, output_text: 'Hello there.' });
    await stored.close();
  });
});

it('a response that fails is not stored', async () => {
  await open({}, scriptedBackend(faultAfter(new EngineError('engine_unavailable', 'No.'), text('Hel'))));
  await refusal(ask('a secret'));
  expect(await cloud.bytesOnDisk()).not.toContain('a secret');
});

it('the AI SDK takes the second step of its default model after a tool was called', async () => {
  const call = { text: '', tokenIds: [], call: { index: 0, name: 'look' }, arguments: '{}' };
  const scripts: Piece[][] = [
    [call, end(1, 1)],
    [text('Rain.'), end(1, 1)],
  ];
  const script: Script = async function* say() {
    yield* scripts.shift()!;
  };
  await open({}, scriptedBackend(script));
  const openai = createOpenAI({ baseURL: BASE_URL, apiKey: cloud.apiKey, fetch: cloud.send });
  const look = tool({ description: 'Look.', inputSchema: z.object({}), execute: async () => 'clouds' });
  const said = await generateText({
    model: openai(model),
    prompt: 'Weather?',
    tools: { look },
    stopWhen: stepCountIs(3),
  });
  expect(said.text).toBe('Rain.');
  const [, second] = cloud.backend.tasks;
  expect(second!.messages).toMatchObject([
    { role: 'user', content: 'Weather?' },
    { role: 'assistant', tool_calls: [{ function: { name: 'look' } }] },
    { role: 'tool', content: 'clouds' },
  ]);
});
