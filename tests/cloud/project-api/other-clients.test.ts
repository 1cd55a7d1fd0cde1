// The clients that people have, against the real engine behind a real socket: only base URL and key are changed.
// The model's weights are random, so whatever fits was enforced.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai';
import { embedMany, generateObject, generateText, streamText, tool } from 'ai';
import OpenAI from 'openai';
import { zodResponseFormat, zodTextFormat } from 'openai/helpers/zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { listen } from '../../../lib/http/index.js';
import type { Listening } from '../../../lib/http/listen.js';
import { findPython } from '../../support/python.js';
import { BASE_MODEL } from '../deployments/sample-cloud.js';
import { type EngineProject, openEngineProject } from './sample-project-api.js';

const messages = [{ role: 'user' as const, content: 'hello' }];
const ask = { model: BASE_MODEL, messages, seed: 5 };
const Ticket = z.object({
  team: z.enum(['billing', 'support']),
  urgency: z.int().min(1).max(5),
  tags: z.array(z.string().max(5)).max(2),
  due: z.iso.date(),
  customer: z.uuid(),
  code: z.string().regex(/^[A-Z]{2}-\d{3}$/),
});
const Weather = z.object({ city: z.string().max(8), days: z.int().min(1).max(3) });
const parameters = z.toJSONSchema(Weather) as { type: 'object' };
const weather: OpenAI.ChatCompletionFunctionTool = {
  type: 'function',
  function: { name: 'get_weather', description: 'The weather of a city.', parameters },
};
const expectFits = (...given: unknown[]) => {
  expect(given.length).toBeGreaterThan(0);
  for (const one of given) Weather.parse(typeof one === 'string' ? JSON.parse(one) : one);
};

let project: EngineProject;
let server: Listening;
let baseURL: string;
let apiKey: string;
let client: OpenAI;
beforeAll(async () => {
  // Its tokens are little more than bytes, so descriptions of tools take many.
  project = await openEngineProject(4096);
  apiKey = project.apiKey;
  const fetch = (request: Request) => project.api(request) ?? new Response(null, { status: 404 });
  server = await listen({ fetch }, { ports: [0] });
  baseURL = `${server.url.replace(/\/$/, '')}/openai/v1`;
  client = new OpenAI({ apiKey, baseURL, maxRetries: 0 });
});
afterAll(async () => {
  await server.close();
  await project.close();
});

