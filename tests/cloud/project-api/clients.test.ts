// The clients that people have, as they come, against a project's address: only base URL and key are changed.
import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { generateText, streamText } from 'ai';
import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EngineError } from '../../../lib/engine/index.js';
import { BASE_MODEL, jobs, openSampleCloud, type SampleCloud } from '../deployments/sample-cloud.js';
import { end, saying, scriptedBackend, text } from '../inference/scripted-backend.js';
import { BASE_URL, createSampleProjectApi } from './sample-project-api.js';

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

describe('openai for Node.js', () => {
  const ask = { model: FINAL, input: 'hello', instructions: 'Be brief.' };

  it('creates responses', async () => {
    const found = await sample.clientWith(apiKey).responses.create(ask);
    expect(found).toMatchObject({ model: FINAL, status: 'completed', output_text: 'Hello there.' });
    expect(backend.tasks[0]!.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'hello' },
    ]);
  });

  it('streams responses', async () => {
    const client = sample.clientWith(apiKey);
    const deltas: string[] = [];
    const stream = client.responses
      .stream(ask)
      .on('response.output_text.delta', ({ delta }) => deltas.push(delta));
    const final = await stream.finalResponse();
    expect(deltas).toEqual(['Hello', ' there.']);
    expect(final.output).toMatchObject([{ content: [{ text: 'Hello there.' }] }]);
    expect(final.usage!.total_tokens).toBe(8);
  });

  it('continues a conversation with what was said', async () => {
    const client = sample.clientWith(apiKey);
    const first = await client.responses.create(ask);
    const next = { role: 'user' as const, content: 'And?' };
    await client.responses.create({
      ...ask,
      input: [{ role: 'user', content: 'hello' }, ...first.output, next] as never,
    });
    expect(backend.tasks[1]!.messages.map(({ content }) => content)).toEqual([
      'Be brief.',
      'hello',
      'Hello there.',
      'And?',
    ]);
  });

  it('is told what is missing', async () => {
    const client = sample.clientWith(apiKey);
    const continued = client.responses.create({ ...ask, previous_response_id: 'resp_1' });
    await expect(continued).rejects.toMatchObject({ status: 400, param: 'previous_response_id' });
    const unknown = client.responses.create({ ...ask, model: 'gpt-5' });
    await expect(unknown).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
    const image = client.images.generate({ model: FINAL, prompt: 'x' });
    await expect(image).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });

  it('is told which field is too long for the context', async () => {
    backend = scriptedBackend(async function* () {
      yield* [];
      throw new EngineError('context_length_exceeded', 'Too long.');
    });
    sample = createSampleProjectApi(cloud, backend);
    const client = sample.clientWith(apiKey);
    const messages = [{ role: 'user' as const, content: 'hello' }];
    const params = await Promise.all(
      [client.responses.create(ask), client.chat.completions.create({ model: FINAL, messages })].map(call =>
        call.catch((error: { param: string }) => error.param),
      ),
    );
    expect(params).toEqual(['input', 'messages']);
  });

  it('streams chat completions', async () => {
    const stream = sample.clientWith(apiKey).chat.completions.stream({
      model: BASE_MODEL,
      messages: [{ role: 'user', content: 'hello' }],
    });
    expect(await stream.finalContent()).toBe('Hello there.');
  });
});

describe('the AI SDK', () => {
  const provider = () => createOpenAI({ baseURL: BASE_URL, apiKey, fetch: sample.send });

  it.each(['responses', 'chat'] as const)('generates text through %s', async api => {
    const {
      text: found,
      usage,
      finishReason,
    } = await generateText({
      model: provider()[api](FINAL),
      system: 'Be brief.',
      prompt: 'hello',
      maxOutputTokens: 20,
    });
    expect([found, finishReason, usage.totalTokens]).toEqual(['Hello there.', 'stop', 8]);
    expect(backend.tasks[0]).toMatchObject({
      maxTokens: 20,
      messages: [{ role: 'system' }, { role: 'user' }],
    });
  });

  it.each(['responses', 'chat'] as const)('streams text through %s', async api => {
    const { textStream, finishReason } = streamText({ model: provider()[api](FINAL), prompt: 'hello' });
    let found = '';
    for await (const part of textStream) found += part;
    expect([found, await finishReason]).toEqual(['Hello there.', 'stop']);
  });

  it('calls `/responses` where the model is only named', async () => {
    const { text: found } = await generateText({ model: provider()(FINAL), prompt: 'hello' });
    expect(found).toBe('Hello there.');
  });
});

describe("Anthropic's client", () => {
  const client = (key = apiKey) =>
    new Anthropic({ apiKey: key, baseURL: BASE_URL.replace(/\/v1$/, ''), fetch: sample.send, maxRetries: 0 });
  const ask = {
    model: FINAL,
    max_tokens: 20,
    system: 'Be brief.',
    messages: [{ role: 'user' as const, content: 'hello' }],
  };

  it('creates messages', async () => {
    const found = await client().messages.create(ask);
    expect(found).toMatchObject({
      model: FINAL,
      content: [{ text: 'Hello there.' }],
      stop_reason: 'end_turn',
    });
    expect(backend.tasks[0]).toMatchObject({
      maxTokens: 20,
      messages: [{ role: 'system' }, { role: 'user' }],
    });
  });

  it('streams messages', async () => {
    const deltas: string[] = [];
    const stream = client()
      .messages.stream(ask)
      .on('text', delta => deltas.push(delta));
    const final = await stream.finalMessage();
    expect([deltas, final.content]).toEqual([
      ['Hello', ' there.'],
      [expect.objectContaining({ text: 'Hello there.' })],
    ]);
    expect(final.usage).toMatchObject({ input_tokens: 5, output_tokens: 3 });
  });

  it('is refused in the form that it knows', async () => {
    const unknown = client().messages.create({ ...ask, model: 'claude' });
    await expect(unknown).rejects.toMatchObject({
      status: 404,
      error: { type: 'error', error: { type: 'not_found_error' } },
      requestID: expect.any(String),
    });
    await expect(client('sk-ant-x').messages.create(ask)).rejects.toBeInstanceOf(
      Anthropic.AuthenticationError,
    );
    await expect(
      client().messages.create({ ...ask, thinking: { type: 'enabled', budget_tokens: 1024 } }),
    ).rejects.toThrow('`thinking` is not supported here');
  });
});
