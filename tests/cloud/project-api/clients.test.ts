// The clients that people have, as they come, against a project's address: only base URL and key are changed.
import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, streamText } from 'ai';
import OpenAI, { AzureOpenAI } from 'openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EngineError } from '../../../lib/engine/index.js';
import { end, faultAfter, saying, scriptedBackend, text } from '../backends/scripted-backend.js';
import { BASE_MODEL, jobs, openSampleCloud, type SampleCloud } from '../deployments/sample-cloud.js';
import { HOST } from '../to-fetch.js';
import { BASE_URL, createSampleProjectApi, refusal } from './sample-project-api.js';

const FINAL = `ft:${BASE_MODEL}:alpha:triage:${jobs.done}`;

let cloud: SampleCloud;
let backend: ReturnType<typeof scriptedBackend>;
let sample: ReturnType<typeof createSampleProjectApi>;
let apiKey: string;
beforeEach(async () => {
  cloud = await openSampleCloud();
  backend = scriptedBackend(saying(text('Hello'), text(' there.'), end(5, 3)));
  sample = createSampleProjectApi(cloud, backend);
  apiKey = (await sample.issue()).plaintext;
});
afterEach(() => cloud.close());

const hello = { role: 'user' as const, content: 'hello' };

const ask = { model: FINAL, input: 'hello', instructions: 'Be brief.' };

describe('openai for Node.js', () => {
  it('creates responses, and continues the conversation with what was said', async () => {
    const { responses } = sample.clientWith(apiKey);
    const first = await responses.create(ask);
    expect(first).toMatchObject({ model: FINAL, status: 'completed', output_text: 'Hello there.' });
    await responses.create({
      ...ask,
      input: [hello, ...first.output, { ...hello, content: 'And?' }] as never,
    });
    const system = { role: 'system', content: 'Be brief.' };
    expect(backend.tasks.map(({ messages }) => messages)).toEqual([
      [system, hello],
      [system, hello, { role: 'assistant', content: 'Hello there.' }, { role: 'user', content: 'And?' }],
    ]);
  });

  it('streams responses and chat completions', async () => {
    const { responses, chat } = sample.clientWith(apiKey);
    const deltas: string[] = [];
    const stream = responses.stream(ask).on('response.output_text.delta', ({ delta }) => deltas.push(delta));
    const final = await stream.finalResponse();
    expect(deltas).toEqual(['Hello', ' there.']);
    expect(final).toMatchObject({
      output: [{ content: [{ text: 'Hello there.' }] }],
      usage: { total_tokens: 8 },
    });
    const chatted = chat.completions.stream({ model: BASE_MODEL, messages: [hello] });
    expect(await chatted.finalContent()).toBe('Hello there.');
  });

  it('is told what is missing', async () => {
    const { responses, images } = sample.clientWith(apiKey);
    const unknown = await refusal(responses.create({ ...ask, model: 'gpt-5' }));
    expect(unknown).toMatchObject({ status: 404, code: 'model_not_found' });
    const image = await refusal(images.generate({ model: FINAL, prompt: 'x' }));
    expect(image).toBeInstanceOf(OpenAI.NotFoundError);
  });

  it('is told which field is too long for the context', async () => {
    const long = scriptedBackend(faultAfter(new EngineError('context_length_exceeded', 'Too long.')));
    const { responses, chat } = createSampleProjectApi(cloud, long).clientWith(apiKey);
    expect(await refusal(responses.create(ask))).toMatchObject({ param: 'input' });
    const chatted = chat.completions.create({ model: FINAL, messages: [hello] });
    expect(await refusal(chatted)).toMatchObject({ param: 'messages' });
  });
});

describe('settings that mean nothing to the models here', () => {
  const messages = [hello];

  it('do not disturb openai for Node.js, and responses echo them', async () => {
    const { chat, responses } = sample.clientWith(apiKey);
    const common = { prompt_cache_key: 'k', safety_identifier: 's', metadata: { a: 'b' } };
    const advice = { ...common, reasoning_effort: 'low', verbosity: 'low' } as const;
    const prediction = { type: 'content', content: 'Hello' } as const;
    const chatted = await chat.completions.create({
      model: FINAL,
      messages,
      ...advice,
      prediction,
      stop: [],
      n: 8,
    });
    expect(chatted.choices).toHaveLength(8);
    const echoed = {
      ...common,
      max_tool_calls: 3,
      reasoning: { effort: 'low' },
      truncation: 'auto',
    } as const;
    const asked = {
      ...echoed,
      include: ['reasoning.encrypted_content' as const],
      service_tier: 'flex' as const,
    };
    const response = await responses.create({ ...ask, ...asked, text: { verbosity: 'low' } });
    expect(response).toMatchObject({ ...echoed, text: { verbosity: 'low' }, service_tier: 'default' });
  });

  it.each(['responses', 'chat'] as const)('do not disturb the AI SDK through %s', async api => {
    const openai = {
      ...{ forceReasoning: true, reasoningEffort: 'low', reasoningSummary: 'auto', textVerbosity: 'low' },
      ...{ serviceTier: 'auto', promptCacheKey: 'k', promptCacheRetention: 'in_memory', truncation: 'auto' },
      ...{ safetyIdentifier: 's', maxToolCalls: 2, metadata: { a: 'b' }, user: 'u', store: false },
    };
    const model = createOpenAI({ baseURL: BASE_URL, apiKey, fetch: sample.send })[api](FINAL);
    const { text: found } = await generateText({ model, prompt: 'hello', providerOptions: { openai } });
    expect(found).toBe('Hello there.');
  });

  it.each([true, false])('do not disturb LangChain, through responses: %s', async useResponsesApi => {
    const advice = { reasoning: { effort: 'low' }, verbosity: 'low', service_tier: 'flex' } as const;
    const configuration = { baseURL: BASE_URL, fetch: sample.send };
    const model = new ChatOpenAI({
      ...advice,
      model: FINAL,
      apiKey,
      configuration,
      useResponsesApi,
      user: 'u',
    });
    expect((await model.invoke('hello')).text).toBe('Hello there.');
  });
});

