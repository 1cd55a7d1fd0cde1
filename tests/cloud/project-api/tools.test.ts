// Structured answers and tools by the real engine, as the clients that people have ask for them. The model's weights are
// random, so whatever fits was enforced.
import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { generateObject, generateText, jsonSchema, streamText, tool } from 'ai';
import type OpenAI from 'openai';
import { zodResponseFormat, zodTextFormat } from 'openai/helpers/zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { BASE_MODEL } from '../deployments/sample-cloud.js';
import { BASE_URL, type EngineProject, openEngineProject } from './sample-project-api.js';

const messages = [{ role: 'user' as const, content: 'hello' }];
const ask = { model: BASE_MODEL, messages, seed: 5 };
const Ticket = z.object({
  team: z.enum(['billing', 'support']),
  urgency: z.int().min(1).max(5),
  tags: z.array(z.string().max(5)).max(2),
});
const weather: OpenAI.ChatCompletionFunctionTool = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather of a city.',
    parameters: {
      type: 'object',
      properties: {
        city: { type: 'string', maxLength: 8 },
        days: { type: 'integer', minimum: 1, maximum: 3 },
      },
      required: ['city', 'days'],
      additionalProperties: false,
    },
  },
};
const fits = (given: string) => {
  const { city, days } = JSON.parse(given) as { city: string; days: number };
  return typeof city === 'string' && [...city].length <= 8 && days >= 1 && days <= 3;
};

let project: EngineProject;
let client: OpenAI;
beforeAll(async () => {
  // Its tokens are little more than bytes, so descriptions of tools take many.
  project = await openEngineProject(4096);
  client = project.client;
});
afterAll(() => project.close());

