// The Playground's chat: a whole answer or a stream, and when it creates the state file.
import { EventEmitter, once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { Clock } from '../../lib/clock/index.js';
import { ApiError } from '../../lib/contract/index.js';
import { type EventWriter, eventStream, STREAM_TIMES } from '../../lib/http/index.js';
import { JOB_ID } from '../support/samples.js';
import { until } from '../support/until.js';
import { createVirtualClock } from '../support/virtual-clock.js';
import { openStudio, refusalOf, type TestStudio } from './open-studio.js';

let test: TestStudio;

const MESSAGES = [{ role: 'user', content: 'hi' }];
const BASE = { messages: MESSAGES, baseModel: 'svc/tiny' };
const ADAPTER = { messages: MESSAGES, adapter: { kind: 'final', jobId: JOB_ID } };

const COMMON = { created: 1, model: 'svc/tiny' };
const COMPLETION = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  ...COMMON,
  choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};
const chunk = (content: string) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  ...COMMON,
  choices: [{ index: 0, delta: { content }, finish_reason: null }],
});
const piece = (text: string) => `data: ${JSON.stringify(chunk(text))}\n\n`;
const send = ({ send }: EventWriter, text: string) => send({ data: JSON.stringify(chunk(text)) });
const end = ({ send }: EventWriter) => send({ data: '[DONE]' });

let received: unknown[];
async function open(answer: () => unknown = () => Response.json(COMPLETION), clock?: Clock) {
  received = [];
  const chat = ({ body }: { body: unknown }) => {
    received.push(body);
    return answer();
  };
  test = await openStudio({ chat }, {}, clock);
}
const chat = (body: object) => {
  const headers = { 'content-type': 'application/json' };
  return test.call('/api/inference/chat', { method: 'POST', headers, body: JSON.stringify(body) });
};
const streamed = () => chat({ ...BASE, stream: true });

describe('POST /api/inference/chat', () => {
  it("returns the cloud's completion, for base model and adapter, with optional settings", async () => {
    await open();
    await test.link();
    const bodies = [BASE, ADAPTER, { ...BASE, temperature: 0.5, topP: 0.9, maxTokens: 1 }];
    for (const body of bodies) {
      const response = await chat(body);
      expect([response.status, await response.json()]).toEqual([200, expect.objectContaining(COMPLETION)]);
    }
    expect(received).toEqual(bodies.map(body => ({ ...body, stream: false })));
    const queries = test.cloud.requests.map(({ query }) => query);
    expect(queries).toEqual(Array(3).fill('?orgSlug=anon-0&projectSlug=web'));
  });

  it('refuses a body with both targets, neither or unknown fields, without calling the cloud', async () => {
    await open();
    await test.link();
    for (const body of [{ messages: MESSAGES }, { ...BASE, ...ADAPTER }, { ...BASE, top_p: 1 }])
      expect((await chat(body)).status).toBe(400);
    expect(test.cloud.calls).toEqual([]);
  });

  it('streams chunks, then [DONE]', async () => {
    await open(() =>
      eventStream(async writer => {
        for (const text of ['he', 'llo']) await send(writer, text);
        await end(writer);
      }),
    );
    await test.link();
    const response = await streamed();
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(await response.text()).toBe(`${piece('he')}${piece('llo')}data: [DONE]\n\n`);
  });

  it('sends pings while the cloud is silent', async () => {
    const source = new EventEmitter();
    const write = async (writer: EventWriter) => {
      await once(source, 'begin');
      await send(writer, 'x');
      await end(writer);
    };
    const clock = createVirtualClock();
    await open(() => eventStream(write, { pingNow: true }), clock);
    await test.link();
    const asked = streamed();
    // Connecting to the cloud may take as long, and is over once it has the request.
    await until(() => received.length).toBe(1);
    await until(() => clock.nextMs).toBe(STREAM_TIMES.statusMs);
    await clock.pass(STREAM_TIMES.statusMs);
    const body = (await asked).body!.pipeThrough(new TextDecoderStream()).getReader();
    // The first at once, so that the headers leave.
    expect((await body.read()).value).toBe(': ping\n\n');
    // And once more, before the time is over that the cloud has for the start of its answer.
    const read = body.read();
    await clock.pass(STREAM_TIMES.pingMs);
    expect((await read).value).toBe(': ping\n\n');
    source.emit('begin');
    let rest = '';
    for (let next = await body.read(); !next.done; next = await body.read()) rest += next.value;
    expect(rest).toBe(`${piece('x')}data: [DONE]\n\n`);
  });

  it.each([true, false])('passes on an error of the cloud (stream: %s)', async stream => {
    const headers = { 'retry-after': '2' };
    await open(() => Promise.reject(new ApiError('engine_busy', 'Too many wait.', { headers })));
    await test.link();
    const response = await chat({ ...BASE, stream });
    expect(response.headers.get('retry-after')).toBe('2');
    const refusal = { status: 429, code: 'engine_busy', message: 'Too many wait.' };
    expect(await refusalOf(response)).toEqual(refusal);
  });

  it('ends the stream with an error instead of [DONE] when the cloud fails midway or is cut off', async () => {
    const error = { message: 'No memory.', type: 'server_error', code: 'engine_unavailable', param: null };
    let told: object | undefined = { error };
    await open(() =>
      eventStream(async writer => {
        await send(writer, 'he');
        if (told) await writer.send({ data: JSON.stringify(told) });
      }),
    );
    await test.link();
    expect(await (await streamed()).text()).toBe(`${piece('he')}data: ${JSON.stringify({ error })}\n\n`);
    told = undefined;
    const text = await (await streamed()).text();
    expect(text).toContain('ended early');
    expect(text).not.toContain('[DONE]');
  });

  it('stops the generation when the client disconnects', async () => {
    let upstream: AbortSignal | undefined;
    await open(() =>
      eventStream(async writer => {
        upstream = writer.signal;
        await send(writer, 'he');
        await once(upstream, 'abort');
      }),
    );
    await test.link();
    const reader = (await streamed()).body!.getReader();
    await reader.read();
    await reader.cancel();
    await until(() => upstream!.aborted).toBe(true);
  });
});

describe('without .svc/state.json', () => {
  it('base-model inference creates the state file for anonymous users', async () => {
    await open();
    expect((await chat(BASE)).status).toBe(200);
    expect(await test.readState()).toMatchObject({ orgSlug: 'anon-1', projectId: 'p-1' });
  });

  it.each([
    ['with an adapter answers target_not_found', ADAPTER, false, 'target_not_found'],
    ['answers state_missing to OAuth users', BASE, true, 'state_missing'],
    ['with an adapter answers state_missing to OAuth users', ADAPTER, true, 'state_missing'],
  ])('inference %s, and calls no cloud and writes nothing', async (_, body, isSignedIn, code) => {
    await open();
    if (isSignedIn) await test.signIn();
    expect(await refusalOf(await chat(body))).toMatchObject({ status: 400, code });
    expect(test.cloud.calls).toEqual([]);
    expect(await test.readState()).toBeNull();
  });
});