describe('openai for Node.js', () => {
  const chat = (asked: object) =>
    client.chat.completions.create({ ...ask, ...asked } as OpenAI.ChatCompletionCreateParamsNonStreaming);

  it('parses chat completions and responses with a zod schema', async () => {
    const response_format = zodResponseFormat(Ticket, 'ticket');
    const { choices } = await client.chat.completions.parse({ ...ask, response_format });
    expect(Ticket.parse(choices[0]!.message.parsed)).toBeTruthy();
    expect(choices[0]!.finish_reason).toBe('stop');
    const format = zodTextFormat(Ticket, 'ticket');
    const response = await client.responses.parse({ model: BASE_MODEL, input: 'hello', text: { format } });
    expect(Ticket.parse(response.output_parsed)).toBeTruthy();
    expect(response.text!.format).toMatchObject({ type: 'json_schema', name: 'ticket' });
  });

  it('counts the tokens of a response before it is created', async () => {
    const asked = { model: BASE_MODEL, input: 'hello', instructions: 'Be brief.' };
    const counted = await client.responses.inputTokens.count(asked);
    const { usage } = await client.responses.create({ ...asked, max_output_tokens: 4 });
    expect(counted).toMatchObject({ object: 'response.input_tokens', input_tokens: usage!.input_tokens });
  });

  it('gets an object where only that is asked, with few tokens, too', async () => {
    for (const max_tokens of [9, 300]) {
      const { choices } = await chat({ n: 2, max_tokens, response_format: { type: 'json_object' } });
      for (const { message } of choices) expect(JSON.parse(message.content!)).toBeTypeOf('object');
    }
  });

  it('gets a call, streamed with its arguments in parts', async () => {
    const stream = client.chat.completions.stream({ ...ask, tools: [weather], tool_choice: 'required' });
    const parts: string[] = [];
    stream.on('tool_calls.function.arguments.delta', ({ arguments_delta }) => parts.push(arguments_delta));
    const { message, finish_reason } = (await stream.finalChatCompletion()).choices[0]!;
    expect(finish_reason).toBe('tool_calls');
    const calls = message.tool_calls as OpenAI.ChatCompletionMessageFunctionToolCall[];
    const given = calls.map(call => call.function.arguments);
    expectFits(...given);
    for (const call of calls)
      expect(call).toMatchObject({ id: expect.stringMatching(/^call_/), function: { name: 'get_weather' } });
    expect(parts.join('')).toBe(given.join(''));
    expect(parts.length).toBeGreaterThan(1);
  });

  it('gets one call where several are not wanted, and none where none is', async () => {
    const required = { n: 4, tool_choice: 'required', parallel_tool_calls: false };
    for (const { message } of (await chat({ tools: [weather], ...required })).choices)
      expect([message.content, message.tool_calls!.length]).toEqual([null, 1]);
    for (const tool_choice of ['auto', 'none']) {
      const { choices } = await chat({ max_tokens: 12, tools: [weather], tool_choice });
      expect(choices[0]!.message.tool_calls ?? []).toHaveLength(0);
    }
  });

  it('gets exactly one call of a function that it names, and calls only functions that it allows', async () => {
    const other = { ...weather, function: { ...weather.function, name: 'get_time' } };
    const named = { type: 'function', function: { name: 'get_weather' } };
    const allowed_tools = { mode: 'required', tools: [named] };
    const once = await chat({ n: 4, tools: [weather, other], tool_choice: named });
    const some = await chat({
      tools: [weather, other],
      tool_choice: { type: 'allowed_tools', allowed_tools },
    });
    for (const { message, finish_reason } of once.choices)
      expect([message.tool_calls!.length, finish_reason]).toEqual([1, 'stop']);
    const calls = [...once.choices, ...some.choices].flatMap(({ message }) => message.tool_calls!);
    for (const call of calls) expect(call).toMatchObject(named);
    expect(some.choices[0]!.finish_reason).toBe('tool_calls');
    const names = [{ type: 'function' as const, name: 'get_weather' }];
    const response = await client.responses.create({
      model: BASE_MODEL,
      input: 'hello',
      tools: ['get_weather', 'get_time'].map(name => ({ type: 'function', name, parameters, strict: true })),
      tool_choice: { type: 'allowed_tools', mode: 'required', tools: names },
    });
    for (const item of response.output) expect(item).toMatchObject({ name: 'get_weather' });
  });

  it('calls a function in the first form of tools, and goes on with what it returned', async () => {
    const functions = [{ name: 'get_weather', parameters }];
    const { choices } = await chat({ functions, function_call: { name: 'get_weather' } });
    const { message, finish_reason } = choices[0]!;
    expect([message.function_call!.name, finish_reason]).toEqual(['get_weather', 'stop']);
    expectFits(message.function_call!.arguments);
    const output = { role: 'function' as const, name: 'get_weather', content: 'sunny' };
    const next = await chat({ functions, max_tokens: 4, messages: [...messages, message, output] });
    expect(next.choices[0]!.message.role).toBe('assistant');
  });

  it('gets function calls as items of a response, at once and streamed', async () => {
    const tools = [{ type: 'function' as const, name: 'get_weather', parameters, strict: true }];
    const request = { model: BASE_MODEL, input: 'hello', tools, tool_choice: 'required' as const };
    const response = await client.responses.create({ ...request, parallel_tool_calls: false });
    const call = { type: 'function_call', name: 'get_weather', status: 'completed' };
    expect(response.output).toMatchObject([call]);
    expectFits((response.output[0] as OpenAI.Responses.ResponseFunctionToolCall).arguments);
    const types: string[] = [];
    const stream = client.responses.stream(request).on('event', ({ type: kind }) => types.push(kind));
    const final = await stream.finalResponse();
    expect(final.output.every(({ type: kind }) => kind === 'function_call')).toBe(true);
    const rest = types.filter((kind, i) => kind !== types[i - 1]);
    expect(rest.slice(0, 6)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
    ]);
  });

  const dated = { type: 'object', properties: { at: { type: 'string', format: 'regex' } } };
  const pattern = { name: 's', schema: { type: 'string', pattern: '(?<=a)b' } };
  it.each<[name: string, param: string, fields: object]>([
    ['a pattern', 'response_format', { response_format: { type: 'json_schema', json_schema: pattern } }],
    [
      'a format of strict arguments',
      'tools',
      { tools: [{ ...weather, function: { name: 'f', parameters: dated, strict: true } }] },
    ],
  ])('is told that %s cannot be enforced, streamed or not', async (_, param, fields) => {
    for (const stream of [false, true])
      await expect(chat({ ...fields, stream })).rejects.toMatchObject({ status: 400, param });
  });
});

