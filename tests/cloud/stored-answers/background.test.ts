// Responses in the background: answered at once, read until they have ended, canceled, and what a restart makes of them.
import type OpenAI from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import { createAnswersFile } from '../../../lib/cloud/stored-answers/answers-db.js';
import { createStoredAnswers } from '../../../lib/cloud/stored-answers/stored-answers.js';
import { EngineError } from '../../../lib/engine/index.js';
import { until } from '../../support/until.js';
import {
  end,
  faultAfter,
  gate,
  type Script,
  saying,
  sayingUntilLeft,
  scriptedBackend,
  text,
} from '../backends/scripted-backend.js';
import { BASE_MODEL as model } from '../deployments/sample-cloud.js';
import { createSampleProjectApi, refusal } from '../project-api/sample-project-api.js';
import { openHere } from '../store/open-here.js';
import { lastPrompt, openStoredCloud, type StoredCloud } from './sample-stored-cloud.js';

let cloud: StoredCloud;
afterEach(async () => {
  await cloud.background.close();
  await cloud.close();
});
const open = async (script: Script, options = {}) => {
  cloud = await openStoredCloud(options, scriptedBackend(script));
};
const start = (more = {}) =>
  cloud.client.responses.create({
    ...{ model, input: 'hello', background: true, ...more },
  } as OpenAI.Responses.ResponseCreateParamsNonStreaming);
const read = (id: string) => cloud.client.responses.retrieve(id);
const statusOf = async (id: string) => (await read(id)).status;
const hello = saying(text('Hello'), text(' there.'), end(5, 3));
/** Says a word, and the rest when the test wants it. */
const waiting = () => {
  const { open: go, opened } = gate();
  const script: Script = async function* wait() {
    yield text('Hello');
    await opened;
    yield* [text(' there.'), end(5, 3)];
  };
  return { go, script };
};

it('is answered at once, and read until it has ended, also by the next turn', async () => {
  const { go, script } = waiting();
  await open(script);
  const queued = await start();
  expect(queued).toMatchObject({ status: 'queued', background: true, store: true, output: [] });
  await until(() => statusOf(queued.id)).toBe('in_progress');
  go();
  await until(() => statusOf(queued.id)).toBe('completed');
  expect(await read(queued.id)).toMatchObject({ output_text: 'Hello there.', usage: { total_tokens: 8 } });
  await until(() => cloud.background.find(queued.id)).toBeNull();
  expect(await read(queued.id)).toMatchObject({ output_text: 'Hello there.', store: true });
  await start({ previous_response_id: queued.id, background: false });
  expect(lastPrompt(cloud.backend)).toEqual(['user: hello', 'assistant: Hello there.', 'user: hello']);
  expect(cloud.backend.tasks.map(task => task.isLowPriority ?? false)).toEqual([true, false]);
});

it('ends when it is canceled, and again has no effect', async () => {
  await open(sayingUntilLeft);
  const { id } = await start();
  await until(() => statusOf(id)).toBe('in_progress');
  expect(await refusal(cloud.stranger.responses.cancel(id))).toMatchObject({ status: 404 });
  expect(cloud.backend.open).toBe(1);
  expect(await cloud.client.responses.cancel(id)).toMatchObject({ id, status: 'cancelled' });
  expect(cloud.backend.open).toBe(0);
  expect(await cloud.client.responses.cancel(id)).toMatchObject({ status: 'cancelled' });
});

it('outlives what is stored meanwhile, and its time, until it has ended', async () => {
  const { go, script } = waiting();
  await open(script, { limits: { entries: 2 } });
  const { id } = await start();
  await until(() => statusOf(id)).toBe('in_progress');
  for (let i = 0; i < 3; i++) await cloud.client.conversations.create();
  await cloud.clock.pass(25 * 60 * 60 * 1000);
  expect(await statusOf(id)).toBe('in_progress');
  go();
  await until(() => statusOf(id)).toBe('completed');
});

it('ends when it is deleted', async () => {
  await open(sayingUntilLeft);
  const { id } = await start();
  await cloud.client.responses.delete(id);
  expect(cloud.backend.open).toBe(0);
  await until(() => cloud.background.find(id)).toBeNull();
  expect(await refusal(read(id))).toMatchObject({ code: 'response_not_found' });
});

