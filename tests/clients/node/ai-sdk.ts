// The AI SDK in two versions, and Mastra, which is made on it.
import type { Client } from '../client.js';

const CALLS: Client['calls'] = {
  '`generateText`': `
for (const model of models) {
  const { text, usage } = await generateText({ model, maxOutputTokens, system: 'Be brief.', prompt: 'Where is my parcel?' });
  assert(text && usage.totalTokens > 0);
}`,
  '`streamText`': `
for (const model of models) {
  let text = '';
  for await (const part of streamText({ model, maxOutputTokens, prompt: 'Where is my parcel?' }).textStream) text += part;
  assert(text);
}`,
  'two turns': `
for (const model of models) {
  const messages = [{ role: 'user', content: 'Where is my parcel?' }];
  const first = await generateText({ model, maxOutputTokens, messages });
  messages.push(...first.response.messages, { role: 'user', content: 'And when does it come?' });
  assert((await generateText({ model, maxOutputTokens, messages })).text);
}`,
  '`Output.object` with zod': `
for (const model of models) {
  const output = Output.object({ schema: Ticket });
  const found = await generateText({ model, maxOutputTokens: 600, prompt: 'My bill is wrong.', output });
  Ticket.parse(found.output);
}`,
  'tools, in a loop': `
for (const model of models)
  for (const toolChoice of ['required', { type: 'tool', toolName: 'get_weather' }]) {
    const cities = [];
    const get_weather = tool({
      description: 'The weather in a city.',
      inputSchema: z.object({ city: z.string() }),
      execute: async ({ city }) => { cities.push(city); return 'sunny'; },
    });
    const { steps } = await generateText({
      model,
      maxOutputTokens,
      prompt: 'What is the weather in Rome?',
      tools: { get_weather },
      stopWhen: stepCountIs(2),
      prepareStep: ({ stepNumber }) => ({ toolChoice: stepNumber === 0 ? toolChoice : 'auto' }),
    });
    assert(cities.length > 0);
  }`,
  '`embedMany`': `
const { embeddings } = await embedMany({ model: openai.embedding(name), values: ['parcel', 'refund'] });
assert.equal(embeddings.length, 2);`,
  errors: `
const wrong = createOpenAI({ apiKey: 'wrong' });
await assert.rejects(generateText({ model: wrong(name), prompt: 'Hello.' }), { statusCode: 401 });
await assert.rejects(generateText({ model: openai('gpt-5'), prompt: 'Hello.' }), { statusCode: 404 });`,
};

const setupOf = (sdk: string, provider: string) => `

import assert from 'node:assert/strict';
import * as z from 'zod';
import { createOpenAI } from '${provider}';
import { embedMany, generateText, Output, stepCountIs, streamText, tool } from '${sdk}';

const openai = createOpenAI();
const name = process.env.MODEL;
// Responses, which are its default, and chat completions.
const models = [openai(name), openai.chat(name)];
const maxOutputTokens = 200;
const Ticket = z.object({ team: z.enum(['billing', 'support']), email: z.email(), at: z.iso.datetime() });`;

const firstExampleOf = (sdk: string, provider: string) => `
import assert from 'node:assert/strict';
import { openai } from '${provider}';
import { generateText } from '${sdk}';
const { text } = await generateText({ model: openai('gpt-5-mini'), prompt: 'Write a vegetarian lasagna recipe for 4 people.' });
assert(text);`;

export const AI_SDK_6: Client = {
  name: 'AI SDK 6, `@ai-sdk/openai`',
  environment: 'node',
  package: 'ai',
  firstExample: firstExampleOf('ai', '@ai-sdk/openai'),
  setup: setupOf('ai', '@ai-sdk/openai'),
  calls: {
    ...CALLS,
    '`generateObject`': `

import { generateObject } from 'ai';

for (const model of models)
  Ticket.parse((await generateObject({ model, maxOutputTokens: 600, prompt: 'A ticket.', schema: Ticket })).object);`,
  },
};

export const AI_SDK_7: Client = {
  name: 'AI SDK 7, `@ai-sdk/openai`',
  environment: 'node',
  package: 'ai-7',
  firstExample: firstExampleOf('ai-7', 'ai-sdk-openai-4'),
  setup: setupOf('ai-7', 'ai-sdk-openai-4'),
  calls: CALLS,
};

export const MASTRA: Client = {
  name: 'Mastra',
  environment: 'node',
  package: '@mastra/core',
  firstExample: `
import assert from 'node:assert/strict';
import { Agent } from '@mastra/core/agent';
const instructions = 'You are a helpful weather assistant.';
const agent = new Agent({ id: 'weather-agent', name: 'Weather Agent', instructions, model: 'openai/gpt-5-mini' });
assert((await agent.generate("What's the weather like today?")).text);`,
  setup: `

import assert from 'node:assert/strict';
import { createOpenAI } from '@ai-sdk/openai';
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import * as z from 'zod';

const openai = createOpenAI();
const models = [openai(process.env.MODEL), openai.chat(process.env.MODEL)];
const agentOf = (model, more) =>
  new Agent({ id: 'support', name: 'Support', instructions: 'Be brief.', model, ...more });
const modelSettings = { maxOutputTokens: 200 };
const Ticket = z.object({ team: z.enum(['billing', 'support']), isUrgent: z.boolean() });`,
  calls: {
    '`Agent.generate`': `
for (const model of models) assert((await agentOf(model).generate('Where is my parcel?', { modelSettings })).text);`,
    '`.stream`': `
for (const model of models) {
  const { textStream } = await agentOf(model).stream('Where is my parcel?', { modelSettings });
  let text = '';
  for await (const part of textStream) text += part;
  assert(text);
}`,
    'two turns': `
for (const model of models) {
  const messages = [{ role: 'user', content: 'Where is my parcel?' }];
  const first = await agentOf(model).generate(messages, { modelSettings });
  messages.push(...first.response.messages, { role: 'user', content: 'And when does it come?' });
  assert((await agentOf(model).generate(messages, { modelSettings })).text);
}`,
    '`structuredOutput`': `
const asked = { modelSettings, structuredOutput: { schema: Ticket } };
for (const model of models) Ticket.parse((await agentOf(model).generate('My bill is wrong.', asked)).object);`,
    tools: `
for (const model of models) {
  const cities = [];
  const weather = createTool({
    id: 'get_weather',
    description: 'The weather in a city.',
    inputSchema: z.object({ city: z.string() }),
    execute: async input => { cities.push(input.city ?? input.context?.city); return { weather: 'sunny' }; },
  });
  const asked = { modelSettings, toolChoice: 'required', maxSteps: 1 };
  await agentOf(model, { tools: { weather } }).generate('Weather in Rome?', asked);
  assert(cities.length > 0 && cities.every(city => typeof city === 'string'));
}`,
  },
};
