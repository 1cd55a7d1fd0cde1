// The Playground's chat: a whole answer or a stream, and when it creates the state file.
import { afterEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../lib/clock/index.js';
import { ApiError } from '../../lib/contract/index.js';
import { eventStream, STREAM_TIMES } from '../../lib/http/index.js';
import { until } from '../support/until.js';
import { createVirtualClock } from '../support/virtual-clock.js';
import { JOB_ID, openStudio, refusalOf, type TestStudio } from './open-studio.js';

let test: TestStudio;
afterEach(() => test.close());

const MESSAGES = [{ role: 'user', content: 'hi' }];
const BASE = { messages: MESSAGES, baseModel: 'svc/tiny' };
const ADAPTER = { messages: MESSAGES, adapter: { kind: 'final', jobId: JOB_ID } };

const COMPLETION = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'svc/tiny',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};
const chunk = (content: string) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'svc/tiny',
  choices: [{ index: 0, delta: { content }, finish_reason: null }],
});

let received: unknown[];
async function open(
  answer: (input: { body: unknown }) => unknown = () => Response.json(COMPLETION),
  clock?: Clock,
) {
  received = [];
  const routes = {
    chat: (input: { body: unknown }) => {
      received.push(input.body);
      return answer(input);
    },
  };
  test = await openStudio(routes, {}, clock);
}
const known = async () => {
  await test.beKnown();
  await test.writeState();
};
const chat = (body: object) =>
  test.call('/api/inference/chat', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('POST /api/inference/chat', () => {
  it("returns the cloud's completion, for base model and adapter", async () => {
    await open();
    await known();
    for (const body of [BASE, ADAPTER]) {
      const response = await chat(body);
      expect([response.status, await response.json()]).toEqual([200, expect.objectContaining(COMPLETION)]);
    }
    expect(received).toEqual([
      { ...BASE, stream: false },
      { ...ADAPTER, stream: false },
    ]);
    expect(test.cloud.requests.map(({ query }) => query)).toEqual(
      Array(2).fill('?orgSlug=anon-0&projectSlug=web'),
    );
  });

  it('accepts optional temperature, topP and maxTokens', async () => {
    await open();
    await known();
    await chat({ ...BASE, temperature: 0.5, topP: 0.9, maxTokens: 1 });
    expect(received).toEqual([{ ...BASE, temperature: 0.5, topP: 0.9, maxTokens: 1, stream: false }]);
  });

  it('refuses a body with both targets, neither or unknown fields, without calling the cloud', async () => {
    await open();
    await known();
    for (const body of [{ messages: MESSAGES }, { ...BASE, ...ADAPTER }, { ...BASE, top_p: 1 }]) {
      expect((await chat(body)).status).toBe(400);
    }
    expect(test.cloud.calls).toEqual([]);
  });

  it('streams chunks, then [DONE]', async () => {
    await open(() =>
      eventStream(async ({ send }) => {
        for (const content of ['he', 'llo']) await send({ data: JSON.stringify(chunk(content)) });
        await send({ data: '[DONE]' });
      }),
    );
    await known();
    const response = await chat({ ...BASE, stream: true });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const lines = (await response.text()).split('\n\n').filter(Boolean);
    expect(lines.slice(0, -1).map(line => JSON.parse(line.replace('data: ', '')))).toEqual([
      chunk('he'),
      chunk('llo'),
    ]);
    expect(lines.at(-1)).toBe('data: [DONE]');
  });

  it('sends pings while the cloud is silent', async () => {
    let begin = () => {};
    const begun = new Promise<void>(resolve => {
      begin = resolve;
    });
    const answer = () =>
      eventStream(
        async ({ send }) => {
          await begun;
          await send({ data: JSON.stringify(chunk('x')) });
          await send({ data: '[DONE]' });
        },
        { pingNow: true },
      );
    const clock = createVirtualClock();
    await open(answer, clock);
    await known();
    const asked = chat({ ...BASE, stream: true });
    await until(() => clock.nextMs).toBe(STREAM_TIMES.statusMs);
    await clock.pass(STREAM_TIMES.statusMs);
    const body = (await asked).body!.pipeThrough(new TextDecoderStream()).getReader();
    // The first at once, so that the headers leave.
    expect((await body.read()).value).toBe(': ping\n\n');
    // And once more, before the time is over that the cloud has for the start of its answer.
    const read = body.read();
    await clock.pass(STREAM_TIMES.pingMs);
    expect((await read).value).toBe(': ping\n\n');
    begin();
    let rest = '';
    for (let next = await body.read(); !next.done; next = await body.read()) rest += next.value;
    expect(rest).toBe(`data: ${JSON.stringify(chunk('x'))}\n\ndata: [DONE]\n\n`);
  });

  it.each([true, false])(
    'passes on a cloud error with status, envelope and headers (stream: %s)',
    async stream => {
      await open(() => {
        throw new ApiError('engine_busy', 'Too many wait.', { headers: { 'retry-after': '2' } });
      });
      await known();
      const response = await chat({ ...BASE, stream });
      expect(response.headers.get('retry-after')).toBe('2');
      expect(await refusalOf(response)).toEqual({
        status: 429,
        code: 'engine_busy',
        message: 'Too many wait.',
      });
    },
  );

  it('ends the stream with the error instead of [DONE] when the cloud fails midway', async () => {
    const error = {
      message: 'Out of memory.',
      type: 'server_error',
      code: 'engine_unavailable',
      param: null,
    };
    await open(() =>
      eventStream(async ({ send }) => {
        await send({ data: JSON.stringify(chunk('he')) });
        await send({ data: JSON.stringify({ error }) });
      }),
    );
    await known();
    const text = await (await chat({ ...BASE, stream: true })).text();
    expect(text).toBe(`data: ${JSON.stringify(chunk('he'))}\n\ndata: ${JSON.stringify({ error })}\n\n`);
  });

  it("ends the stream with an error instead of [DONE] when the cloud's answer is cut off", async () => {
    await open(() => eventStream(({ send }) => send({ data: JSON.stringify(chunk('he')) })));
    await known();
    const text = await (await chat({ ...BASE, stream: true })).text();
    expect(text).toContain('ended early');
    expect(text).not.toContain('[DONE]');
  });

  it('stops the generation when the client disconnects', async () => {
    let gone: Promise<void> | undefined;
    await open(() =>
      eventStream(async ({ send, signal }) => {
        gone = new Promise(resolve => signal.addEventListener('abort', () => resolve()));
        await send({ data: JSON.stringify(chunk('he')) });
        await gone;
      }),
    );
    await known();
    const reader = (await chat({ ...BASE, stream: true })).body!.getReader();
    await reader.read();
    await reader.cancel();
    await gone;
    expect(gone).toBeDefined();
  });
});

describe('without .svc/state.json', () => {
  it('base-model inference creates the state file for anonymous users', async () => {
    await open();
    expect((await chat(BASE)).status).toBe(200);
    expect(await test.readState()).toMatchObject({ orgSlug: 'anon-1', projectId: 'p-1' });
  });

  it('inference with an adapter answers 400 without calling the cloud or writing anything', async () => {
    await open();
    expect(await refusalOf(await chat(ADAPTER))).toMatchObject({ status: 400, code: 'target_not_found' });
    expect(test.cloud.calls).toEqual([]);
    expect(await test.readState()).toBeNull();
  });

  it.each([BASE, ADAPTER])('inference answers state_missing to OAuth users %#', async body => {
    await open();
    await test.signIn();
    expect(await refusalOf(await chat(body))).toMatchObject({ status: 400, code: 'state_missing' });
    expect(test.cloud.calls).toEqual([]);
    expect(await test.readState()).toBeNull();
  });
});
