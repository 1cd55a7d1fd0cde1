// The Responses format: requests become chats, and answers what the official types say.
import OpenAI from 'openai';
import type { Response as OpenAiResponse, ResponseStreamEvent } from 'openai/resources/responses/responses';
import { describe, expect, it } from 'vitest';
import { createAnswer } from '../../../lib/cloud/answers/answer.js';
import type { ChoicePiece } from '../../../lib/cloud/answers/pieces.js';
import {
  type ResponseTurn,
  readResponses,
  responsesFormat,
  responsesToChat,
} from '../../../lib/cloud/answers/responses.js';
import {
  ApiError,
  parseResponsesRequest,
  type ResponsesRequest,
  response,
  responseEvent,
  type SpokenItem,
} from '../../../lib/contract/index.js';
import { EngineError } from '../../../lib/engine/index.js';
import { createVirtualClock } from '../../support/virtual-clock.js';
import { end, faultAfter, gate, type Script, scriptedBackend, text } from '../backends/scripted-backend.js';
import { head, pieces } from './sample-answer.js';

const chatOf = (body: object) => {
  const request = parseResponsesRequest(body);
  return responsesToChat(request, itemsOf(request));
};
const itemsOf = ({ input }: ResponsesRequest) =>
  (typeof input === 'string' ? [{ role: 'user' as const, content: input }] : input) as SpokenItem[];

const part = (type: string, said: string) => ({ type, text: said });
const calling = (call_id: string, args: string) => ({
  type: 'function_call',
  call_id,
  name: 'look',
  arguments: args,
});
const call = (id: string, args: string) => ({
  id,
  type: 'function',
  function: { name: 'look', arguments: args },
});

