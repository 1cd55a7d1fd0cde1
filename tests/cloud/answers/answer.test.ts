import { describe, expect, it } from 'vitest';
import { createAnswer, type ModelCall } from '../../../lib/cloud/answers/answer.js';
import { askChat } from '../../../lib/cloud/answers/chat.js';
import type { CloudLogLine } from '../../../lib/cloud/deps.js';
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
  faultAfter,
  gate,
  type Script,
  saying,
  sayingUntilLeft,
  scriptedBackend,
  text,
} from '../backends/scripted-backend.js';

const asked: ChatCompletionRequest = { messages: [{ role: 'user', content: 'hi' }] };
const streaming = { ...asked, stream: true };
const model = { name: 'm:job:final', adapter: '/adapter', fingerprint: 'fp_1' };
const signal = new AbortController().signal;
const served: ModelCall = { ...model, caller: 'key-1', signal, requestId: 'id' };
const clock = createVirtualClock(Date.UTC(2026, 2, 1, 10, 0, 0, 700));

function answering(script: Script, times?: Pick<StreamTimes, 'pingMs' | 'statusMs'>) {
  const backend = scriptedBackend(script);
  const logged: CloudLogLine[] = [];
  const log = (line: CloudLogLine) => logged.push(line);
  const answerAny = createAnswer({ backend, clock, log, ...(times && { times }) });
  const answer = (chat: ChatCompletionRequest, call = served) => answerAny(askChat(chat), call);
  return { backend, logged, answer };
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

it.each([false, true])('names a damaged adapter to the cloud alone, streamed: %s', async stream => {
  const fault = new EngineError('adapter_damaged', '/secret/path');
  const { answer, logged } = answering(faultAfter(fault, text('Hel')), { pingMs: 1000, statusMs: 1000 });
  let noted = 0;
  const noteDamage = async () => void noted++;
  const whole = answer({ ...asked, stream }, { ...served, noteDamage }).then(readData);
  const told = stream ? (await whole).at(-1)! : await whole.catch(error => error);
  const headers = { 'x-should-retry': 'false' };
  if (stream) expect(JSON.parse(told)).toMatchObject({ error: { code: 'adapter_damaged' } });
  else expect(told).toMatchObject({ status: 503, code: 'adapter_damaged', headers });
  expect(`${told}`).not.toContain('/secret/path');
  expect([noted, logged]).toEqual([1, [{ message: expect.stringContaining('/secret/path') }]]);
});

it.each<[code: EngineErrorCode, status: number, param: string | null, headers: object]>([
  ['engine_busy', 429, null, { 'retry-after': '1', 'retry-after-ms': '1000' }],
  ['engine_unavailable', 503, null, { 'retry-after': '5', 'retry-after-ms': '5000' }],
  ['context_length_exceeded', 400, 'messages', {}],
  ['invalid_value', 400, 'messages', {}],
  ['model_damaged', 503, null, { 'x-should-retry': 'false' }],
])('turns the engine error %s into an API error, streamed or not', async (code, status, param, headers) => {
  const { answer } = answering(faultAfter(new EngineError(code, 'A sentence.')));
  for (const stream of [false, true]) {
    const error = await answer({ ...asked, stream }).catch(refused => refused);
    expect(error).toMatchObject({ name: 'ApiError', status, code, param, message: 'A sentence.' });
    expect(error.headers).toEqual(headers);
  }
});

it('rethrows an internal engine error unchanged', async () => {
  const fault = new EngineError('internal_error', '/secret/path');
  await expect(answering(faultAfter(fault)).answer(asked)).rejects.toBe(fault);
});

it('renders a chat as the rows of its adapter were rendered, unless the request says otherwise', async () => {
  const { backend, answer } = answering(saying(end(1, 1)));
  const call = { ...served, variables: { enable_thinking: false } };
  await answer(asked, call);
  await answer({ ...asked, chat_template_kwargs: { enable_thinking: true, day: 1 } }, call);
  await answer(asked);
  const [usual, own, plain] = backend.tasks.map(({ variables }) => variables);
  expect([usual, own, plain]).toEqual([call.variables, { enable_thinking: true, day: 1 }, undefined]);
});

describe('an answer that is not streamed', () => {
  it('is a completion by the served model', async () => {
    const { answer, backend } = answering(saying(text('Hello'), end(3, 1)));
    const response = await answer(asked);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(chatCompletion.parse(await response.json())).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-\w{20,}$/),
      created: Date.parse('2026-03-01T10:00:00Z') / 1000,
      model: 'm:job:final',
      system_fingerprint: 'fp_1',
      choices: [{ message: { content: 'Hello' } }],
    });
    expect(backend.tasks).toMatchObject([{ adapter: '/adapter', caller: 'key-1' }]);
  });

  it('stops when the client disconnects', async () => {
    const { answer, backend } = answering(sayingUntilLeft);
    const caller = new AbortController();
    const reason = new Error('gone');
    const answered = answer(asked, { ...served, signal: caller.signal });
    caller.abort(reason);
    await expect(answered).rejects.toBe(reason);
    expect(backend.open).toBe(0);
  });
});

