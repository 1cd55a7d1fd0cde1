// Models that think, as clients see them: thoughts beside answers, and back in the conversation, and how requests turn them off.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { generateText, streamText } from 'ai';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { Piece } from '../../../lib/engine/index.js';
import { templates } from '../../support/chat-templates.js';
import { tinyTokenizer } from '../../support/tiny-tokenizer.js';
import { end, saying, scriptedBackend, text } from '../backends/scripted-backend.js';
import { toFetch } from '../to-fetch.js';
import { MODEL, openProjectCloud } from './project-cloud.js';
import { BASE_URL, openEngineProject, refusal } from './sample-project-api.js';

const THOUGHT = 'Let me see.';
const ending: Piece = { ...end(5, 6), usage: { promptTokens: 5, completionTokens: 6, thoughtTokens: 4 } };
const thinking = ['Let me ', 'see.'].map((thought): Piece => ({ text: '', tokenIds: [], thought }));
const backend = scriptedBackend(saying(...thinking, text('Hi'), ending));
const cloud = await openProjectCloud({ backend });
afterAll(() => cloud.close());
beforeEach(() => {
  backend.tasks.length = 0;
});

const fetch = toFetch(cloud.cloud.fetch);
const { apiKey, openai } = cloud;
const anthropic = new Anthropic({ apiKey, baseURL: BASE_URL.replace(/\/v1$/, ''), fetch, maxRetries: 0 });
const user = { role: 'user' as const, content: 'hello' };
const again = { role: 'user' as const, content: 'again' };
const ask = { model: MODEL, messages: [user] };
/** What the template gets of the assistant's earlier turn. */
const earlier = () => backend.tasks.at(-1)!.messages[1];

describe('thoughts', () => {
  it("reach OpenAI's client in chats and their streams, and go back under either name", async () => {
    const { choices, usage } = await openai.chat.completions.create(ask);
    expect(choices[0]!.message).toMatchObject({ content: 'Hi', reasoning_content: THOUGHT });
    expect(usage!.completion_tokens_details).toMatchObject({ reasoning_tokens: 4 });
    const streamed = await openai.chat.completions.stream(ask).finalChatCompletion();
    expect(streamed.choices[0]!.message.content).toBe('Hi');
    const { reasoning_content: _, ...other } = choices[0]!.message as never as Record<string, unknown>;
    for (const message of [choices[0]!.message, other]) {
      await openai.chat.completions.create({ ...ask, messages: [user, message as never, again] });
      expect(earlier()).toMatchObject({ content: 'Hi', reasoning_content: THOUGHT });
      expect(earlier()).not.toHaveProperty('reasoning');
    }
  });

  it('reach the AI SDK', async () => {
    const model = createOpenAICompatible({ name: 'svc', baseURL: BASE_URL, apiKey, fetch })(MODEL);
    const { text: said, reasoningText, usage } = await generateText({ model, prompt: 'hello' });
    expect([said, reasoningText, usage.outputTokenDetails.reasoningTokens]).toEqual(['Hi', THOUGHT, 4]);
    const streamed = streamText({ model, prompt: 'hello' });
    expect([await streamed.text, await streamed.reasoningText]).toEqual(['Hi', THOUGHT]);
  });

  it('are items of responses, and the next one has them, sent again or stored', async () => {
    const asked = { model: MODEL, input: 'hello' };
    const first = await openai.responses.stream(asked).finalResponse();
    expect(first.output.map(({ type }) => type)).toEqual(['reasoning', 'message']);
    expect(first.usage!.output_tokens_details.reasoning_tokens).toBe(4);
    const turn = { content: 'Hi', reasoning_content: THOUGHT };
    await openai.responses.create({ ...asked, input: [user, ...first.output, again] as never });
    expect(earlier()).toMatchObject(turn);
    await openai.responses.create({ ...asked, input: 'again', previous_response_id: first.id });
    expect(earlier()).toMatchObject(turn);
    const call = { type: 'function_call' as const, call_id: 'c', name: 'f', arguments: '{}' };
    const input = [user, first.output[0]!, call, first.output[0]!, call] as never;
    await openai.responses.create({ ...asked, input });
    expect(backend.tasks.at(-1)!.messages.slice(1)).toMatchObject(
      [1, 2].map(() => ({ content: '', reasoning_content: THOUGHT, tool_calls: [{}] })),
    );
  });

  it("are blocks for Anthropic's client, and go back", async () => {
    const message = await anthropic.messages.create({ ...ask, max_tokens: 9 });
    expect(message.content).toMatchObject([
      { type: 'thinking', thinking: THOUGHT },
      { type: 'text', text: 'Hi' },
    ]);
    const parts: string[] = [];
    const stream = anthropic.messages.stream({ ...ask, max_tokens: 9 });
    const { content } = await stream.on('thinking', delta => parts.push(delta)).finalMessage();
    expect([parts.join(''), content]).toEqual([THOUGHT, message.content]);
    const redacted = { type: 'redacted_thinking' as const, data: 'x' };
    const turns = [user, { role: 'assistant' as const, content: [...content, redacted] }, again];
    await anthropic.messages.create({ ...ask, max_tokens: 9, messages: turns });
    expect(earlier()).toMatchObject({ content: 'Hi', reasoning_content: THOUGHT });
  });

  it.each<[variables: unknown, call: () => Promise<unknown>]>([
    [undefined, () => openai.chat.completions.create({ ...ask, reasoning_effort: 'low' })],
    [
      { enable_thinking: false },
      () => openai.chat.completions.create({ ...ask, reasoning_effort: 'minimal' }),
    ],
    [
      { enable_thinking: false },
      () => openai.responses.create({ model: MODEL, input: 'x', reasoning: { effort: 'none' } }),
    ],
    [undefined, () => anthropic.messages.create({ ...ask, max_tokens: 9 })],
    [
      { enable_thinking: false },
      () => anthropic.messages.create({ ...ask, max_tokens: 9, thinking: { type: 'disabled' } }),
    ],
    [
      { enable_thinking: true },
      () =>
        anthropic.messages.create({
          ...ask,
          max_tokens: 9,
          thinking: { type: 'enabled', budget_tokens: 1024 },
        }),
    ],
    [
      { enable_thinking: true, budget: { words: [1, null] } },
      () => {
        const chat_template_kwargs = { enable_thinking: true, budget: { words: [1, null] } };
        return openai.chat.completions.create({
          ...ask,
          reasoning_effort: 'none',
          chat_template_kwargs,
        } as never);
      },
    ],
  ])('are up to the template, which gets %j', async (variables, call) => {
    await call();
    expect(backend.tasks[0]!.variables).toEqual(variables);
  });

  const deep = JSON.parse('['.repeat(60) + ']'.repeat(60)) as unknown;
  it.each<[given: unknown, code: string, param: string]>([
    [{ messages: [] }, 'unsupported_parameter', 'chat_template_kwargs.messages'],
    [{ add_generation_prompt: false }, 'unsupported_parameter', 'chat_template_kwargs.add_generation_prompt'],
    ['text', 'invalid_value', 'chat_template_kwargs'],
    [{ 'not a name': 1 }, 'invalid_value', 'chat_template_kwargs'],
    [{ long: 'x'.repeat(20_000) }, 'invalid_value', 'chat_template_kwargs'],
    [{ deep }, 'invalid_value', 'chat_template_kwargs'],
    [JSON.parse('{"__proto__": {"a": 1}}'), 'invalid_value', 'chat_template_kwargs'],
  ])('cannot be asked for with %j', async (chat_template_kwargs, code, param) => {
    const chat = await refusal(openai.chat.completions.create({ ...ask, chat_template_kwargs } as never));
    expect(chat).toMatchObject({ status: 400, code, param: expect.stringContaining(param) });
    const response = { model: MODEL, input: 'x', chat_template_kwargs } as never;
    expect(await refusal(openai.responses.create(response))).toMatchObject({ status: 400, code });
  });
});

