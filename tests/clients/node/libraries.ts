// Other libraries in Node.
import type { Client } from '../client.js';

const WEATHER_AND_TICKET = `
import assert from 'node:assert/strict';
import * as z from 'zod';

const name = process.env.MODEL;
const Weather = z.object({ city: z.string() });
const Ticket = z.object({ team: z.enum(['billing', 'support']), email: z.email(), at: z.iso.datetime() });
const cities = [];`;

export const OPENAI_AGENTS_NODE: Client = {
  name: '`@openai/agents`',
  environment: 'node',
  package: '@openai/agents',
  firstExample: `
import assert from 'node:assert/strict';
import { Agent, run } from '@openai/agents';
const agent = new Agent({ name: 'Assistant', instructions: 'You are a helpful assistant.' });
const result = await run(agent, 'Write a haiku about recursion in programming.');
assert(result.finalOutput);`,
  setup: `${WEATHER_AND_TICKET}
import { Agent, MemorySession, OpenAIChatCompletionsModel, OpenAIResponsesModel, run, tool } from '@openai/agents';
import OpenAI from 'openai';

const models = [new OpenAIResponsesModel(new OpenAI(), name), new OpenAIChatCompletionsModel(new OpenAI(), name)];
// It takes an answer that a limit ends for an error, so the model has to end it.
const modelSettings = { maxTokens: 1000, temperature: 0 };`,
  calls: {
    '`run`': `
for (const model of models) {
  const agent = new Agent({ name: 'Assistant', instructions: 'Be brief.', model, modelSettings });
  assert((await run(agent, 'Where is my parcel?')).finalOutput);
}`,
    streamed: `
for (const model of models) {
  const result = await run(new Agent({ name: 'Assistant', model, modelSettings }), 'Where is my parcel?', { stream: true });
  let text = '';
  for await (const part of result.toTextStream()) text += part;
  assert(text);
}`,
    tools: `
const get_weather = tool({
  name: 'get_weather',
  description: 'The weather in a city.',
  parameters: Weather,
  execute: async ({ city }) => { cities.push(city); return 'sunny'; },
});
for (const model of models)
  for (const toolChoice of ['required', 'get_weather']) {
    const before = cities.length;
    const settings = { ...modelSettings, toolChoice };
    const agent = new Agent({ name: 'Weather', model, tools: [get_weather], modelSettings: settings });
    assert.notEqual((await run(agent, 'What is the weather in Rome?')).finalOutput, undefined);
    assert(cities.length > before);
  }`,
    '`outputType`': `
for (const model of models) {
  const agent = new Agent({ name: 'Triage', model, outputType: Ticket, modelSettings });
  Ticket.parse((await run(agent, 'My bill is wrong.')).finalOutput);
}`,
    sessions: `
for (const model of models) {
  const session = new MemorySession();
  for (const question of ['Hello.', 'What is the capital of France?'])
    assert((await run(new Agent({ name: 'Assistant', model, modelSettings }), question, { session })).finalOutput);
}`,
  },
};

