// Completions of texts, embeddings and tokens, by the real engine: as OpenAI's client and evaluation tools call them.
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completion } from '../../../lib/contract/index.js';
import { BASE_MODEL } from '../deployments/sample-cloud.js';
import { type EngineProject, openEngineProject } from './sample-project-api.js';

let project: EngineProject;
let client: OpenAI;
beforeAll(async () => {
  project = await openEngineProject();
  client = project.client;
});
afterAll(() => project.close());

/** Sends a body as it is; returns the status and the answer. */
async function post(path: string, body: unknown) {
  const headers = { authorization: `Bearer ${project.apiKey}`, 'content-type': 'application/json' };
  const response = await project.send(new URL(path, 'http://localhost:4100'), {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

const base = { model: BASE_MODEL, temperature: 0 };

describe('a completion', () => {
  it('continues a text, at once and streamed', async () => {
    const whole = await client.completions.create({ ...base, prompt: 'hello world', max_tokens: 8 });
    expect(whole).toMatchObject({ object: 'text_completion', model: BASE_MODEL });
    expect(whole.choices).toMatchObject([{ index: 0, finish_reason: 'length', logprobs: null }]);
    expect(whole.usage!.completion_tokens).toBe(8);
    const stream = await client.completions.create({
      ...base,
      prompt: 'hello world',
      max_tokens: 8,
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks: OpenAI.Completion[] = [];
    for await (const chunk of stream) chunks.push(completion.parse(chunk) as OpenAI.Completion);
    expect(chunks.map(({ choices }) => choices[0]?.text ?? '').join('')).toBe(whole.choices[0]!.text);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: whole.usage });
    expect(chunks.at(-2)!.choices[0]!.finish_reason).toBe('length');
  });

  it('writes 16 tokens unless asked otherwise', async () => {
    const { usage } = await client.completions.create({ ...base, prompt: 'hello' });
    expect(usage!.completion_tokens).toBe(16);
  });

  it('answers each prompt of a list, several times if asked, in order', async () => {
    const prompts = ['one', 'two', 'three'];
    const { choices, usage } = await client.completions.create({
      ...base,
      prompt: prompts,
      n: 2,
      max_tokens: 3,
      echo: true,
    });
    expect(choices.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5]);
    for (const [i, { text }] of choices.entries())
      expect(text.startsWith(prompts[Math.floor(i / 2)]!)).toBe(true);
    const alone = await Promise.all(
      prompts.map(prompt => client.completions.create({ ...base, prompt, max_tokens: 3, echo: true })),
    );
    expect(choices.filter(({ index }) => index % 2 === 0).map(({ text }) => text)).toEqual(
      alone.map(one => one.choices[0]!.text),
    );
    const promptTokens = alone.reduce((sum, one) => sum + one.usage!.prompt_tokens, 0);
    expect(usage).toMatchObject({ prompt_tokens: promptTokens, completion_tokens: 18 });
  });

  it('takes tokens in place of text, more prompts than are computed at a time', async () => {
    const { body } = await post('/openai/v1/tokenize', { prompt: 'hello world' });
    const { tokens } = body as { tokens: number[] };
    const [text, ids, many] = await Promise.all([
      client.completions.create({ ...base, prompt: 'hello world', max_tokens: 4 }),
      client.completions.create({ ...base, prompt: tokens, max_tokens: 4 }),
      client.completions.create({ ...base, prompt: Array(50).fill(tokens), max_tokens: 4 }),
    ]);
    expect(ids.choices[0]!.text).toBe(text.choices[0]!.text);
    expect(many.choices).toHaveLength(50);
    expect(new Set(many.choices.map(choice => choice.text))).toEqual(new Set([text.choices[0]!.text]));
  });

  it('says how likely tokens are, where they start, and what else was likely', async () => {
    const prompt = 'hello wörld';
    const { choices } = await client.completions.create({
      ...base,
      prompt,
      echo: true,
      logprobs: 2,
      max_tokens: 2,
    });
    const { text, logprobs } = choices[0]!;
    const { tokens, token_logprobs, top_logprobs, text_offset } = logprobs!;
    expect(text.startsWith(prompt)).toBe(true);
    expect(
      new Set([tokens!.length, token_logprobs!.length, top_logprobs!.length, text_offset!.length]).size,
    ).toBe(1);
    expect(token_logprobs![0]).toBeNull();
    expect(top_logprobs![0]).toBeNull();
    expect(text_offset![0]).toBe(0);
    expect(text_offset!.at(-2)).toBe([...prompt].length);
    for (const [i, top] of top_logprobs!.slice(1).entries()) {
      expect(Object.keys(top!).length).toBeGreaterThanOrEqual(1);
      expect(top![tokens![i + 1]!]).toBeGreaterThanOrEqual(token_logprobs![i + 1]!);
    }
    // The likeliest token was taken, so nothing is likelier.
    expect(Math.max(...Object.values(top_logprobs!.at(-1)!))).toBe(token_logprobs!.at(-1));
  });

  it('of no tokens only looks at the prompt', async () => {
    const { choices, usage } = await client.completions.create({
      ...base,
      prompt: 'hello',
      echo: true,
      logprobs: 0,
      max_tokens: 0,
    });
    expect(choices[0]).toMatchObject({ text: 'hello', finish_reason: 'length' });
    expect(usage!.completion_tokens).toBe(0);
  });

  it.each<[name: string, field: object, code: string, param: string]>([
    ['a suffix', { suffix: 'end' }, 'unsupported_parameter', 'suffix'],
    ['a choice among answers', { best_of: 3 }, 'unsupported_parameter', 'best_of'],
    ['no prompt', { prompt: [] }, 'invalid_value', 'prompt'],
    ['texts and tokens', { prompt: ['a', 1] }, 'invalid_value', 'prompt'],
    ['a token below 0', { prompt: [1, -1] }, 'invalid_value', 'prompt[1]'],
    ['tokens that are texts', { prompt: [[1], ['a']] }, 'invalid_value', 'prompt'],
    ['too many prompts', { prompt: Array(257).fill('a') }, 'invalid_value', 'prompt'],
    ['too many answers', { prompt: Array(200).fill('a'), n: 2 }, 'invalid_value', 'n'],
    ['too many tokens', { prompt: Array(70_000).fill(1) }, 'invalid_value', 'prompt'],
    ['an unknown token', { prompt: [99_999] }, 'invalid_value', 'prompt'],
    ['a prompt that is too long', { prompt: 'long '.repeat(600) }, 'context_length_exceeded', 'prompt'],
    [
      'one prompt that is too long',
      { prompt: ['short', 'long '.repeat(600)] },
      'context_length_exceeded',
      'prompt',
    ],
    ['too many alternatives', { logprobs: 21 }, 'invalid_value', 'logprobs'],
  ])('with %s is refused by name', async (_, field, code, param) => {
    const { status, body } = await post('/openai/v1/completions', {
      model: BASE_MODEL,
      prompt: 'x',
      ...field,
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: { code, param } });
  });
});

describe('an evaluation tool', () => {
  it('finds the tokenizer beside the address, and scores continuations by their tokens', async () => {
    const headers = { authorization: `Bearer ${project.apiKey}`, 'content-type': 'application/json' };
    const info = await project.send('http://localhost:4100/openai/tokenizer_info', { headers });
    const facts = (await info.json()) as Record<string, string | null>;
    expect(Object.keys(facts).sort()).toEqual(['bos_token', 'chat_template', 'eos_token', 'pad_token']);
    expect(facts.chat_template).toContain('messages');
    const eos = await post('/openai/tokenize', { prompt: facts.eos_token, add_special_tokens: false });
    expect(eos.body).toMatchObject({ count: 1 });

    const encode = async (prompt: string) =>
      ((await post('/openai/tokenize', { prompt, add_special_tokens: false })).body as { tokens: number[] })
        .tokens;
    const decoded = await post('/openai/detokenize', { tokens: await encode('hello wörld') });
    expect(decoded.body).toEqual({ prompt: 'hello wörld' });

    const contexts = ['The answer is', 'Hello'];
    const continuations = [' yes', ' world'];
    const [before, after] = [
      await Promise.all(contexts.map(encode)),
      await Promise.all(continuations.map(encode)),
    ];
    const { status, body } = await post('/openai/v1/completions', {
      model: BASE_MODEL,
      prompt: before.map((ids, i) => [...ids, ...after[i]!]),
      temperature: 0,
      max_tokens: 1,
      logprobs: 1,
      seed: 1234,
      echo: true,
    });
    expect(status).toBe(200);
    const { choices } = body as { choices: OpenAI.CompletionChoice[] };
    for (const [i, { logprobs }] of choices.entries()) {
      const scores = logprobs!.token_logprobs!.slice(before[i]!.length, -1);
      const tops = logprobs!.top_logprobs!.slice(before[i]!.length, -1);
      expect(scores).toHaveLength(after[i]!.length);
      for (const [at, score] of scores.entries()) {
        expect(score).toBeLessThan(0);
        // It compares these numbers to see whether the likeliest token was taken.
        expect(Math.max(...Object.values(tops[at]!))).toBeGreaterThanOrEqual(score);
      }
    }
  });

  it('gets the tokens of texts that are longer than the context', async () => {
    const { body } = await post('/openai/v1/tokenize', { prompt: 'word '.repeat(5000) });
    expect((body as { count: number }).count).toBeGreaterThan(5000);
  });

  it('is told what is wrong', async () => {
    expect((await post('/openai/v1/tokenize', {})).body).toMatchObject({ error: { param: 'prompt' } });
    const long = await post('/openai/v1/tokenize', { prompt: ' '.repeat(500_001) });
    expect(long.body).toMatchObject({ error: { code: 'invalid_value', param: 'prompt' } });
    const mixed = { tokens: [1, 'a'] };
    expect((await post('/openai/v1/detokenize', mixed)).body).toMatchObject({ error: { param: 'tokens' } });
  });
});

describe('embeddings', () => {
  const lengthOf = (values: readonly number[]) => Math.hypot(...values);

  it('have a length of 1, one for each text, the same as floats and base64', async () => {
    const input = ['hello', 'hello world', 'goodbye'];
    const packed = await client.embeddings.create({ model: BASE_MODEL, input });
    const plain = await client.embeddings.create({ model: BASE_MODEL, input, encoding_format: 'float' });
    expect(packed.data.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(packed.usage.total_tokens).toBeGreaterThan(3);
    for (const [i, { embedding }] of packed.data.entries()) {
      expect([...embedding]).toEqual(plain.data[i]!.embedding);
      expect(lengthOf([...embedding])).toBeCloseTo(1, 5);
    }
    expect([...packed.data[0]!.embedding]).not.toEqual([...packed.data[1]!.embedding]);
  });

  it('are the same for a text and for its tokens', async () => {
    const { body } = await post('/openai/v1/tokenize', { prompt: 'hello world' });
    const { tokens } = body as { tokens: number[] };
    const [text, ids] = await Promise.all(
      (['hello world', [tokens]] as const).map(input =>
        client.embeddings.create({ model: BASE_MODEL, input: input as string }),
      ),
    );
    text!.data[0]!.embedding.forEach((value, i) => {
      expect(value).toBeCloseTo(ids!.data[0]!.embedding[i]!, 5);
    });
  });

  it('can be shorter, with a length of 1 again', async () => {
    const { data } = await client.embeddings.create({ model: BASE_MODEL, input: 'hello', dimensions: 8 });
    expect(data[0]!.embedding).toHaveLength(8);
    expect(lengthOf([...data[0]!.embedding])).toBeCloseTo(1, 5);
  });

  it.each<[name: string, asked: object, param: string]>([
    ['no text', { input: '' }, 'input'],
    ['too many dimensions', { input: 'x', dimensions: 100_000 }, 'dimensions'],
    ['a text that is too long', { input: 'long '.repeat(600) }, 'input'],
    ['one text that is too long', { input: ['a', 'long '.repeat(600)] }, 'input'],
    ['too many texts', { input: Array(2049).fill('a') }, 'input'],
  ])('of %s are refused by name', async (_, asked, param) => {
    const { status, body } = await post('/openai/v1/embeddings', { model: BASE_MODEL, ...asked });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: { param } });
  });

  it('of many texts are computed beside others', async () => {
    const { data } = await client.embeddings.create({ model: BASE_MODEL, input: Array(60).fill('hello') });
    expect(new Set(data.map(({ embedding }) => embedding[0]!.toFixed(4))).size).toBe(1);
  });

  it('need a model that is there', async () => {
    const unknown = client.embeddings.create({ model: 'other', input: 'x' });
    await expect(unknown).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });
});