it.each(['responses', 'chat'] as const)(
  'the AI SDK generates objects and calls tools through %s',
  async api => {
    const model = createOpenAI({ baseURL, apiKey })[api](BASE_MODEL);
    const asked = { model, prompt: 'hello' };
    const { object } = await generateObject({ ...asked, schema: Ticket });
    expect(Ticket.parse(object)).toEqual(object);
    const { toolCalls } = await generateText({
      ...asked,
      tools: { get_weather: tool({ inputSchema: Weather }) },
      toolChoice: 'required',
    });
    expectFits(...toolCalls.map(({ input }) => input));
    const streamed = streamText({
      ...asked,
      tools: { get_weather: tool({ inputSchema: Weather }) },
      toolChoice: { type: 'tool', toolName: 'get_weather' },
    });
    expect(await streamed.toolCalls).toHaveLength(1);
    expect(await streamed.finishReason).toBe(api === 'chat' ? 'stop' : 'tool-calls');
  },
);

it("Anthropic's client gets tool use, at once and streamed", async () => {
  const at = { apiKey, baseURL: baseURL.replace(/\/v1$/, ''), maxRetries: 0 };
  const { messages: anthropic } = new Anthropic(at);
  const tools = [{ name: 'weather/get.now', input_schema: parameters }];
  const request = { model: BASE_MODEL, max_tokens: 1000, messages, tools };
  const tool_choice = { type: 'any' as const, disable_parallel_tool_use: true };
  const used = { stop_reason: 'tool_use', content: [{ type: 'tool_use', name: 'weather/get.now' }] };
  expect(await anthropic.create({ ...request, tool_choice })).toMatchObject(used);
  const { content } = await anthropic.stream({ ...request, tool_choice }).finalMessage();
  const [block] = content as [Anthropic.ToolUseBlock];
  expectFits(block.input);
  const result = { type: 'tool_result' as const, tool_use_id: block.id, content: 'sunny' };
  const turns = [
    { role: 'assistant' as const, content },
    { role: 'user' as const, content: [result] },
  ];
  const next = await anthropic.create({ ...request, max_tokens: 8, messages: [...messages, ...turns] });
  expect(next.role).toBe('assistant');
  const prepared = await anthropic.create({ model: BASE_MODEL, max_tokens: 0, messages });
  expect(prepared).toMatchObject({ stop_reason: 'max_tokens', usage: { output_tokens: 0 } });
});

it("Anthropic's client lists models, counts tokens as a message does, and gets an answer of a schema", async () => {
  const client = new Anthropic({ apiKey, baseURL: baseURL.replace(/\/v1$/, ''), maxRetries: 0 });
  const every = (await client.models.list()).data;
  const [model] = every;
  const paged: string[] = [];
  for await (const { id } of client.models.list({ limit: 1 })) paged.push(id);
  expect(paged).toEqual(every.map(({ id }) => id));
  const before = await client.models.list({ limit: 1, before_id: every.at(-1)!.id });
  expect(before.data).toEqual(every.slice(-2, -1));
  for (const query of [{ limit: 0 }, { after_id: 'gone' }])
    await expect(client.models.list(query)).rejects.toMatchObject({ status: 400 });
  expect(model).toMatchObject({ type: 'model', id: BASE_MODEL, created_at: '1970-01-01T00:00:00.000Z' });
  expect(await client.models.retrieve(BASE_MODEL)).toMatchObject(model!);
  await expect(client.models.retrieve('claude')).rejects.toMatchObject({ error: { type: 'error' } });

  const tools = [{ name: 'get_weather', input_schema: parameters }];
  const request = { model: BASE_MODEL, messages, tools };
  const { input_tokens } = await client.messages.countTokens(request);
  const events = await client.messages.create({ ...request, max_tokens: 4, stream: true });
  for await (const event of events) {
    if (event.type !== 'message_start') continue;
    const { input_tokens: computed, cache_read_input_tokens: kept } = event.message.usage;
    expect(computed + kept!).toBe(input_tokens);
  }
  const long = [{ role: 'user' as const, content: 'hello '.repeat(5000) }];
  const counted = await client.messages.countTokens({ ...request, messages: long });
  expect(counted.input_tokens).toBeGreaterThan(4096);

  const output_config = { format: { type: 'json_schema' as const, schema: parameters } };
  const asked = { model: BASE_MODEL, max_tokens: 500, messages, output_config };
  const { content } = await client.messages.create(asked);
  expectFits(content.map(block => (block.type === 'text' ? block.text : '')).join(''));
});