it('is continued when it has ended with an answer', async () => {
  const { go, script } = waiting();
  await open(script);
  const { id } = await start();
  const next = () => start({ previous_response_id: id, background: false });
  const refused = { status: 400, code: 'invalid_value', param: 'previous_response_id' };
  await until(() => statusOf(id)).toBe('in_progress');
  expect(await refusal(next())).toMatchObject(refused);
  go();
  await until(() => statusOf(id)).toBe('completed');
  expect(await next()).toMatchObject({ previous_response_id: id });
  expect(lastPrompt(cloud.backend)).toEqual(['user: hello', 'assistant: Hello there.', 'user: hello']);
});

it('is not continued when it was canceled', async () => {
  await open(sayingUntilLeft);
  const { id } = await start();
  await cloud.client.responses.cancel(id);
  await until(() => cloud.background.find(id)).toBeNull();
  const next = refusal(start({ previous_response_id: id, background: false }));
  expect(await next).toMatchObject({ status: 400, message: expect.stringContaining('`cancelled`') });
});

it('is streamed while it is generated and after that, from any event on', async () => {
  const { go, script } = waiting();
  await open(script);
  const stream = await cloud.client.responses.create({ model, input: 'x', background: true, stream: true });
  let id = '';
  for await (const event of stream) {
    if (event.type === 'response.created') id = event.response.id;
    if (event.type === 'response.output_text.delta') break;
  }
  const again = await cloud.client.responses.retrieve(id, { stream: true, starting_after: 1 });
  go();
  const events: OpenAI.Responses.ResponseStreamEvent[] = [];
  for await (const event of again) events.push(event);
  expect(events[0]).toMatchObject({ type: 'response.in_progress', sequence_number: 2 });
  expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { id, status: 'completed' } });
  await until(() => cloud.background.find(id)).toBeNull();
  const late: unknown[] = [];
  for await (const event of await cloud.client.responses.retrieve(id, { stream: true, starting_after: 1 }))
    late.push(event);
  expect(late).toEqual(events);
});

it('is not streamed if it was not asked to be', async () => {
  await open(hello);
  const { id } = await start();
  const refused = await refusal(cloud.client.responses.retrieve(id, { stream: true }) as never);
  expect(refused).toMatchObject({ status: 400, param: 'stream' });
});

it('waits while too many others wait, and fails for other faults', async () => {
  const faults = [new EngineError('engine_busy', 'Busy.'), new EngineError('engine_busy', 'Busy.')];
  const script: Script = async function* busy(task, signal) {
    const fault = faults.shift();
    yield* fault ? faultAfter(fault)(task, signal) : hello(task, signal);
  };
  await open(script);
  const { id } = await start();
  await until(async () => {
    await cloud.clock.pass(1000);
    return statusOf(id);
  }).toBe('completed');
  const broken = createSampleProjectApi(cloud, scriptedBackend(faultAfter(new Error('Oh.'), text('x'))));
  const { responses } = broken.clientWith(cloud.apiKey);
  const failing = await responses.create({ model, input: 'x', background: true });
  await until(async () => (await responses.retrieve(failing.id)).error).toMatchObject({
    code: 'server_error',
  });
  await broken.background.close();
});

it('has failed if the cloud stopped, or was killed, before it had ended', async () => {
  await open(sayingUntilLeft);
  const stopped = await start();
  await cloud.background.close();
  const message = expect.stringContaining('The cloud stopped before this response was complete.');
  expect(await read(stopped.id)).toMatchObject({ status: 'failed', error: { message } });
  const killed = await start();
  const next = createStoredAnswers(cloud.db, { ...cloud, log: () => {} });
  await next.start();
  const after = createSampleProjectApi({ ...cloud, stored: next }, cloud.backend).clientWith(cloud.apiKey);
  expect(await after.responses.retrieve(killed.id)).toMatchObject({ status: 'failed', error: { message } });
  await next.close();
});