describe('a request in the Responses format', () => {
  it('with a text is one message of the user, after the instructions', () => {
    expect(chatOf({ model: 'm', input: 'Hello', instructions: 'Be brief.' }).messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hello' },
    ]);
  });

  it('with nothing but thoughts is refused: there is nothing to answer', () => {
    const input = [{ type: 'reasoning', id: 'rs_1', summary: [], content: [part('reasoning_text', 'Hm.')] }];
    expect(() => chatOf({ input, instructions: 'Be brief.' })).toThrow('`input` has only thoughts.');
  });

  it('with items keeps their order, and calls of functions are turns of the assistant', () => {
    const answer = { id: 'msg_1', role: 'assistant', status: 'completed' };
    const input = [
      { role: 'developer', content: 'Use the tools.' },
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' },
      { type: 'message', role: 'user', content: [part('input_text', 'Wea'), part('input_text', 'ther?')] },
      { ...calling('a', '{"at":"here"}'), id: 'fc_1', status: 'completed' },
      calling('b', '{}'),
      { type: 'function_call_output', call_id: 'a', output: 'rain' },
      { type: 'function_call_output', call_id: 'b', output: [part('input_text', 'sun')] },
      { type: 'message', ...answer, content: [{ ...part('output_text', 'Rain.'), annotations: [] }] },
      calling('c', '{}'),
      { type: 'message', ...answer, content: [{ type: 'refusal', refusal: 'No.' }] },
      { type: 'message', ...answer, content: [] },
    ];
    expect(chatOf({ input }).messages).toEqual([
      { role: 'developer', content: 'Use the tools.' },
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', content: null, tool_calls: [call('a', '{"at":"here"}'), call('b', '{}')] },
      { role: 'tool', tool_call_id: 'a', content: 'rain' },
      { role: 'tool', tool_call_id: 'b', content: 'sun' },
      { role: 'assistant', content: 'Rain.', tool_calls: [call('c', '{}')] },
      { role: 'assistant', content: 'No.' },
      { role: 'assistant', content: '' },
    ]);
  });

  it('hands on what the engine can do', () => {
    const same = { temperature: 0.5, top_p: 0.9, stream: true };
    const body = { input: 'x', max_output_tokens: 5, ...same };
    const scored = { include: ['message.output_text.logprobs'], top_logprobs: 2 };
    const told = { ...same, max_completion_tokens: 5, logprobs: true, top_logprobs: 2 };
    expect(chatOf({ ...body, ...scored })).toMatchObject(told);
    expect(chatOf({ ...body, include: ['reasoning.encrypted_content'] }).logprobs).toBeUndefined();
  });

  it('takes null for absent, and ignores what changes nothing', () => {
    const absent = { instructions: null, previous_response_id: null, background: false, tools: [] };
    const reasoning = { effort: null, summary: null, generate_summary: null };
    const defaults = { tool_choice: 'auto', truncation: 'disabled', service_tier: 'auto', reasoning };
    const format = { text: { format: { type: 'text' }, verbosity: 'medium' }, context_management: [] };
    const stream_options = { include_obfuscation: false };
    const ignored = { store: true, metadata: { a: 'b' }, stream_options, some_future_field: 1 };
    const nothing = { ...absent, ...defaults, ...format, ...ignored };
    expect(chatOf({ input: 'x', ...nothing }).messages).toEqual([{ role: 'user', content: 'x' }]);
  });

  it.each([
    ['prompt', { id: 'p' }, 'prompt'],
    ['tools', [{ type: 'web_search' }], 'tools[0].type'],
    ['input', [{ type: 'web_search_call', id: 'x' }], 'input[0].type'],
    ['input', [{ role: 'user', content: [{ type: 'input_image' }] }], 'input[0].content[0].type'],
  ])('is refused by name where it asks for more: %s %j', (field, value, param) => {
    const refusal = expect.objectContaining({ status: 400, code: 'unsupported_parameter', param });
    expect(() => chatOf({ input: 'x', [field]: value })).toThrow(refusal);
  });

  it.each([
    ['an input that is neither a text nor a list', { input: 7 }],
    ['a role of its own', { input: [{ role: 'critic', content: 'x' }] }],
    ['a temperature of 3', { input: 'x', temperature: 3 }],
    ['no tokens', { input: 'x', max_output_tokens: 0 }],
    ['too many inclusions', { input: 'x', include: Array(101).fill('message.output_text.logprobs') }],
  ])('is refused with %s', (_, body) => {
    expect(() => chatOf(body)).toThrow(expect.objectContaining({ status: 400, code: 'invalid_value' }));
  });

  it('is refused with more items than any context has room for, before it looks at them', () => {
    const refusal = expect.objectContaining({ code: 'context_length_exceeded', param: 'input' });
    expect(() => chatOf({ input: Array(10_001).fill({ role: 'user', content: 'x' }) })).toThrow(refusal);
    const output = Array(6_000).fill(part('input_text', 'x'));
    const outputs = ['a', 'b'].map(call_id => ({ type: 'function_call_output', call_id, output }));
    expect(() => chatOf({ input: outputs })).toThrow(refusal);
    expect(chatOf({ input: outputs.slice(1) }).messages).toHaveLength(1);
  });
});

/** Of a response that is not stored. */
const turn: ResponseTurn = {
  id: 'resp_1',
  items: [],
  store: false,
  previousId: null,
  conversationId: null,
  keep: async document => document,
  end: () => {},
};

function formatOf(body: object = {}, of: ResponseTurn = turn) {
  const request = parseResponsesRequest({ model: 'm', input: 'Hi', ...body });
  return responsesFormat(request, head, of, () => head.created + 2);
}

/** The client adds `output_text`. */
type WireResponse = Omit<OpenAiResponse, 'output_text'>;

type ToWire<E> = E extends { response: OpenAiResponse }
  ? Omit<E, 'response'> & { response: WireResponse }
  : E;

/** The official types are the judge: this file does not compile if a document or an event deviates. */
type WireEvent = ToWire<ResponseStreamEvent>;

type ParsedFrom<D> = D extends { readonly parsesTo?: infer T } ? T : never;