describe('LangChain', () => {
  const configured = () => ({ model: BASE_MODEL, apiKey, configuration: { baseURL }, maxRetries: 0 });
  const chat = (settings: object = {}) => new ChatOpenAI({ ...configured(), ...settings });

  it('chats, at once and streamed', async () => {
    const greedy = chat({ maxTokens: 8, temperature: 0 });
    const answer = await greedy.invoke('hello');
    const usage = { output_tokens: expect.toSatisfy(count => count > 0) };
    expect(answer.usage_metadata).toMatchObject(usage);
    let text = '';
    for await (const chunk of await greedy.stream('hello')) text += chunk.text;
    expect(answer.text).toBe(text);
  });

  it('gets structured output and calls of tools, and embeds', async () => {
    expect(Ticket.parse(await chat().withStructuredOutput(Ticket).invoke('hello'))).toBeTruthy();
    const tools = [{ name: 'get_weather', description: 'The weather.', schema: Weather }];
    const { tool_calls } = await chat().bindTools(tools, { tool_choice: 'required' }).invoke('hello');
    expectFits(...tool_calls!.map(({ args }) => args));
    expect(tool_calls![0]!.name).toBe('get_weather');
    const [first, second] = await new OpenAIEmbeddings(configured()).embedDocuments(['hello', 'goodbye']);
    expect(Math.hypot(...first!)).toBeCloseTo(1, 5);
    expect(first).not.toEqual(second);
  });
});

it("the AI SDK's provider for compatible services generates, streams, and embeds", async () => {
  const provider = createOpenAICompatible({ name: 'svc', baseURL, apiKey, supportsStructuredOutputs: true });
  const asked = { model: provider(BASE_MODEL), prompt: 'hello' };
  const { usage } = await generateText({ ...asked, maxOutputTokens: 6 });
  expect(usage.outputTokens).toBeGreaterThan(0);
  const { object } = await generateObject({ ...asked, schema: Ticket });
  expect(Ticket.parse(object)).toEqual(object);
  expect(await streamText({ ...asked, maxOutputTokens: 6 }).finishReason).toMatch(/stop|length/);
  const model = provider.embeddingModel(BASE_MODEL);
  expect((await embedMany({ model, values: ['hello', 'goodbye'] })).embeddings).toHaveLength(2);
});

const SCRIPT = `
import json, os
from openai import OpenAI
client, model = OpenAI(max_retries=0), os.environ["MODEL"]
ask = dict(model=model, messages=[{"role": "user", "content": "hello"}], temperature=0)
chat = client.chat.completions.create(**ask, max_tokens=6).choices[0].message.content
streamed = "".join(
    chunk.choices[0].delta.content or ""
    for chunk in client.chat.completions.create(**ask, max_tokens=6, stream=True) if chunk.choices
)
schema = json.loads(os.environ["SCHEMA"])
ticket = client.chat.completions.create(
    **ask, response_format={"type": "json_schema", "json_schema": {"name": "ticket", "schema": schema}}
).choices[0].message.content
tool = {"type": "function", "function": {"name": "get_weather", "parameters": {
    "type": "object", "properties": {"city": {"type": "string", "maxLength": 6}}, "required": ["city"]}}}
call = client.chat.completions.create(**ask, tools=[tool], tool_choice="required").choices[0].message.tool_calls[0]
json.loads(call.function.arguments)
completion = client.completions.create(model=model, prompt="hello", max_tokens=4)
embedding = client.embeddings.create(model=model, input="hello").data[0].embedding
print(json.dumps({
    "first": client.models.list().data[0].id, "chat": chat, "streamed": streamed, "ticket": ticket,
    "tool": call.function.name, "completion": completion.usage.completion_tokens,
    "embedding": round(sum(x * x for x in embedding), 3),
}))
`;

const python = await findPython('openai');

it.skipIf(python === null)("Python's openai lists models, chats, streams, completes and embeds", async () => {
  const SCHEMA = JSON.stringify(z.toJSONSchema(Ticket));
  const told = { OPENAI_BASE_URL: baseURL, OPENAI_API_KEY: apiKey, MODEL: BASE_MODEL, SCHEMA };
  const { stdout } = await promisify(execFile)(python!, ['-c', SCRIPT], { env: { ...process.env, ...told } });
  const said = JSON.parse(stdout) as Record<string, unknown>;
  expect(said).toMatchObject({ first: BASE_MODEL, tool: 'get_weather', completion: 4, embedding: 1 });
  expect(said.streamed).toBe(said.chat);
  expect(Ticket.parse(JSON.parse(said.ticket as string))).toBeTruthy();
});
