// What an endpoint keeps of the requests that it answers, with the clients that people use.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { EngineError, type Piece } from '../../../lib/engine/index.js';
import { until } from '../../support/until.js';
import { end, saying, sayingUntilLeft, scriptedBackend, text } from '../backends/scripted-backend.js';
import { BASE_MODEL } from '../deployments/sample-cloud.js';
import { bearer } from '../edge/sample-edge.js';
import { type KeptCloud, openKeptCloud } from './sample-kept-cloud.js';

let cloud: KeptCloud;
afterEach(() => cloud.close());

const open = async (...pieces: Piece[]) => {
  cloud = await openKeptCloud(scriptedBackend(saying(...pieces)));
  return cloud;
};

const messages = [{ role: 'user' as const, content: 'hello' }];
const hello = { model: 'x', messages };
const said = [text('Hello'), text(' there.'), end(5, 3)] as const;
const usage = { promptTokens: 5, completionTokens: 3 };
const answer = { content: 'Hello there.' };

describe('an endpoint that keeps its requests', () => {
  it('keeps a streamed chat of the OpenAI client like one that is not streamed', async () => {
    const { completions } = (await open(...said)).openai.chat;
    expect(await completions.stream(hello).finalContent()).toBe('Hello there.');
    await completions.create(hello);
    const kept = { model: BASE_MODEL, operation: 'chat', messages, answer, outcome: 'complete', usage };
    const createdAt = new Date(cloud.clock.now()).toISOString();
    const given = { id: expect.any(String), createdAt, durationMs: expect.any(Number) };
    const entry = { ...kept, ...given, mark: null, correction: null };
    expect(await cloud.list()).toEqual({
      requests: [entry, entry],
      counts: { all: 2, good: 0, bad: 0, corrected: 0 },
      skipped: 0,
      nextCursor: null,
    });
  });

  it('keeps responses, messages and completions in the form of a chat', async () => {
    const { openai, anthropic } = await open(...said);
    await openai.responses.create({ model: 'x', input: 'hello', instructions: 'Be brief.' });
    await anthropic.messages.create({ ...hello, max_tokens: 9, system: 'Be brief.' });
    await openai.completions.create({ model: 'x', prompt: ['hello', 'bye'] });
    const system = { role: 'system', content: 'Be brief.' };
    const { requests } = await cloud.list();
    expect(requests.map(kept => [kept.operation, kept.messages, kept.answer])).toEqual([
      ['completions', [{ role: 'user', content: 'bye' }], answer],
      ['completions', messages, answer],
      ['messages', [system, ...messages], answer],
      ['responses', [system, ...messages], answer],
    ]);
  });

  it('keeps tools and calls, and each of several answers', async () => {
    const call = (index: number, given: string): Piece => ({
      text: '',
      tokenIds: [],
      call: { index, name: 'look' },
      arguments: given,
    });
    const last: Piece = { text: '', tokenIds: [], finishReason: 'tool_calls', usage };
    const { completions } = (await open(call(0, '{"a":'), call(0, '1}'), call(1, '{}'), last)).openai.chat;
    const tools = [{ type: 'function' as const, function: { name: 'look', parameters: { type: 'object' } } }];
    await completions.create({ ...hello, tools, n: 2 });
    const { requests } = await cloud.list();
    expect(requests).toHaveLength(2);
    const kept = (id: string, args: string) => ({
      id,
      type: 'function',
      function: { name: 'look', arguments: args },
    });
    const tool_calls = [kept('call_1', '{"a":1}'), kept('call_2', '{}')];
    expect(requests[0]).toMatchObject({ tools, outcome: 'complete', answer: { content: null, tool_calls } });
    await completions.create({ ...hello, tools, tool_choice: 'none' });
    expect((await cloud.list()).requests[0]).not.toHaveProperty('tools');
  });

  it('marks answers that were cut at the maximum length', async () => {
    const { openai } = await open(text('Hel'), end(5, 1, 'length'));
    await openai.chat.completions.create({ ...hello, max_tokens: 1 });
    expect((await cloud.list()).requests).toMatchObject([{ outcome: 'cut', answer: { content: 'Hel' } }]);
  });

  it('marks answers that the caller did not wait for, with what was said until then', async () => {
    cloud = await openKeptCloud(scriptedBackend(sayingUntilLeft));
    const stream = await cloud.openai.chat.completions.create({ ...hello, stream: true });
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
    const aborted = { outcome: 'aborted', answer: { content: 'x' }, usage: null };
    await until(async () => (await cloud.list()).requests).toMatchObject([aborted]);
  });

  it('marks answers that failed, and keeps nothing of refused ones', async () => {
    let hasBegun = true;
    cloud = await openKeptCloud(
      scriptedBackend(async function* () {
        if (hasBegun) yield text('Hel');
        throw new EngineError('engine_unavailable', 'It is gone.');
      }),
    );
    const statusOf = async (body = {}, headers = bearer(cloud.key)) =>
      (await cloud.sample.chat('demo', body, headers)).status;
    await statusOf();
    hasBegun = false;
    const refused = [await statusOf(), await statusOf({ messages: [] }), await statusOf({}, bearer('x'))];
    expect(refused).toEqual([503, 400, 401]);
    expect((await cloud.list()).requests).toMatchObject([{ outcome: 'failed', answer: { content: 'Hel' } }]);
  });

  it('keeps no embeddings, and no prompts that came as tokens', async () => {
    const { openai } = await open(...said);
    await openai.completions.create({ model: 'x', prompt: [1, 2, 3] });
    await openai.models.list();
    expect((await cloud.list()).requests).toEqual([]);
  });
});

it('an endpoint that was not told to keeps nothing, and no file is made', async () => {
  cloud = await openKeptCloud(scriptedBackend(saying(...said)), {}, {});
  await cloud.sample.chat('demo', {}, bearer(cloud.key));
  expect(cloud.deployment.keepRequests).toBe(false);
  expect(await cloud.list()).toMatchObject({ requests: [], counts: { all: 0 } });
  expect(existsSync(join(cloud.folder, 'requests.db'))).toBe(false);
});