export const LANGCHAIN_NODE: Client = {
  name: 'LangChain and LangGraph for Node.js',
  environment: 'node',
  package: '@langchain/openai',
  firstExample: `
import assert from 'node:assert/strict';
import { HumanMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
const model = new ChatOpenAI({ apiKey: process.env.OPENAI_API_KEY, model: 'gpt-4-1106-preview' });
assert((await model.invoke([new HumanMessage('Hello world!')])).content);`,
  setup: `${WEATHER_AND_TICKET}
import { tool } from '@langchain/core/tools';
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai';

const options = { model: name, maxTokens: 300 };
const models = [new ChatOpenAI(options), new ChatOpenAI({ ...options, useResponsesApi: true })];
const get_weather = tool(
  async ({ city }) => { cities.push(city); return 'sunny'; },
  { name: 'get_weather', description: 'The weather in a city.', schema: Weather },
);`,
  calls: {
    '`ChatOpenAI.invoke`': `
for (const llm of models) {
  const answer = await llm.invoke([['system', 'Be brief.'], ['human', 'Where is my parcel?']]);
  assert(answer.text && answer.usage_metadata.output_tokens > 0);
}`,
    '`.stream`': `
for (const llm of models) {
  let text = '';
  for await (const chunk of await llm.stream('Where is my parcel?')) text += chunk.text;
  assert(text);
}`,
    '`.withStructuredOutput`': `
for (const llm of models)
  for (const method of ['jsonSchema', 'functionCalling'])
    Ticket.parse(await llm.withStructuredOutput(Ticket, { method }).invoke('My bill is wrong.'));`,
    '`.bindTools`': `
// "required" would not be sent to the second.
for (const [i, tool_choice] of [[0, 'required'], [0, 'get_weather'], [1, 'get_weather']]) {
  const { tool_calls } = await models[i].bindTools([get_weather], { tool_choice }).invoke('Weather in Rome?');
  assert(tool_calls.length > 0);
  for (const { name, args } of tool_calls) assert(name === 'get_weather' && Weather.parse(args));
}`,
    '`createAgent`': `
import { createAgent, providerStrategy } from 'langchain';
for (const model of models) {
  const ask = { messages: [{ role: 'user', content: 'What is the weather in Rome?' }] };
  const { messages } = await createAgent({ model, tools: [get_weather] }).invoke(ask);
  assert.equal(messages.at(-1).getType(), 'ai');
  const responseFormat = providerStrategy(z.object({ isUrgent: z.boolean() }));
  const agent = createAgent({ model, tools: [], responseFormat });
  assert.equal(typeof (await agent.invoke(ask)).structuredResponse.isUrgent, 'boolean');
}`,
    '`StateGraph` with memory': `
import { MemorySaver, MessagesAnnotation, StateGraph, START } from '@langchain/langgraph';
for (const llm of models) {
  const app = new StateGraph(MessagesAnnotation)
    .addNode('model', async ({ messages }) => ({ messages: await llm.invoke(messages) }))
    .addEdge(START, 'model')
    .compile({ checkpointer: new MemorySaver() });
  const at = { configurable: { thread_id: '1' } };
  await app.invoke({ messages: [['human', 'Where is my parcel?']] }, at);
  assert.equal((await app.invoke({ messages: [['human', 'And when?']] }, at)).messages.length, 4);
}`,
    '`OpenAIEmbeddings`': `
assert.equal((await new OpenAIEmbeddings({ model: name }).embedDocuments(['parcel', 'refund'])).length, 2);`,
  },
};

export const INSTRUCTOR_NODE: Client = {
  name: '`@instructor-ai/instructor`',
  environment: 'node',
  package: '@instructor-ai/instructor',
  firstExample: `
import assert from 'node:assert/strict';
import Instructor from '@instructor-ai/instructor';
import OpenAI from 'openai';
import { z } from 'zod/v3';
const client = Instructor({ client: new OpenAI(), mode: 'TOOLS' });
const schema = z.object({ age: z.number().describe('The age of the user'), name: z.string() });
const user = await client.chat.completions.create({
  messages: [{ role: 'user', content: 'Jason Liu is 30 years old' }],
  model: 'gpt-3.5-turbo',
  response_model: { schema, name: 'User' },
});
assert.equal(typeof user.age, 'number');`,
  setup: `
import assert from 'node:assert/strict';
import Instructor from '@instructor-ai/instructor';
import OpenAI from 'openai';
import * as z from 'zod/v3';

const Ticket = z.object({ team: z.enum(['billing', 'support']), email: z.string().email() });
const ask = (mode, more) =>
  Instructor({ client: new OpenAI(), mode }).chat.completions.create({
    model: process.env.MODEL,
    messages: [{ role: 'user', content: 'My bill is wrong.' }],
    response_model: { schema: Ticket, name: 'Ticket' },
    max_tokens: 600,
    ...more,
  });`,
  calls: {
    '`TOOLS`, `FUNCTIONS`': `
for (const mode of ['TOOLS', 'FUNCTIONS']) Ticket.parse(await ask(mode));`,
    streamed: `
let last;
for await (const part of await ask('TOOLS', { stream: true })) last = part;
assert(['billing', 'support'].includes(last.team));`,
  },
};

