import { describe, expect, it } from 'vitest';
import type { CloudLogLine } from '../../../lib/cloud/deps.js';
import { createAnswerChat } from '../../../lib/cloud/openai/answer-chat.js';
import {
  type ChatCompletionRequest,
  chatCompletion,
  chatCompletionChunk,
} from '../../../lib/contract/index.js';
import { EngineError, type EngineErrorCode } from '../../../lib/engine/index.js';
import type { StreamTimes } from '../../../lib/http/index.js';
import { createVirtualClock } from '../../support/virtual-clock.js';
import {
  end,
  type Script,
  saying,
  scriptedBackend,
  text,
  untilAborted,
} from '../inference/scripted-backend.js';

const asked: ChatCompletionRequest = { messages: [{ role: 'user', content: 'hi' }] };
const served = { name: 'm:job:final', adapter: '/adapter', fingerprint: 'fp_1' };
const never = new AbortController().signal;
const clock = createVirtualClock(Date.UTC(2026, 2, 1, 10, 0, 0, 700));

function answering(script: Script, times?: Pick<StreamTimes, 'pingMs' | 'statusMs'>) {
  const backend = scriptedBackend(script);
  const logged: CloudLogLine[] = [];
  return {
    backend,
    logged,
    answer: createAnswerChat({ backend, clock, log: line => logged.push(line), ...(times && { times }) }),
  };
}

/** The data of an event stream; fails on any other field. */
async function readData(response: Response): Promise<string[]> {
  const frames = (await response.text()).split('\n\n');
  expect(frames.pop()).toBe('');
  return frames.map(frame => {
    expect(frame).toMatch(/^data: [^\n]*$/);
    return frame.slice('data: '.length);
  });
}

const faultAfter = (fault: unknown, ...pieces: Parameters<typeof saying>): Script =>
  async function* script() {
    yield* pieces;
    throw fault;
  };

it.each([false, true])('records that the engine found a damaged adapter, streamed: %s', async stream => {
  const fault = new EngineError('adapter_damaged', '/secret/path');
  const { answer } = answering(faultAfter(fault, text('Hel')), { pingMs: 1000, statusMs: 1000 });
  let noted = 0;
  const noteDamage = async () => void noted++;
  const whole = answer({ ...asked, stream }, { ...served, noteDamage }, never).then(readData);
  if (stream) expect((await whole).at(-1)).toContain('adapter_damaged');
  else await expect(whole).rejects.toMatchObject({ code: 'adapter_damaged' });
  expect(noted).toBe(1);
});

it('says that the base model is damaged, and that trying again does not help', async () => {
  const { answer } = answering(faultAfter(new EngineError('model_damaged', 'Replace its files.')));
  await expect(answer(asked, served, never)).rejects.toMatchObject({
    code: 'model_damaged',
    message: 'Replace its files.',
    headers: { 'x-should-retry': 'false' },
  });
});

describe('an answer that is not streamed', () => {
  it('is a completion by the served model', async () => {
    const { answer, backend } = answering(saying(text('Hello'), end(3, 1)));
    const response = await answer(asked, served, never);
    expect(response.headers.get('content-type')).toContain('application/json');
    const document = chatCompletion.parse(await response.json());
    expect(document).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-\w{20,}$/),
      created: Date.parse('2026-03-01T10:00:00Z') / 1000,
      model: 'm:job:final',
      system_fingerprint: 'fp_1',
      choices: [{ message: { content: 'Hello' } }],
    });
    expect(backend.tasks).toMatchObject([{ adapter: '/adapter' }]);
  });

  it('is generated once per requested choice', async () => {
    const { answer, backend } = answering(saying(text('x'), end(3, 2)));
    const document = await (await answer({ ...asked, n: 3, seed: 7 }, served, never)).json();
    expect(document).toMatchObject({ choices: [{ index: 0 }, { index: 1 }, { index: 2 }] });
    expect(document).toMatchObject({ usage: { prompt_tokens: 3, completion_tokens: 6 } });
    expect(backend.tasks.map(({ seed }) => seed)).toEqual([7, 8, 9]);
  });

  it.each([
    ['engine_busy', 429, null],
    ['engine_unavailable', 503, null],
    ['context_length_exceeded', 400, 'messages'],
    ['invalid_value', 400, 'messages'],
  ])('turns the engine error %s into an API error, streamed or not', async (code, status, param) => {
    const { answer } = answering(faultAfter(new EngineError(code as EngineErrorCode, 'A sentence.')));
    for (const stream of [false, true]) {
      const refused = answer({ ...asked, stream }, served, never);
      await expect(refused).rejects.toMatchObject({
        name: 'ApiError',
        status,
        code,
        param,
        message: 'A sentence.',
      });
      const wait = { engine_busy: '1', engine_unavailable: '5' }[code];
      await refused.catch(error => expect(error.headers).toEqual(wait ? { 'retry-after': wait } : {}));
    }
  });

  it('rethrows an internal engine error unchanged', async () => {
    const fault = new EngineError('internal_error', '/secret/path');
    await expect(answering(faultAfter(fault)).answer(asked, served, never)).rejects.toBe(fault);
  });

  it('stops when the client disconnects', async () => {
    const { answer, backend } = answering(async function* script(_, signal) {
      yield text('x');
      await untilAborted(signal);
    });
    const caller = new AbortController();
    const reason = new Error('gone');
    const answered = answer(asked, served, caller.signal);
    caller.abort(reason);
    await expect(answered).rejects.toBe(reason);
    expect(backend.open).toBe(0);
  });
});