describe('openai for Node.js', () => {
  it('parses chat completions with a zod schema', async () => {
    const completion = await client.chat.completions.parse({
      ...ask,
      response_format: zodResponseFormat(Ticket, 'ticket'),
    });
    expect(Ticket.parse(completion.choices[0]!.message.parsed)).toBeTruthy();
    expect(completion.choices[0]!.finish_reason).toBe('stop');
  });

  it('parses responses with a zod schema', async () => {
    const response = await client.responses.parse({
      model: BASE_MODEL,
      input: 'hello',
      text: { format: zodTextFormat(Ticket, 'ticket') },
    });
    expect(Ticket.parse(response.output_parsed)).toBeTruthy();
    expect(response.text!.format).toMatchObject({ type: 'json_schema', name: 'ticket' });
  });

  it('gets an object where only that is asked', async () => {
    const { choices } = await client.chat.completions.create({
      ...ask,
      n: 2,
      max_tokens: 300,
      response_format: { type: 'json_object' },
    });
    for (const { message, finish_reason } of choices)
      if (finish_reason === 'stop') expect(JSON.parse(message.content!)).toBeTypeOf('object');
      else expect(message.content!.trim()).toMatch(/^\{/);
  });

  it('gets a call, streamed with its arguments in parts', async () => {
    const stream = client.chat.completions.stream({ ...ask, tools: [weather], tool_choice: 'required' });
    const parts: string[] = [];
    stream.on('tool_calls.function.arguments.delta', ({ arguments_delta }) => parts.push(arguments_delta));
    const { choices } = await stream.finalChatCompletion();
    const { message, finish_reason } = choices[0]!;
    expect(finish_reason).toBe('tool_calls');
    const calls = message.tool_calls as OpenAI.ChatCompletionMessageFunctionToolCall[];
    expect(calls.length).toBeGreaterThan(0);
    for (const call of calls) {
      expect(call.function.name).toBe('get_weather');
      expect(call.id).toMatch(/^call_/);
      expect(fits(call.function.arguments)).toBe(true);
    }
    expect(parts.join('')).toBe(calls.map(call => call.function.arguments).join(''));
    expect(parts.length).toBeGreaterThan(1);
  });

  it('gets one call where several are not wanted', async () => {
    const { choices } = await client.chat.completions.create({
      ...ask,
      n: 4,
      tools: [weather],
      tool_choice: 'required',
      parallel_tool_calls: false,
    });
    for (const { message } of choices) {
      expect(message.tool_calls).toHaveLength(1);
      expect(message.content).toBeNull();
    }
  });

  it('runs the tool that it names', async () => {
    const asked: unknown[] = [];
    const runner = client.chat.completions.runTools({
      ...ask,
      tools: [
        {
          type: 'function',
          function: {
            name: 'get_weather',
            description: 'The weather of a city.',
            parameters: weather.function.parameters as object,
            parse: JSON.parse,
            function: (given: unknown) => {
              asked.push(given);
              return 'sunny';
            },
          },
        },
      ],
      tool_choice: { type: 'function', function: { name: 'get_weather' } },
    });
    await runner.done();
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.every(given => fits(JSON.stringify(given)))).toBe(true);
  });

  it('may answer with text where a call is not required, and gets no call where none is wanted', async () => {
    const answers = await Promise.all(
      (['auto', 'none'] as const).map(tool_choice =>
        client.chat.completions.create({ ...ask, max_tokens: 12, tools: [weather], tool_choice }),
      ),
    );
    for (const { choices } of answers) expect(choices[0]!.message.tool_calls ?? []).toHaveLength(0);
  });

  it('continues after the results of calls', async () => {
    const call = { name: 'get_weather', arguments: '{"city":"Bern","days":1}' };
    const { choices } = await client.chat.completions.create({
      ...ask,
      max_tokens: 8,
      tools: [weather],
      messages: [
        ...messages,
        { role: 'assistant', tool_calls: [{ id: 'call_1', type: 'function', function: call }] },
        { role: 'tool', tool_call_id: 'call_1', content: 'sunny' },
      ],
    });
    expect(choices[0]!.finish_reason).toMatch(/stop|length|tool_calls/);
  });

  it('gets function calls as items of a response, at once and streamed', async () => {
    const { type, function: given } = weather;
    const tools = [{ type, name: given.name, parameters: given.parameters!, strict: true }];
    const request = { model: BASE_MODEL, input: 'hello', tools, tool_choice: 'required' as const };
    const response = await client.responses.create({ ...request, parallel_tool_calls: false });
    expect(response.output).toMatchObject([
      { type: 'function_call', name: 'get_weather', status: 'completed' },
    ]);
    expect(fits((response.output[0] as OpenAI.Responses.ResponseFunctionToolCall).arguments)).toBe(true);
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

  it.each<[name: string, fields: object, param: string]>([
    [
      'a pattern',
      {
        response_format: {
          type: 'json_schema',
          json_schema: { name: 's', schema: { type: 'string', pattern: 'a' } },
        },
      },
      'response_format',
    ],
    [
      'arguments with a format',
      {
        tools: [
          {
            ...weather,
            function: {
              name: 'f',
              parameters: { type: 'object', properties: { at: { type: 'string', format: 'date' } } },
            },
          },
        ],
      },
      'tools',
    ],
    [
      'a tool that is not there',
      { tools: [weather], tool_choice: { type: 'function', function: { name: 'x' } } },
      'tool_choice',
    ],
  ])('is told that %s cannot be enforced, streamed or not', async (_, fields, param) => {
    for (const stream of [false, true]) {
      const call = client.chat.completions.create({ ...ask, ...fields, stream } as never);
      await expect(call).rejects.toMatchObject({ status: 400, param });
    }
  });
});

describe('the AI SDK', () => {
  const provider = () => createOpenAI({ baseURL: BASE_URL, apiKey: project.apiKey, fetch: project.send });
  const inputSchema = jsonSchema<{ city: string; days: number }>(weather.function.parameters as object);

  it.each(['responses', 'chat'] as const)('generates objects and calls tools through %s', async api => {
    const model = provider()[api](BASE_MODEL);
    const { object } = await generateObject({ model, schema: Ticket, prompt: 'hello' });
    expect(Ticket.parse(object)).toEqual(object);
    const { toolCalls } = await generateText({
      model,
      prompt: 'hello',
      tools: { get_weather: tool({ inputSchema }) },
      toolChoice: 'required',
    });
    expect(toolCalls.length).toBeGreaterThan(0);
    expect(toolCalls.every(({ input }) => fits(JSON.stringify(input)))).toBe(true);
    const streamed = streamText({
      model,
      prompt: 'hello',
      tools: { get_weather: tool({ inputSchema }) },
      toolChoice: { type: 'tool', toolName: 'get_weather' },
    });
    expect((await streamed.toolCalls).length).toBeGreaterThan(0);
    expect(await streamed.finishReason).toBe('tool-calls');
  });
});

describe("Anthropic's client", () => {
  const anthropic = () =>
    new Anthropic({
      apiKey: project.apiKey,
      baseURL: BASE_URL.replace(/\/v1$/, ''),
      fetch: project.send,
      maxRetries: 0,
    });
  const tools = [
    { name: 'get_weather', input_schema: weather.function.parameters as Anthropic.Tool.InputSchema },
  ];
  const request = { model: BASE_MODEL, max_tokens: 1000, messages, tools };

  it('gets tool use, at once and streamed', async () => {
    const tool_choice = { type: 'any' as const, disable_parallel_tool_use: true };
    const whole = await anthropic().messages.create({ ...request, tool_choice });
    expect(whole).toMatchObject({
      stop_reason: 'tool_use',
      content: [{ type: 'tool_use', name: 'get_weather' }],
    });
    const final = await anthropic()
      .messages.stream({ ...request, tool_choice })
      .finalMessage();
    const [block] = final.content as Anthropic.ToolUseBlock[];
    expect(fits(JSON.stringify(block!.input))).toBe(true);
    const next = await anthropic().messages.create({
      ...request,
      max_tokens: 8,
      messages: [
        ...messages,
        { role: 'assistant', content: final.content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: block!.id, content: 'sunny' }] },
      ],
    });
    expect(next.role).toBe('assistant');
  });
});
