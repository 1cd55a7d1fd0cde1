// What an endpoint keeps of the requests that it answers, with the clients that people use.
import { afterEach, describe, expect, it } from 'vitest';
import { EngineError, type Piece } from '../../../lib/engine/index.js';
import { BASE_MODEL } from '../deployments/sample-cloud.js';
import { bearer } from '../edge/sample-edge.js';
import { end, saying, scriptedBackend, text, untilAborted } from '../inference/scripted-backend.js';
import { type KeptCloud, openKeptCloud } from './sample-kept-cloud.js';

let cloud: KeptCloud;
afterEach(() => cloud.close());

const open = async (...pieces: Piece[]) => {
  cloud = await openKeptCloud(scriptedBackend(saying(...pieces)));
  return cloud;
};

const hello = [{ role: 'user' as const, content: 'hello' }];
const said = [text('Hello'), text(' there.'), end(5, 3)] as const;
const usage = { promptTokens: 5, completionTokens: 3 };
const entry = {
  model: BASE_MODEL,
  messages: hello,
  answer: { content: 'Hello there.' },
  outcome: 'complete',
  usage,
  mark: null,
  correction: null,
};

describe('an endpoint that keeps its requests', () => {
  it('keeps a streamed chat of the OpenAI client like one that is not streamed', async () => {
    const { openai } = await open(...said);
    let streamed = '';
    const stream = await openai.chat.completions.create({ model: 'x', messages: hello, stream: true });
    for await (const chunk of stream) streamed += chunk.choices[0]?.delta.content ?? '';
    expect(streamed).toBe('Hello there.');
    await openai.chat.completions.create({ model: 'x', messages: hello });
    const { requests, counts, skipped, nextCursor } = await cloud.list();
    expect(requests).toEqual([
      {
        ...entry,
        operation: 'chat',
        id: expect.any(String),
        createdAt: new Date(cloud.clock.now()).toISOString(),
        durationMs: expect.any(Number),
      },
      expect.objectContaining({ ...entry, operation: 'chat' }),
    ]);
    expect({ counts, skipped, nextCursor }).toEqual({
      counts: { all: 2, good: 0, bad: 0, corrected: 0 },
      skipped: 0,
      nextCursor: null,
    });
  });

  it('keeps responses, messages and completions in the form of a chat', async () => {
    const { openai, anthropic } = await open(...said);
    await openai.responses.create({ model: 'x', input: 'hello', instructions: 'Be brief.' });
    await anthropic.messages.create({ model: 'x', max_tokens: 9, messages: hello, system: 'Be brief.' });
    await openai.completions.create({ model: 'x', prompt: ['hello', 'bye'] });
    const system = { role: 'system', content: 'Be brief.' };
    const { requests } = await cloud.list();
    expect(requests.map(({ operation, messages, answer }) => ({ operation, messages, answer }))).toEqual([
      { operation: 'completions', messages: [{ role: 'user', content: 'bye' }], answer: entry.answer },
      { operation: 'completions', messages: hello, answer: entry.answer },
      { operation: 'messages', messages: [system, ...hello], answer: entry.answer },
      { operation: 'responses', messages: [system, ...hello], answer: entry.answer },
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
    const { openai } = await open(call(0, '{"a":'), call(0, '1}'), call(1, '{}'), last);
    const tools = [{ type: 'function' as const, function: { name: 'look', parameters: { type: 'object' } } }];
    await openai.chat.completions.create({ model: 'x', messages: hello, tools, n: 2 });
    const { requests } = await cloud.list();
    expect(requests).toHaveLength(2);
    expect(requests[0]).toMatchObject({
      tools,
      outcome: 'complete',
      answer: {
        content: null,
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"a":1}' } },
          { id: 'call_2', type: 'function', function: { name: 'look', arguments: '{}' } },
        ],
      },
    });
    await openai.chat.completions.create({ model: 'x', messages: hello, tools, tool_choice: 'none' });
    expect((await cloud.list()).requests[0]).not.toHaveProperty('tools');
  });

  it('marks answers that were cut at the maximum length', async () => {
    const { openai } = await open(text('Hel'), end(5, 1, 'length'));
    await openai.chat.completions.create({ model: 'x', messages: hello, max_tokens: 1 });
    expect((await cloud.list()).requests).toMatchObject([{ outcome: 'cut', answer: { content: 'Hel' } }]);
  });

  it('marks answers that the caller did not wait for, with what was said until then', async () => {
    cloud = await openKeptCloud(
      scriptedBackend(async function* (_, signal) {
        yield text('Hel');
        await untilAborted(signal);
      }),
    );
    const stream = await cloud.openai.chat.completions.create({ model: 'x', messages: hello, stream: true });
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
    await expect
      .poll(async () => (await cloud.list()).requests)
      .toMatchObject([{ outcome: 'aborted', answer: { content: 'Hel' }, usage: null }]);
  });

  it('marks answers that failed, and keeps nothing of refused ones', async () => {
    let failsAfter = 1;
    cloud = await openKeptCloud(
      scriptedBackend(async function* () {
        if (failsAfter > 0) yield text('Hel');
        throw new EngineError('engine_unavailable', 'It is gone.');
      }),
    );
    await cloud.sample.chat('demo', {}, bearer(cloud.key));
    failsAfter = 0;
    expect((await cloud.sample.chat('demo', {}, bearer(cloud.key))).status).toBe(503);
    expect((await cloud.sample.chat('demo', { messages: [] }, bearer(cloud.key))).status).toBe(400);
    expect((await cloud.sample.chat('demo')).status).toBe(401);
    expect((await cloud.list()).requests).toMatchObject([{ outcome: 'failed', answer: { content: 'Hel' } }]);
  });

  it('keeps no embeddings, and no prompts that came as tokens', async () => {
    const { openai } = await open(...said);
    await openai.completions.create({ model: 'x', prompt: [1, 2, 3] });
    await openai.models.list();
    expect((await cloud.list()).requests).toEqual([]);
  });
});

describe('an endpoint that was not told to', () => {
  it('keeps nothing, and no file is made', async () => {
    cloud = await openKeptCloud(scriptedBackend(saying(...said)), {}, {});
    await cloud.sample.chat('demo', {}, bearer(cloud.key));
    expect(cloud.deployment.keepRequests).toBe(false);
    expect(await cloud.list()).toMatchObject({ requests: [], counts: { all: 0 } });
    const { existsSync } = await import('node:fs');
    expect(existsSync(`${cloud.folder}/requests.db`)).toBe(false);
  });
});
