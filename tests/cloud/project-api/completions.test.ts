// Completions of texts, embeddings and tokens, by the real engine: as OpenAI's client and evaluation tools call them.
import type OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completion } from '../../../lib/contract/index.js';
import { BASE_MODEL } from '../deployments/sample-cloud.js';
import { type EngineProject, openEngineProject } from './sample-project-api.js';

let project: EngineProject;
beforeAll(async () => {
  project = await openEngineProject();
});
afterAll(() => project.close());

const authorization = () => ({ authorization: `Bearer ${project.apiKey}` });

/** Sends a body as it is; returns the status and the answer. */
async function post(path: string, body: unknown) {
  const headers = { ...authorization(), 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await project.send(new URL(path, 'http://localhost:4100'), init);
  return { status: response.status, body: await response.json() };
}

/** Without special tokens, from the address that evaluation tools use. */
async function tokensOf(prompt: string): Promise<number[]> {
  const { body } = await post('/openai/tokenize', { prompt, add_special_tokens: false });
  return (body as { tokens: number[] }).tokens;
}

type Asked = Omit<OpenAI.CompletionCreateParamsNonStreaming, 'model'>;
const complete = (asked: Asked) =>
  project.client.completions.create({ model: BASE_MODEL, temperature: 0, ...asked });

const LONG = 'long '.repeat(600);

describe('a completion', () => {
  it('continues a text, at once and streamed', async () => {
    const asked = { prompt: 'hello world', max_tokens: 8 };
    const whole = await complete(asked);
    expect(whole).toMatchObject({
      object: 'text_completion',
      model: BASE_MODEL,
      choices: [{ index: 0, finish_reason: 'length', logprobs: null }],
      usage: { completion_tokens: 8 },
    });
    const streamed = { stream: true, stream_options: { include_usage: true } } as const;
    const request = { model: BASE_MODEL, temperature: 0, ...asked, ...streamed };
    const chunks: OpenAI.Completion[] = [];
    for await (const chunk of await project.client.completions.create(request))
      chunks.push(completion.parse(chunk) as OpenAI.Completion);
    expect(chunks.map(({ choices }) => choices[0]?.text ?? '').join('')).toBe(whole.choices[0]!.text);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: whole.usage });
    expect(chunks.at(-2)!.choices[0]!.finish_reason).toBe('length');
  });

  it('writes 16 tokens unless asked otherwise', async () => {
    expect((await complete({ prompt: 'hello' })).usage!.completion_tokens).toBe(16);
  });

  it('answers each prompt of a list, several times if asked, in order', async () => {
    const prompts = ['one', 'two', 'three'];
    const settings = { max_tokens: 3, echo: true };
    const { choices, usage } = await complete({ prompt: prompts, n: 2, ...settings });
    const alone = await Promise.all(prompts.map(prompt => complete({ prompt, ...settings })));
    const texts = alone.map(one => one.choices[0]!.text);
    expect(choices.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(choices.filter(({ index }) => index % 2 === 0).map(({ text }) => text)).toEqual(texts);
    for (const [i, { text }] of choices.entries())
      expect(text.startsWith(prompts[Math.floor(i / 2)]!)).toBe(true);
    const promptTokens = alone.reduce((sum, one) => sum + one.usage!.prompt_tokens, 0);
    expect(usage).toMatchObject({ prompt_tokens: promptTokens, completion_tokens: 18 });
  });

  it('takes tokens in place of text, more prompts than are computed at a time', async () => {
    const { body } = await post('/openai/v1/tokenize', { prompt: 'hello world' });
    const { tokens } = body as { tokens: number[] };
    const [text, ids, many] = await Promise.all(
      ['hello world', tokens, Array<number[]>(50).fill(tokens)].map(prompt =>
        complete({ prompt, max_tokens: 4 }),
      ),
    );
    const said = text!.choices[0]!.text;
    expect(ids!.choices[0]!.text).toBe(said);
    expect(many!.choices.map(choice => choice.text)).toEqual(Array(50).fill(said));
  });

  it('says how likely tokens are, where they start, and what else was likely', async () => {
    const prompt = 'hello wörld';
    const { choices } = await complete({ prompt, echo: true, logprobs: 2, max_tokens: 2 });
    const { text, logprobs } = choices[0]!;
    const { tokens, token_logprobs, top_logprobs, text_offset } = logprobs!;
    expect(text.startsWith(prompt)).toBe(true);
    const lists = [tokens, token_logprobs, top_logprobs, text_offset];
    expect(new Set(lists.map(list => list!.length)).size).toBe(1);
    expect([token_logprobs![0], top_logprobs![0], text_offset![0]]).toEqual([null, null, 0]);
    expect(text_offset!.at(-2)).toBe([...prompt].length);
    for (const [i, top] of top_logprobs!.slice(1).entries())
      expect(top![tokens![i + 1]!]).toBeGreaterThanOrEqual(token_logprobs![i + 1]!);
    // The likeliest token was taken, so nothing is likelier.
    expect(Math.max(...Object.values(top_logprobs!.at(-1)!))).toBe(token_logprobs!.at(-1));
  });

  it('of no tokens only looks at the prompt', async () => {
    const { choices, usage } = await complete({ prompt: 'hello', echo: true, logprobs: 0, max_tokens: 0 });
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
    ['a prompt that is too long', { prompt: LONG }, 'context_length_exceeded', 'prompt'],
    ['one prompt that is too long', { prompt: ['short', LONG] }, 'context_length_exceeded', 'prompt'],
    ['too many alternatives', { logprobs: 21 }, 'invalid_value', 'logprobs'],
  ])('with %s is refused by name', async (_, field, code, param) => {
    const asked = { model: BASE_MODEL, prompt: 'x', ...field };
    const refused = { status: 400, body: { error: { code, param } } };
    expect(await post('/openai/v1/completions', asked)).toMatchObject(refused);
  });
});