const parse = <D extends string>(data: D) => JSON.parse(data) as ParsedFrom<D>;

async function collect(source: AsyncIterable<ChoicePiece>, body?: object): Promise<WireResponse> {
  const document = await formatOf(body).collect(source);
  expect(response.parse(document)).toEqual(document);
  return document;
}

async function eventsOf(source: AsyncIterable<ChoicePiece>): Promise<WireEvent[]> {
  const events: WireEvent[] = [];
  for await (const { event, data } of formatOf().events(source)) {
    const parsed: WireEvent = parse(data);
    expect(parsed.type).toBe(event);
    expect(responseEvent.parse(parsed)).toEqual(parsed);
    events.push(parsed);
  }
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, i) => i));
  return events;
}

const scored = { id: 1, logprob: -0.5, bytes: Uint8Array.of(0x48) };
const hi = text('H', [{ ...scored, top: [scored] }]);
const entry = { token: 'H', logprob: -0.5, bytes: [0x48] };

describe('a response', () => {
  it.each([
    [{}, { temperature: 0, top_p: 0.9 }],
    [{ temperature: 0.7 }, { temperature: 0.7, top_p: 0.9 }],
  ])('to %j says how it was sampled, also where the model chose it', async (said, sampled) => {
    const items = [{ role: 'user', content: 'Hi' }] as SpokenItem[];
    const request = parseResponsesRequest({ model: 'm', input: 'Hi', ...said });
    const { tasks, format } = readResponses(request, { ...turn, items }, { temperature: 0, topP: 0.9 });
    const { temperature, top_p } = sampled;
    expect(tasks).toMatchObject([{ temperature, topP: top_p }]);
    expect(await format(head, () => 0).collect(pieces(text('x'), end(1, 1)) as never)).toMatchObject(sampled);
  });

  it('has the text, the usage, and what was asked', async () => {
    const settings = { instructions: 'Be brief.', temperature: 0.2, max_output_tokens: 9 };
    const advice = {
      max_tool_calls: 2,
      metadata: { a: 'b' },
      prompt_cache_key: 'k',
      reasoning: { effort: 'high', summary: null },
      safety_identifier: 's',
      text: { format: { type: 'text' }, verbosity: 'low' },
      truncation: 'auto',
      user: 'me',
    };
    const asked = { ...settings, ...advice, prompt_cache_retention: 'in_memory' };
    const content = [{ type: 'output_text', text: 'Hello' }];
    const counts = { input_tokens: 5, output_tokens: 3, total_tokens: 8 };
    expect(await collect(pieces(text('Hel'), text('lo'), end(5, 3)), asked)).toMatchObject({
      id: 'resp_1',
      created_at: 1_700_000_000,
      completed_at: 1_700_000_002,
      background: false,
      service_tier: 'default',
      status: 'completed',
      incomplete_details: null,
      error: null,
      output: [{ type: 'message', role: 'assistant', status: 'completed', content }],
      usage: { ...counts, input_tokens_details: { cached_tokens: 0 } },
      store: false,
      ...asked,
      prompt_cache_retention: 'in-memory',
    });
  });

  it('that was cut is incomplete, and has log probabilities where they were included', async () => {
    const found = await collect(pieces(hi, end(5, 1, 'length')));
    const incomplete_details = { reason: 'max_output_tokens' };
    expect(found).toMatchObject({ status: 'incomplete', incomplete_details, completed_at: null });
    const [item] = found.output as [OpenAI.Responses.ResponseOutputMessage];
    expect(item.content[0]).toMatchObject({ logprobs: [{ ...entry, top_logprobs: [entry] }] });
  });
});