describe('a streamed answer', () => {
  it.each<[end: string, script: Script, wanted: RegExp]>([
    ['an answer', saying(text('x'), end(3, 1)), /^data: \{[\s\S]*data: \[DONE\]\n\n$/],
    [
      'a refusal',
      faultAfter(new EngineError('context_length_exceeded', 'A sentence.')),
      /^data: \{"error":\{.*"code":"context_length_exceeded".*\}\n\n$/,
    ],
  ])('that begins late has pings until it ends with %s', async (_, script, wanted) => {
    const { open: begin, opened: begun } = gate();
    const late: Script = async function* late(...asked) {
      await begun;
      yield* script(...asked);
    };
    const { answer } = answering(late, { pingMs: 5, statusMs: 5 });
    const response = await answer(streaming);
    expect(response.status).toBe(200);
    const body = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    for (let i = 0; i < 3; i++) expect((await body.read()).value).toBe(': ping\n\n');
    begin();
    let rest = '';
    for (let next = await body.read(); !next.done; next = await body.read()) rest += next.value;
    expect(rest.replaceAll(': ping\n\n', '')).toMatch(wanted);
  });

  it('consists of unnamed events with chunks of one id, then [DONE]', async () => {
    const { answer } = answering(saying(text('Hel'), text('lo\n'), end(3, 2)));
    const response = await answer(streaming);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const data = await readData(response);
    expect(data.pop()).toBe('[DONE]');
    const chunks = data.map(line => chatCompletionChunk.parse(JSON.parse(line)));
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    const deltas = [
      { role: 'assistant', content: '', refusal: null },
      { content: 'Hel' },
      { content: 'lo\n' },
      {},
    ];
    expect(chunks.map(({ choices }) => choices[0]?.delta)).toEqual(deltas);
  });

  const stopped = new EngineError('engine_unavailable', 'The engine stopped.');
  const secret = new Error('the password is hunter2');
  const ours = 'Something went wrong on our side. Look up the request ID in the log.';
  it.each<[when: string, fault: Error, told: object, logged: object[]]>([
    ['the engine fails', stopped, { code: 'engine_unavailable', message: 'The engine stopped.' }, []],
    [
      'we fail, which only the log tells',
      secret,
      { code: 'internal_error', message: ours },
      [{ error: secret, requestId: 'id' }],
    ],
  ])('ends with an error event when %s midway', async (_, fault, told, inLog) => {
    const { answer, logged } = answering(faultAfter(fault, text('x')));
    const data = await readData(await answer(streaming));
    expect(data).toHaveLength(3);
    expect(JSON.parse(data.at(-1)!)).toEqual({ error: { ...told, type: 'server_error', param: null } });
    expect(logged).toMatchObject(inLog);
  });

  it('stops generating when the client disconnects', async () => {
    const { open: finish, opened: finished } = gate();
    const { answer, logged } = answering(async function* script(asked, signal) {
      try {
        yield* sayingUntilLeft(asked, signal);
      } finally {
        finish();
      }
    });
    await (await answer(streaming)).body!.getReader().cancel();
    await finished;
    expect(logged).toEqual([]);
  });
});