describe('an evaluation tool', () => {
  it('finds the tokenizer beside the address, and scores continuations by their tokens', async () => {
    const url = 'http://localhost:4100/openai/tokenizer_info';
    const info = await project.send(url, { headers: authorization() });
    const facts = (await info.json()) as Record<string, string | null>;
    expect(Object.keys(facts).sort()).toEqual(['bos_token', 'chat_template', 'eos_token', 'pad_token']);
    expect(facts.chat_template).toContain('messages');
    expect(await tokensOf(facts.eos_token!)).toHaveLength(1);
    const { body } = await post('/openai/detokenize', { tokens: await tokensOf('hello wörld') });
    expect(body).toEqual({ prompt: 'hello wörld' });

    const before = await Promise.all(['The answer is', 'Hello'].map(tokensOf));
    const after = await Promise.all([' yes', ' world'].map(tokensOf));
    const prompt = before.map((ids, i) => [...ids, ...after[i]!]);
    const { choices } = await complete({ prompt, max_tokens: 1, logprobs: 1, seed: 1234, echo: true });
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

  it('gets the tokens of texts that are longer than the context, and is told what is wrong', async () => {
    const { body } = await post('/openai/v1/tokenize', { prompt: 'word '.repeat(5000) });
    expect((body as { count: number }).count).toBeGreaterThan(5000);
    for (const [path, asked, param] of [
      ['tokenize', {}, 'prompt'],
      ['tokenize', { prompt: ' '.repeat(500_001) }, 'prompt'],
      ['detokenize', { tokens: [1, 'a'] }, 'tokens'],
    ] as const) {
      const refused = { body: { error: { code: 'invalid_value', param } } };
      expect(await post(`/openai/v1/${path}`, asked)).toMatchObject(refused);
    }
  });
});

describe('embeddings', () => {
  const lengthOf = (values: readonly number[]) => Math.hypot(...values);
  const embed = (input: string | string[] | number[][], more: object = {}) =>
    project.client.embeddings.create({ model: BASE_MODEL, input, ...more });

  it('have a length of 1, one for each text, the same as floats and base64', async () => {
    const input = ['hello', 'hello world', 'goodbye'];
    const [packed, plain] = [await embed(input), await embed(input, { encoding_format: 'float' })];
    expect(packed.data.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(packed.usage.total_tokens).toBeGreaterThan(3);
    const rows = packed.data.map(({ embedding }) => [...embedding]);
    expect(rows).toEqual(plain.data.map(({ embedding }) => embedding));
    for (const row of rows) expect(lengthOf(row)).toBeCloseTo(1, 5);
    expect(rows[0]).not.toEqual(rows[1]);
  });

  it('are the same for a text and for its tokens', async () => {
    const [text, ids] = await Promise.all([embed('hello world'), embed([await tokensOf('hello world')])]);
    for (const [i, value] of text.data[0]!.embedding.entries())
      expect(value).toBeCloseTo(ids.data[0]!.embedding[i]!, 5);
  });

  it('can be shorter, with a length of 1 again', async () => {
    const [{ embedding }] = (await embed('hello', { dimensions: 8 })).data as [OpenAI.Embedding];
    expect(embedding).toHaveLength(8);
    expect(lengthOf([...embedding])).toBeCloseTo(1, 5);
  });

  it('of many texts are computed beside others', async () => {
    const { data } = await embed(Array<string>(60).fill('hello'));
    expect(new Set(data.map(({ embedding }) => embedding[0]!.toFixed(4))).size).toBe(1);
  });

  it.each<[name: string, asked: object, param: string]>([
    ['no text', { input: '' }, 'input'],
    ['too many dimensions', { input: 'x', dimensions: 100_000 }, 'dimensions'],
    ['a text that is too long', { input: LONG }, 'input'],
    ['one text that is too long', { input: ['a', LONG] }, 'input'],
    ['too many texts', { input: Array(2049).fill('a') }, 'input'],
    ['a model that is not there', { input: 'x', model: 'other' }, 'model'],
  ])('of %s are refused by name', async (_, asked, param) => {
    const { status, body } = await post('/openai/v1/embeddings', { model: BASE_MODEL, ...asked });
    expect(status).toBe(param === 'model' ? 404 : 400);
    expect(body).toMatchObject({ error: { param } });
  });
});