it('has failed after a kill also if the database could not be read at the start', async () => {
  await open(sayingUntilLeft);
  const killed = await start();
  const file = createAnswersFile(cloud.folder, openHere(cloud.clock));
  let isBroken = true;
  const openExisting = async () => {
    if (isBroken) throw new Error('disk');
    return file.openExisting();
  };
  const stored = createStoredAnswers(cloud.db, {
    ...{ ...cloud, file: { ...file, openExisting } },
    log: () => {},
  });
  await stored.start();
  isBroken = false;
  const next = createSampleProjectApi({ ...cloud, stored }, cloud.backend);
  const { responses } = next.clientWith(cloud.apiKey);
  const running = await responses.create({ model, input: 'x', background: true });
  const ofStopped = async () => (await responses.retrieve(killed.id)).status;
  expect(await ofStopped()).toBe('queued');
  await cloud.clock.pass(60_000);
  await until(ofStopped).toBe('failed');
  const rows = (await file.open()).selectFrom('entries').select('id').where('is_open', '=', 1);
  expect(await rows.execute()).toEqual([{ id: running.id }]);
  await next.background.close();
  await stored.close();
});

it('needs to be stored', async () => {
  await open(hello);
  expect(await refusal(start({ store: false }))).toMatchObject({ status: 400, param: 'background' });
  const off = createStoredAnswers(cloud.db, { ...cloud, hours: 0, log: () => {} });
  const { responses } = createSampleProjectApi({ ...cloud, stored: off }, cloud.backend).clientWith(
    cloud.apiKey,
  );
  const refused = await refusal(responses.create({ model, input: 'x', background: true }));
  expect(refused).toMatchObject({ code: 'unsupported_parameter', param: 'background' });
});

it('is 100 times at once for a key at most', async () => {
  await open(sayingUntilLeft);
  await Promise.all(Array.from({ length: 100 }, () => start()));
  expect(await refusal(start())).toMatchObject({ status: 429, code: 'engine_busy' });
});

const tooLarge = { status: 'failed', error: { message: expect.stringContaining('too large') } };

it.each([
  { words: 1, stream: false, stored: tooLarge },
  { words: 1, stream: true, stored: tooLarge },
  // Each has an event.
  { words: 100, stream: true, stored: { status: 'completed', output_text: 'x'.repeat(500) } },
])('is stored as far as there is room: $words words, stream: $stream', async ({ words, stream, stored }) => {
  const word = text('x'.repeat(words === 1 ? 20_000 : 5));
  const script = saying(...Array.from({ length: words }, () => word), end(5, 3));
  await open(script, { limits: { entryBytes: 10_000 } });
  const sent = (await start({ stream })) as unknown;
  let id = (sent as OpenAI.Responses.Response).id;
  if (stream)
    for await (const event of sent as AsyncIterable<OpenAI.Responses.ResponseStreamEvent>)
      if (event.type === 'response.created') id = event.response.id;
  await until(() => cloud.background.find(id)).toBeNull();
  expect(await read(id)).toMatchObject(stored);
  const again = refusal(cloud.client.responses.retrieve(id, { stream: true, starting_after: 3 }) as never);
  const message = expect.stringContaining('Read it without `stream`.');
  expect(await again).toMatchObject({ status: 400, param: 'stream', message });
});

describe('of which only the beginning can be stored', () => {
  /** As large as one with this input is while it is queued. */
  async function openFor(input: string): Promise<void> {
    await open(hello);
    await start({ input });
    const file = createAnswersFile(cloud.folder, openHere(cloud.clock));
    const rows = (await file.open()).selectFrom('entries').select('bytes');
    const { bytes: entryBytes } = await rows.executeTakeFirstOrThrow();
    await file.close();
    await cloud.background.close();
    await cloud.close();
    await open(hello, { limits: { entryBytes } });
  }

  it('has failed, without its input if need be', async () => {
    const input = 'x'.repeat(1000);
    await openFor(input);
    const { id } = await start({ input });
    await until(() => cloud.background.find(id)).toBeNull();
    expect(await read(id)).toMatchObject(tooLarge);
    expect((await cloud.client.responses.inputItems.list(id)).data).toEqual([]);
  });

  it('is deleted if not even that can be stored', async () => {
    await openFor('x');
    const { id } = await start({ input: 'x' });
    await until(() => cloud.background.find(id)).toBeNull();
    expect(await refusal(read(id))).toMatchObject({ code: 'response_not_found' });
  });
});
