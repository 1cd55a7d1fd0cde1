// Chat completions: requests become tasks of the engine, and answers what the format says.
import { describe, expect, it } from 'vitest';
import { chatFormat, readChat, toChatTasks } from '../../../lib/cloud/answers/chat.js';
import type { ChoicePiece } from '../../../lib/cloud/answers/pieces.js';
import {
  type ChatCompletion,
  type ChatCompletionChunk,
  type ChatCompletionRequest,
  chatCompletion,
  chatCompletionChunk,
  parseChatRequest,
} from '../../../lib/contract/index.js';
import type { Piece } from '../../../lib/engine/index.js';
import { end, text } from '../backends/scripted-backend.js';
import { head as given, pieces } from './sample-answer.js';

const messages: ChatCompletionRequest['messages'] = [{ role: 'user', content: 'hi' }];
const head = { ...given, id: `chatcmpl-${given.id}` };
const tools = [{ type: 'function', function: { name: 'f' } }];
const named = (name: string) => ({ type: 'function' as const, function: { name } });
const allowing = (...names: string[]) => ({
  type: 'allowed_tools' as const,
  allowed_tools: { mode: 'auto' as const, tools: names.map(named) },
});
/** Reads a request, and returns it as it was parsed. */
const read = (fields: object) => () => {
  const body = { messages, ...fields };
  readChat(parseChatRequest(body));
  return parseChatRequest(body);
};
const naming = (param: string) =>
  expect.objectContaining({ status: 400, code: 'invalid_value', param: expect.stringContaining(param) });

describe('a chat completion request', () => {
  it.each([
    { n: 2, frequency_penalty: 0.5, presence_penalty: 0.5, logprobs: true, top_logprobs: 3 },
    { response_format: { type: 'json_object' } },
    { response_format: { type: 'json_schema', json_schema: { name: 's', schema: {} } } },
    { tools },
    { tool_choice: 'none' },
    { tools, tool_choice: allowing('f') },
  ])('may use %j', fields => {
    expect(read(fields)()).toEqual({ messages, ...fields });
  });

  it.each<[choice: unknown, tools: unknown]>([
    ['required', undefined],
    ['required', []],
    [{ type: 'function', function: { name: 'g' } }, tools],
    [allowing('f', 'g'), tools],
  ])('may not choose a tool that is not there: %j of %j', (tool_choice, given) => {
    expect(read({ tools: given, tool_choice })).toThrow(naming('tool_choice'));
  });

  it('is told that there is no tool if one must be called', () => {
    expect(read({ tool_choice: 'required' })).toThrow(
      '`tool_choice` wants a tool called, and `tools` has none.',
    );
  });

  it.each([
    [{ x: 1 }],
    [{ 5: 101 }],
    [{ 5: '1' }],
    [{ '-1': 1 }],
    [Object.fromEntries(Array.from({ length: 301 }, (_, id) => [id, 1]))],
  ])('may not bias tokens by %j', logit_bias => {
    expect(read({ logit_bias })).toThrow(naming('logit_bias'));
  });

  it('may set top_logprobs only together with logprobs', () => {
    expect(read({ top_logprobs: 2 })).toThrow(naming('top_logprobs'));
    expect(read({ top_logprobs: 0, logprobs: null })().top_logprobs).toBe(0);
  });

  it('holds tools to their shape', () => {
    expect(read({ tools: [{}], tool_choice: 'none' })).toThrow(naming('tools'));
  });
});

describe('functions, the first form of tools,', () => {
  const functions = [{ name: 'f', description: 'Does.', parameters: { type: 'object' } }, { name: 'g' }];
  const asTools = functions.map(given => ({ type: 'function', function: given }));

  it.each<[choice: unknown, toolChoice: unknown]>([
    [undefined, undefined],
    ['auto', 'auto'],
    ['none', 'none'],
    [{ name: 'g' }, named('g')],
  ])('are read as tools, of which one is called at most: %j', (function_call, tool_choice) => {
    const given = { functions, ...(function_call !== undefined && { function_call }) };
    const tools = { tools: asTools, tool_choice, parallel_tool_calls: false };
    expect(read(given)()).toEqual({ messages, ...given, ...tools });
  });

  it('make no difference where there are none', () => {
    for (const fields of [{ functions: [] }, { function_call: 'none' }, { functions: [], tools }])
      expect(read(fields)()).toEqual({ messages, ...fields });
  });

  it.each<[param: string, fields: object]>([
    ['function_call', { functions, function_call: { name: 'h' } }],
    ['function_call', { function_call: { name: 'f' } }],
    ['function_call', { functions, function_call: 'required' }],
    ['functions', { functions, tools }],
    ['functions[0].name', { functions: [{ name: 'a b' }] }],
    ['functions', { functions: Array(129).fill({ name: 'f' }) }],
  ])('are refused by name: %s of %j', (param, fields) => {
    expect(read(fields)).toThrow(expect.objectContaining({ status: 400, param }));
  });
});