export const XSAI: Client = {
  name: 'xsAI',
  environment: 'node',
  package: 'xsai',
  setup: `${WEATHER_AND_TICKET}
import { embed, generateObject, generateText, listModels, streamText, tool } from 'xsai';

const at = { apiKey: process.env.OPENAI_API_KEY, baseURL: process.env.OPENAI_BASE_URL + '/', model: name, maxTokens: 200 };
const messages = [{ role: 'user', content: 'What is the weather in Rome?' }];`,
  calls: {
    '`generateText`': `
assert((await generateText({ ...at, messages })).text);`,
    '`streamText`': `
let text = '';
for await (const part of (await streamText({ ...at, messages })).textStream) text += part;
assert(text);`,
    '`generateObject`': `
Ticket.parse((await generateObject({ ...at, maxTokens: 600, messages, schema: Ticket, schemaName: 'ticket' })).object);`,
    tools: `
const weather = await tool({
  name: 'get_weather',
  description: 'The weather in a city.',
  parameters: Weather,
  execute: ({ city }) => { cities.push(city); return 'sunny'; },
});
await generateText({ ...at, messages, tools: [weather], toolChoice: 'required', maxSteps: 1 });
assert(cities.length > 0);`,
    '`embed`, `listModels`': `
assert((await embed({ ...at, input: 'parcel' })).embedding.length > 0);
assert((await listModels(at)).some(({ id }) => id === name));`,
  },
};

export const ANTHROPIC_NODE: Client = {
  name: '`@anthropic-ai/sdk`',
  environment: 'node',
  package: '@anthropic-ai/sdk',
  firstExample: `
import assert from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
const client = new Anthropic();
const message = await client.messages.create({
  max_tokens: 1024,
  messages: [{ role: 'user', content: 'Hello, Claude' }],
  model: 'claude-opus-5-5',
});
assert(message.content[0].text);`,
  setup: `${WEATHER_AND_TICKET}
import Anthropic from '@anthropic-ai/sdk';

const client = new Anthropic();
const messages = [{ role: 'user', content: 'Where is my parcel?' }];
const ask = { model: name, max_tokens: 512, messages };`,
  calls: {
    '`messages.create`': `
const message = await client.messages.create({ ...ask, system: 'Be brief.' });
assert(message.content[0].text && message.usage.output_tokens > 0);`,
    '`.stream`': `
let text = '';
const stream = client.messages.stream(ask).on('text', part => { text += part; });
assert.equal((await stream.finalMessage()).content[0].text, text);`,
    tools: `
const tools = [{ name: 'get_weather', description: 'The weather.', input_schema: z.toJSONSchema(Weather) }];
for (const tool_choice of [{ type: 'any' }, { type: 'tool', name: 'get_weather' }]) {
  const { content, stop_reason } = await client.messages.create({ ...ask, tools, tool_choice });
  assert.equal(stop_reason, 'tool_use');
  const used = content.filter(({ type }) => type === 'tool_use');
  for (const { input } of used) Weather.parse(input);
  const results = used.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'sunny' }));
  const turns = [...messages, { role: 'assistant', content }, { role: 'user', content: results }];
  assert((await client.messages.create({ ...ask, tools, messages: turns })).content);
}`,
    '`.countTokens`': `
assert((await client.messages.countTokens({ model: name, messages })).input_tokens > 0);`,
    '`models`': `
const ids = [];
for await (const { id } of client.models.list()) ids.push(id);
assert.equal((await client.models.retrieve(ids[0])).type, 'model');`,
    errors: `
await assert.rejects(new Anthropic({ apiKey: 'wrong', maxRetries: 0 }).messages.create(ask), Anthropic.AuthenticationError);
await assert.rejects(client.messages.create({ ...ask, model: 'claude' }), Anthropic.NotFoundError);`,
  },
};