describe('the events of a response', () => {
  it('come in the order of the format, and end otherwise where the answer was cut', async () => {
    const events = await eventsOf(pieces(hi, text('i'), end(5, 2)));
    expect(events.map(({ type }) => type.slice('response.'.length))).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'completed',
    ]);
    expect(events[4]).toMatchObject({ delta: 'H', logprobs: [entry], output_index: 0, content_index: 0 });
    expect(events.at(-1)).toMatchObject({ response: { status: 'completed', usage: { total_tokens: 7 } } });
    const [cut] = (await eventsOf(pieces(text('H'), end(5, 1, 'length')))).slice(-1);
    expect(cut).toMatchObject({ type: 'response.incomplete', response: { status: 'incomplete' } });
  });

  it('are none before the engine has accepted the request, and end with a failure after that', async () => {
    async function* failing(...said: string[]): AsyncGenerator<ChoicePiece> {
      for (const piece of said.map(one => text(one))) yield { index: 0, piece };
      throw new ApiError('engine_busy', 'Too many.');
    }
    await expect(formatOf().events(failing()).next()).rejects.toThrow('Too many.');

    const format = formatOf();
    const events = format.events(failing('H'));
    for (let i = 0; i < 5; i++) await events.next();
    await expect(events.next()).rejects.toThrow('Too many.');
    const [hidden, told] = [new Error('/secret/path'), new ApiError('engine_busy', 'Too many.')].map(
      (error): WireEvent => parse(format.failure(error).data),
    );
    expect(hidden).toMatchObject({
      type: 'response.failed',
      sequence_number: 5,
      response: { status: 'failed', error: { message: 'Something went wrong on our side.' } },
    });
    expect(told).toMatchObject({
      response: { error: { code: 'rate_limit_exceeded', message: 'Too many.' } },
    });
  });

  it.each([
    [{}, { store: false, conversation: null }],
    [{ background: true }, { store: true, conversation: { id: 'conv_1' } }],
  ])('say in a failure that it is not stored, unless it is in the background: %j', async (more, told) => {
    const format = formatOf(more, { ...turn, store: true, conversationId: 'conv_1' });
    await format.events(pieces(text('H'))).next();
    expect(parse(format.failure(new Error()).data)).toMatchObject({ response: told });
  });

  it.each<[how: string, ask: (client: OpenAI, asked: { model: string; input: string }) => Promise<unknown>]>([
    ['stream', (client, asked) => client.responses.stream(asked).finalResponse()],
    [
      'create',
      async (client, asked) => {
        for await (const _ of await client.responses.create({ ...asked, stream: true }));
      },
    ],
  ])('tell the official client why nothing came, however late: %s', async (_, ask) => {
    const { open: refuse, opened: refused } = gate();
    const late: Script = async function* late(...asked) {
      await refused;
      yield* faultAfter(new EngineError('engine_unavailable', 'It restarts.'))(...asked);
    };
    const deps = { backend: scriptedBackend(late), clock: createVirtualClock(), log: () => {} };
    const answer = createAnswer({ ...deps, times: { pingMs: 5, statusMs: 5 } });
    const { signal } = new AbortController();
    const call = { name: 'm', adapter: null, fingerprint: 'fp_1', caller: 'key-1', signal };
    const fetch = async (...[, init]: Parameters<typeof globalThis.fetch>) => {
      const request = parseResponsesRequest(JSON.parse(init!.body as string));
      const items = itemsOf(request);
      const response = await answer(readResponses(request, { ...turn, items }, {}), call);
      refuse();
      return response;
    };
    const client = new OpenAI({ apiKey: 'x', baseURL: 'http://localhost/v1', fetch });
    const failure = await ask(client, { model: 'm', input: 'Hi' }).catch(error => error);
    expect(failure).toBeInstanceOf(OpenAI.APIError);
    expect(failure).toMatchObject({ code: 'engine_unavailable', message: 'It restarts.' });
  });

  it('begin with an error in the published form where nothing else came', () => {
    const error: WireEvent = parse(formatOf().failure(new ApiError('engine_busy', 'Too many.')).data);
    const said = { code: 'engine_busy', message: 'Too many.', param: null };
    expect(error).toMatchObject({ type: 'error', sequence_number: 0, ...said, error: said });
  });
});