const tasksOf = (request: Partial<ChatCompletionRequest>) => toChatTasks({ messages, ...request });
const taskOf = (request: Partial<ChatCompletionRequest>) => tasksOf(request)[0]!;

it('turns developer into system, joins text parts, and replaces missing content with an empty string', () => {
  const part = (text: string) => ({ type: 'text' as const, text });
  const call = { id: 'c1', type: 'function' as const, function: { name: 'f', arguments: '{}' } };
  const turns: ChatCompletionRequest['messages'] = [
    { role: 'developer', content: 'Be brief.' },
    { role: 'user', name: 'ada', content: [part('one '), part('two')] },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', content: [part('42')], tool_call_id: 'c1' },
    { role: 'system', content: 'Go on.' },
  ];
  expect(taskOf({ messages: turns }).messages).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', name: 'ada', content: 'one two' },
    { role: 'assistant', content: '', tool_calls: [call] },
    { role: 'tool', content: '42', tool_call_id: 'c1' },
    { role: 'system', content: 'Go on.' },
  ]);
});

it("takes a task's settings from the request", () => {
  const same = { messages, temperature: 0.5, seed: 3, stop: ['a', 'b'] };
  const penalties = { frequency_penalty: 0.1, presence_penalty: -0.2, logit_bias: { 5: -100 } };
  const request = { ...same, ...penalties, top_p: 0.9, max_tokens: 7, logprobs: true, top_logprobs: 2 };
  const asked = { frequencyPenalty: 0.1, presencePenalty: -0.2, logitBias: { 5: -100 } };
  expect(toChatTasks(request)).toEqual([{ ...same, ...asked, topP: 0.9, maxTokens: 7, logprobs: 2 }]);
  // It sets no limit, also where the model's files would.
  expect(taskOf({ messages, top_k: 0 })).toMatchObject({ topK: 0 });
});

it('accepts a single stop string, max_completion_tokens, and logprobs without alternatives', () => {
  expect(taskOf({ stop: 'a' }).stop).toEqual(['a']);
  expect(taskOf({ max_tokens: 7, max_completion_tokens: 5 }).maxTokens).toBe(5);
  expect(taskOf({ logprobs: true }).logprobs).toBe(0);
  expect(taskOf({ logprobs: false }).logprobs).toBeUndefined();
  expect(taskOf({}).seed).toBeUndefined();
});

it('repeats a task for each choice, with increasing seeds', () => {
  expect(tasksOf({ n: 3, seed: 5 }).map(({ seed }) => seed)).toEqual([5, 6, 7]);
  expect(tasksOf({ n: 2 }).map(({ seed }) => seed)).toEqual([undefined, undefined]);
});

it.each<[ChatCompletionRequest['tool_choice'], object | undefined]>([
  [undefined, { isRequired: false, parallel: true }],
  ['none', undefined],
  ['required', { isRequired: true, parallel: true }],
  [named('f'), { isRequired: true, names: ['f'], parallel: false }],
  [allowing('f'), { isRequired: false, names: ['f'], parallel: true }],
])('lets tools be called as tool_choice says: %j', (tool_choice, use) => {
  const all = [named('f'), named('g')];
  expect(taskOf({ tools: all, tool_choice }).tools).toEqual(use && { all, ...use });
});

/** Token 1 is `Hi`, token 2 the first byte of `é`, token 3 the second. */
const bytesOf = (id: number) => Uint8Array.from([[], [0x48, 0x69], [0xc3], [0xa9]][id]!);
const scored = (id: number, logprob: number) => ({ id, logprob, bytes: bytesOf(id) });
const unrivalled = (id: number, logprob: number) => ({ ...scored(id, logprob), top: [] });
const hi = text('Hi', [{ ...scored(1, -0.5), top: [scored(1, -0.5), scored(2, Number.NEGATIVE_INFINITY)] }]);
const accent = text('é', [unrivalled(2, -1), unrivalled(3, -2)]);