it('the engine thinks as the template says, and answers in the shape that was asked for', async () => {
  const { template, markers } = templates['in the manner of Qwen3']!;
  const tokenizer = tinyTokenizer({ markers: [...markers, '<think>', '</think>'], merges: 48 });
  const project = await openEngineProject(undefined, {
    'tokenizer.json': tokenizer,
    'tokenizer_config.json': { eos_token: markers[0], chat_template: template },
  });
  const { client } = project;
  try {
    const asked = { ...ask, model: (await client.models.list()).data[0]!.id, temperature: 0 };
    const off = { ...asked, max_tokens: 8, reasoning_effort: 'none' as const };
    const short = await client.chat.completions.create(off);
    expect(short.choices[0]!.message).not.toHaveProperty('reasoning_content');
    const { input_tokens } = await client.responses.inputTokens.count({ model: asked.model, input: 'hello' });
    expect(short.usage!.prompt_tokens).toBeGreaterThan(input_tokens);

    // The model's weights are random: what it likes best is decided here.
    const [start, end] = tokenizer.added_tokens.slice(-2).map(({ id }) => String(id)) as [string, string];
    const long = { ...asked, max_tokens: 8, logit_bias: { [start]: 100 } };
    const cut = (await client.chat.completions.create(long)).choices[0]!;
    expect(cut).toMatchObject({ finish_reason: 'length', message: { content: '' } });
    const json_schema = {
      name: 'answer',
      schema: { type: 'object', properties: { a: { enum: [1, 2] } }, required: ['a'] },
    };
    const response_format = { type: 'json_schema' as const, json_schema };
    const shaped = { ...asked, max_tokens: 60, response_format, logit_bias: { [start]: 60, [end]: 100 } };
    const { choices, usage } = await client.chat.completions.create(shaped);
    expect(JSON.parse(choices[0]!.message.content!)).toHaveProperty('a');
    expect(usage!.completion_tokens_details!.reasoning_tokens).toBe(2);
  } finally {
    await project.close();
  }
});