describe('a streamed answer', () => {
  it('sends pings before the first token', async () => {
    let begin = () => {};
    const begun = new Promise<void>(resolve => {
      begin = resolve;
    });
    const script: Script = async function* script() {
      await begun;
      yield text('x');
      yield end(3, 1);
    };
    const { answer } = answering(script, { pingMs: 5, statusMs: 5 });
    const response = await answer({ ...asked, stream: true }, served, never);
    const body = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    for (let i = 0; i < 3; i++) expect((await body.read()).value).toBe(': ping\n\n');
    begin();
    let rest = '';
    for (let next = await body.read(); !next.done; next = await body.read()) rest += next.value;
    expect(rest.replaceAll(': ping\n\n', '')).toMatch(/^data: \{[\s\S]*data: \[DONE\]\n\n$/);
  });

  it('ends with an error event when it is refused after the stream has started', async () => {
    let refuse = () => {};
    const refused = new Promise<void>(resolve => {
      refuse = resolve;
    });
    // biome-ignore lint/correctness/useYield: it throws before it yields.
    const script: Script = async function* script() {
      await refused;
      throw new EngineError('context_length_exceeded', 'A sentence.');
    };
    const { answer } = answering(script, { pingMs: 60_000, statusMs: 5 });
    const response = await answer({ ...asked, stream: true }, served, never);
    expect(response.status).toBe(200);
    refuse();
    const [ping, data] = (await response.text()).split('\n\n');
    expect(ping).toBe(': ping');
    expect(JSON.parse(data!.slice('data: '.length))).toMatchObject({
      error: { code: 'context_length_exceeded' },
    });
  });

  it('consists of unnamed events with chunks of one id, then [DONE]', async () => {
    const { answer } = answering(saying(text('Hel'), text('lo\n'), end(3, 2)));
    const response = await answer({ ...asked, stream: true }, served, never);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const data = await readData(response);
    expect(data.pop()).toBe('[DONE]');
    const chunks = data.map(line => chatCompletionChunk.parse(JSON.parse(line)));
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    expect(chunks.map(({ choices }) => choices[0]?.delta)).toEqual([
      { role: 'assistant', content: '' },
      { content: 'Hel' },
      { content: 'lo\n' },
      {},
    ]);
  });

  it('ends with the usage when requested', async () => {
    const { answer } = answering(saying(text('x'), end(3, 2)));
    const request = { ...asked, stream: true, stream_options: { include_usage: true } };
    const data = await readData(await answer(request, served, never));
    expect(JSON.parse(data.at(-2)!)).toMatchObject({ choices: [], usage: { total_tokens: 5 } });
    expect(JSON.parse(data.at(-3)!)).toMatchObject({ usage: null });
  });

  it('ends with an error event when the engine fails midway', async () => {
    const fault = new EngineError('engine_unavailable', 'The engine stopped.');
    const { answer, logged } = answering(faultAfter(fault, text('x')));
    const data = await readData(await answer({ ...asked, stream: true }, served, never));
    expect(data).toHaveLength(3);
    expect(JSON.parse(data.at(-1)!)).toEqual({
      error: {
        message: 'The engine stopped.',
        type: 'server_error',
        code: 'engine_unavailable',
        param: null,
      },
    });
    expect(logged).toEqual([]);
  });

  it('hides and logs an unexpected error midway', async () => {
    const fault = new Error('the password is hunter2');
    const { answer, logged } = answering(faultAfter(fault, text('x')));
    const data = await readData(await answer({ ...asked, stream: true }, served, never));
    expect(JSON.parse(data.at(-1)!)).toMatchObject({ error: { code: 'internal_error' } });
    expect(data.join()).not.toContain('hunter2');
    expect(logged).toMatchObject([{ error: fault }]);
  });

  it('stops generating when the client disconnects', async () => {
    let ended = () => {};
    const end = new Promise<void>(resolve => {
      ended = resolve;
    });
    const { answer, logged } = answering(async function* script(_, signal) {
      try {
        yield text('x');
        await untilAborted(signal);
      } finally {
        ended();
      }
    });
    const response = await answer({ ...asked, stream: true }, served, never);
    await response.body!.getReader().cancel();
    await end;
    expect(logged).toEqual([]);
  });

  it('stops generating when the client disconnects with a full buffer', async () => {
    let ended = () => {};
    const end = new Promise<void>(resolve => {
      ended = resolve;
    });
    const { answer } = answering(async function* script() {
      try {
        while (true) yield text('x'.repeat(10_000));
      } finally {
        ended();
      }
    });
    const response = await answer({ ...asked, stream: true }, served, never);
    const reader = response.body!.getReader();
    await reader.read();
    await reader.cancel();
    await end;
  });
});