async function completionOf(source: AsyncIterable<ChoicePiece>, logprobs = false) {
  const document = (await chatFormat({ messages, logprobs }, given).collect(source)) as ChatCompletion;
  expect(chatCompletion.parse(document)).toEqual(document);
  return document;
}

async function chunksOf(source: AsyncIterable<ChoicePiece>, fields: Partial<ChatCompletionRequest> = {}) {
  const chunks = [];
  for await (const { data } of chatFormat({ messages, ...fields }, given).events(source)) {
    if (data === '[DONE]') continue;
    const chunk = JSON.parse(data) as ChatCompletionChunk;
    expect(chatCompletionChunk.parse(chunk)).toEqual(chunk);
    expect(chunk).toMatchObject({ ...head, object: 'chat.completion.chunk' });
    chunks.push(chunk);
  }
  return chunks;
}

describe('calls', () => {
  const calling = { tools: [named('f')] };
  const piece = (index: number, given: string): Piece => {
    return { text: '', tokenIds: [], call: { index, name: 'f' }, arguments: given };
  };
  const answer = [text(' \n'), piece(0, '{'), piece(0, '}'), piece(1, '{}'), end(5, 9, 'tool_calls')];

  it.each([
    ['required' as const, 'tool_calls'],
    [named('f'), 'stop'],
  ])('end an answer as the format says when %j are asked for', async (tool_choice, finish_reason) => {
    const request = { messages, ...calling, tool_choice };
    const { choices } = (await chatFormat(request, given).collect(pieces(...answer))) as ChatCompletion;
    expect(choices).toMatchObject([{ message: { content: null }, finish_reason }]);
    expect(choices[0]!.message.tool_calls).toHaveLength(2);
    const chunks = await chunksOf(pieces(...answer), request);
    expect(chunks.at(-1)!.choices[0]!.finish_reason).toBe(finish_reason);
  });

  it('come in deltas without content, and without the blank text before them', async () => {
    const chunks = await chunksOf(pieces(...answer), calling);
    const first = (index: number, given: string) => {
      const id = expect.stringMatching(/^call_/);
      return { index, id, type: 'function', function: { name: 'f', arguments: given } };
    };
    expect(chunks.map(({ choices }) => choices[0]!.delta)).toEqual([
      { role: 'assistant', content: null, refusal: null, tool_calls: [first(0, '{')] },
      { tool_calls: [{ index: 0, function: { arguments: '}' } }] },
      { tool_calls: [first(1, '{}')] },
      {},
    ]);
  });

  it('leave text as it is, blank at its start or nothing but blank', async () => {
    const deltas = async (...list: Piece[]) =>
      (await chunksOf(pieces(...list, end(5, 2)), calling)).map(({ choices }) => choices[0]!.delta.content);
    expect(await deltas(text('\n'), text('a'))).toEqual(['', '\n', 'a', undefined]);
    expect(await deltas(text(' '))).toEqual(['', ' ', undefined]);
  });
});

describe('a call of a function, the first form of tools,', () => {
  const functions = [{ name: 'f' }];
  const piece = (given: string): Piece => {
    return { text: '', tokenIds: [], call: { index: 0, name: 'f' }, arguments: given };
  };
  const answer = [piece('{'), piece('}'), end(5, 9, 'tool_calls')];

  it.each([
    ['auto', 'function_call'],
    [{ name: 'f' }, 'stop'],
  ])('is written in that form, at once and streamed: %j', async (function_call, finish_reason) => {
    const request = read({ functions, function_call })();
    const { choices } = (await chatFormat(request, given).collect(pieces(...answer))) as ChatCompletion;
    const message = {
      role: 'assistant',
      content: null,
      refusal: null,
      function_call: { name: 'f', arguments: '{}' },
    };
    expect(choices).toMatchObject([{ message, finish_reason }]);
    expect(choices[0]!.message).not.toHaveProperty('tool_calls');
    const chunks = (await chunksOf(pieces(...answer), request)).map(chunk => chunk.choices[0]!);
    expect(chunks.map(({ delta }) => delta)).toEqual([
      { role: 'assistant', content: null, refusal: null, function_call: { name: 'f', arguments: '{' } },
      { function_call: { arguments: '}' } },
      {},
    ]);
    expect(chunks.at(-1)!.finish_reason).toBe(finish_reason);
  });

  it('is not there where the answer is text', async () => {
    const format = chatFormat(read({ functions })(), given);
    const { choices } = (await format.collect(pieces(text('Hi'), end(5, 2)))) as ChatCompletion;
    expect(choices).toMatchObject([{ message: { content: 'Hi' }, finish_reason: 'stop' }]);
  });
});