describe("Azure's client", () => {
  const azure = (model?: string) =>
    new AzureOpenAI({
      apiKey,
      apiVersion: '2025-04-01-preview',
      endpoint: `http://${HOST}`,
      fetch: sample.send,
      maxRetries: 0,
      ...(model !== undefined && { deployment: model }),
    });

  it('names the model in the path, which counts more than that of the body', async () => {
    const chat = await azure(FINAL).chat.completions.create({ model: BASE_MODEL, messages: [hello] });
    expect(chat).toMatchObject({ model: FINAL, choices: [{ message: { content: 'Hello there.' } }] });
    const { data } = await azure().completions.create({ model: FINAL, prompt: 'x' }).withResponse();
    expect(data.model).toBe(FINAL);
    const path = `http://${HOST}/openai/deployments/${encodeURIComponent(FINAL)}/chat/completions`;
    const headers = { 'api-key': apiKey, 'content-type': 'application/json' };
    const body = JSON.stringify({ messages: [hello] });
    const escaped = await sample.send(`${path}?api-version=2024-10-21`, { method: 'POST', headers, body });
    expect(await escaped.json()).toMatchObject({ model: FINAL });
  });

  it('finds the rest without a version, and is told what is wrong', async () => {
    const { responses, models, chat } = azure();
    expect(await responses.create({ model: FINAL, input: 'x' })).toMatchObject({
      output_text: 'Hello there.',
    });
    expect((await models.list()).data.map(({ id }) => id)).toContain(FINAL);
    const unknown = await refusal(chat.completions.create({ model: 'gpt-5', messages: [hello] }));
    expect(unknown).toMatchObject({ status: 404, code: 'model_not_found' });
    const nowhere = await sample.send(`http://${HOST}/openai/deployments/x/images/generations`);
    expect(nowhere.status).toBe(404);
    const malformed = `http://${HOST}/openai/deployments/%E0/embeddings`;
    const init = { method: 'POST', headers: { 'api-key': apiKey, 'content-type': 'application/json' } };
    const refused = await sample.send(malformed, { ...init, body: '{"input":"x"}' });
    expect(refused.status).toBe(400);
  });

  it('works with the address that has a version, too', async () => {
    const client = new OpenAI({
      apiKey: 'none',
      baseURL: BASE_URL,
      fetch: sample.send,
      defaultHeaders: { 'api-key': apiKey },
    });
    expect((await client.models.list()).data).not.toHaveLength(0);
  });
});

describe('the AI SDK', () => {
  const provider = () => createOpenAI({ baseURL: BASE_URL, apiKey, fetch: sample.send });

  it.each(['responses', 'chat'] as const)('generates and streams text through %s', async api => {
    const model = provider()[api](FINAL);
    const ask = { model, system: 'Be brief.', prompt: 'hello', maxOutputTokens: 20 };
    const { text: found, usage, finishReason } = await generateText(ask);
    expect([found, finishReason, usage.totalTokens]).toEqual(['Hello there.', 'stop', 8]);
    const roles = [{ role: 'system' }, { role: 'user' }];
    expect(backend.tasks).toMatchObject([{ maxTokens: 20, messages: roles }]);
    const streamed = streamText({ model, prompt: 'hello' });
    let parts = '';
    for await (const part of streamed.textStream) parts += part;
    expect([parts, await streamed.finishReason]).toEqual(['Hello there.', 'stop']);
  });

  it('calls `/responses` where the model is only named', async () => {
    const { text: found } = await generateText({ model: provider()(FINAL), prompt: 'hello' });
    expect(found).toBe('Hello there.');
  });
});

describe("Anthropic's client", () => {
  const baseURL = BASE_URL.replace(/\/v1$/, '');
  const messagesOf = (key = apiKey) =>
    new Anthropic({ apiKey: key, baseURL, fetch: sample.send, maxRetries: 0 }).messages;
  const asked = { model: FINAL, max_tokens: 20, system: 'Be brief.', messages: [hello] };

  it('creates and streams messages', async () => {
    const content = [{ text: 'Hello there.' }];
    const advice = { thinking: { type: 'enabled', budget_tokens: 1024 }, service_tier: 'auto' } as const;
    const found = await messagesOf().create({ ...asked, ...advice, metadata: { user_id: 'u' } });
    expect(found).toMatchObject({ model: FINAL, content, stop_reason: 'end_turn' });
    const roles = [{ role: 'system' }, { role: 'user' }];
    expect(backend.tasks).toMatchObject([{ maxTokens: 20, messages: roles }]);
    const deltas: string[] = [];
    const stream = messagesOf()
      .stream(asked)
      .on('text', delta => deltas.push(delta));
    const usage = { input_tokens: 5, output_tokens: 3 };
    expect(await stream.finalMessage()).toMatchObject({ content, usage });
    expect(deltas).toEqual(['Hello', ' there.']);
  });

  it('is refused in the form that it knows', async () => {
    await expect(messagesOf().create({ ...asked, model: 'claude' })).rejects.toMatchObject({
      status: 404,
      error: { type: 'error', error: { type: 'not_found_error' } },
      requestID: expect.any(String),
    });
    const stranger = messagesOf('sk-ant-x').create(asked);
    await expect(stranger).rejects.toBeInstanceOf(Anthropic.AuthenticationError);
    const refused = messagesOf().create({ ...asked, container: 'c' });
    await expect(refused).rejects.toThrow('`container` is not supported here');
  });
});