const entry = (token: string, logprob: number, bytes: number[]) => ({ token, logprob, bytes });
const top_logprobs = [entry('Hi', -0.5, [0x48, 0x69]), entry('\ufffd', -9999, [0xc3])];
const entries = [
  { ...top_logprobs[0], top_logprobs },
  { ...entry('\ufffd', -1, [0xc3]), top_logprobs: [] },
  { ...entry('\ufffd', -2, [0xa9]), top_logprobs: [] },
];

/** Nothing here reasons, speaks or predicts. */
const details = {
  reasoning_tokens: 0,
  audio_tokens: 0,
  accepted_prediction_tokens: 0,
  rejected_prediction_tokens: 0,
};

describe('a completion', () => {
  it('has the text, the finish reason and the usage', async () => {
    const message = { role: 'assistant', content: 'Hello', refusal: null, annotations: [] };
    expect(await completionOf(pieces(text('Hel'), text('lo'), end(5, 3, 'length')))).toEqual({
      ...head,
      object: 'chat.completion',
      choices: [{ index: 0, message, logprobs: null, finish_reason: 'length' }],
      service_tier: 'default',
      usage: { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8, completion_tokens_details: details },
    });
  });

  it('has its choices in order, and counts the prompt once', async () => {
    const source = pieces([1, text('b')], [0, text('a')], [1, end(5, 2)], [0, end(5, 4, 'length')]);
    expect(await completionOf(source)).toMatchObject({
      choices: [
        { index: 0, message: { content: 'a' }, finish_reason: 'length' },
        { index: 1, message: { content: 'b' }, finish_reason: 'stop' },
      ],
      usage: { prompt_tokens: 5, completion_tokens: 6, total_tokens: 11 },
    });
  });

  it('has log-probabilities with the bytes of each token', async () => {
    const document = await completionOf(pieces(hi, accent, end(5, 3)), true);
    expect(document.choices[0]!.logprobs).toEqual({ content: entries, refusal: null });
  });
});

describe('chunks', () => {
  it('are the role, then text, then an empty delta with the finish reason', async () => {
    const chunks = await chunksOf(pieces(text('a'), text(''), text('b'), end(5, 2)));
    const more = { index: 0, finish_reason: null, logprobs: null };
    expect(chunks.map(({ choices }) => choices)).toEqual([
      [{ ...more, delta: { role: 'assistant', content: '', refusal: null } }],
      [{ ...more, delta: { content: 'a' } }],
      [{ ...more, delta: { content: 'b' } }],
      [{ ...more, delta: {}, finish_reason: 'stop' }],
    ]);
    expect(chunks.every(chunk => !('usage' in chunk))).toBe(true);
    const deltas = (await chunksOf(pieces(end(5, 1)))).map(({ choices }) => choices[0]!.delta);
    expect(deltas, 'an answer without text').toEqual([{ role: 'assistant', content: '', refusal: null }, {}]);
  });

  it('end with the usage when requested, and have none before', async () => {
    const source = pieces([0, text('a')], [1, text('b')], [0, end(5, 2)], [1, end(5, 3)]);
    const chunks = await chunksOf(source, { stream_options: { include_usage: true } });
    const usage = {
      prompt_tokens: 5,
      completion_tokens: 5,
      total_tokens: 10,
      completion_tokens_details: details,
    };
    const same = { ...head, object: 'chat.completion.chunk', service_tier: 'default' };
    expect(chunks.at(-1)).toEqual({ ...same, choices: [], usage });
    expect(chunks.slice(0, -1).every(chunk => chunk.usage === null)).toBe(true);
    expect(chunks.map(({ choices }) => choices[0]?.index)).toEqual([0, 0, 1, 1, 0, 1, undefined]);
  });

  it('include the log-probabilities of their tokens, even of tokens without text', async () => {
    const chunks = await chunksOf(pieces(hi, accent, text('', [unrivalled(3, -2)]), end(5, 4)));
    expect(chunks.map(({ choices }) => choices[0]!.logprobs)).toEqual([
      null,
      { content: [entries[0]], refusal: null },
      { content: [entries[1], entries[2]], refusal: null },
      { content: [entries[2]], refusal: null },
      null,
    ]);
  });
});
