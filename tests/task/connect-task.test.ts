// A task as a function, against scripted endpoints: what it asks, what it makes of answers, and how likely they are.
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import { connectTask, defineTask, TaskError } from '../../lib/index.js';
import { scriptedEndpoint } from './scripted-endpoint.js';

const baseURL = 'http://localhost:1/v1/';

const labelsTask = <const Labels extends readonly [string, ...string[]]>(...labels: Labels) =>
  defineTask({ name: 'triage', input: z.string(), output: z.enum(labels) });

const order = defineTask({
  name: 'order & more',
  input: z.object({ text: z.string() }),
  output: z.object({ id: z.int(), note: z.string().optional(), tags: z.array(z.string()) }),
  prompt: ({ text }) => text,
});

/** Answers with these texts in turn, or with responses. */
function answering(...given: (string | Response | Error)[]) {
  const requests: { url: string; init: RequestInit; body: Record<string, unknown> }[] = [];
  const fetch = async (url: unknown, init: RequestInit = {}) => {
    requests.push({ url: String(url), init, body: JSON.parse(String(init.body)) });
    const next = given[requests.length - 1]!;
    if (next instanceof Error) throw next;
    if (next instanceof Response) return next;
    return Response.json({ choices: [{ message: { content: next }, finish_reason: 'stop' }] });
  };
  return { requests, fetch: fetch as typeof globalThis.fetch };
}

const failure = (asked: Promise<unknown>) =>
  asked.then(
    () => Promise.reject(new Error('It fitted.')),
    error => error as TaskError,
  );

describe('a task at an endpoint', () => {
  it('sends its messages and its labels, and returns a label', async () => {
    const { requests, fetch } = answering('wish');
    const triage = connectTask(labelsTask('bug', 'wish'), { baseURL, apiKey: 'k', fetch });
    const label = await triage('Dark mode?');
    expectTypeOf(label).toEqualTypeOf<'bug' | 'wish'>();
    expect(label).toBe('wish');
    const [{ url, init, body }] = requests as [(typeof requests)[0]];
    expect([url, new Headers(init.headers).get('authorization')]).toEqual([
      'http://localhost:1/v1/chat/completions',
      'Bearer k',
    ]);
    expect(body).toEqual({
      model: 'triage',
      messages: [{ role: 'user', content: 'Dark mode?' }],
      temperature: 0,
      structured_outputs: { choice: ['bug', 'wish'] },
    });
  });

  it('sends the schema of an object, and returns it checked', async () => {
    const { requests, fetch } = answering('{"id": 7, "tags": []}');
    const ask = connectTask(order, { baseURL, fetch, temperature: 0.5, maxTokens: 9 });
    expect(await ask({ text: 'Hi' })).toEqual({ id: 7, tags: [] });
    const { body } = requests[0]!;
    expect(body).toMatchObject({ temperature: 0.5, max_completion_tokens: 9 });
    expect(body.response_format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'order_more', strict: true, schema: order.description.output },
    });
  });

  it('constrains nothing where it must not, and no texts', async () => {
    const { requests, fetch } = answering('bug', 'Hello.');
    await connectTask(labelsTask('bug'), { baseURL, fetch, constrained: false })('x');
    await connectTask(defineTask({ name: 't', input: z.string(), output: z.string() }), { baseURL, fetch })(
      'x',
    );
    for (const { body } of requests) expect(Object.keys(body)).toEqual(['model', 'messages', 'temperature']);
  });

  it.each<[string, string | Response, Partial<TaskError>]>([
    ['another label', 'bugs', { code: 'answer_invalid', answer: 'bugs' }],
    ['no JSON', '{"id"', { code: 'answer_invalid', message: expect.stringContaining('is not JSON') }],
    ['another type', '{"id": "7", "tags": []}', { message: expect.stringContaining('order & more: `id`: ') }],
    [
      'a cut answer',
      Response.json({ choices: [{ message: { content: '{' }, finish_reason: 'length' }] }),
      { code: 'answer_invalid', message: expect.stringContaining('it was cut off') },
    ],
    [
      'a refusal of the key',
      Response.json({ error: { message: 'Wrong key.' } }, { status: 401 }),
      { code: 'request_failed', status: 401, message: expect.stringContaining('answered 401: Wrong key.') },
    ],
    ['no chat', Response.json({ ok: true }), { message: expect.stringContaining('no text') }],
    ['a page', new Response('<html>', { status: 404 }), { message: expect.stringContaining('404: <html>') }],
  ])('says clearly that it got %s', async (_, answer, expected) => {
    const { requests, fetch } = answering(answer);
    const asked =
      answer === 'bugs'
        ? connectTask(labelsTask('bug'), { baseURL, fetch })('x')
        : connectTask(order, { baseURL, fetch })({ text: 'x' });
    const error = await failure(asked);
    expect(error).toBeInstanceOf(TaskError);
    expect(error).toMatchObject(expected);
    expect(requests).toHaveLength(1);
  });

  it('asks nothing for an input that does not fit', async () => {
    const { requests, fetch } = answering();
    const error = await failure(connectTask(order, { baseURL, fetch })({ text: 7 } as never));
    expect(error).toMatchObject({
      code: 'input_invalid',
      message: expect.stringContaining('`input.text`: '),
    });
    expect(requests).toEqual([]);
  });

  it('tries again where that may help, and up to the given number of tries', async () => {
    const busy = () => new Response('{}', { status: 503 });
    const lost = new TypeError('fetch failed');
    const { requests, fetch } = answering(busy(), lost, 'bug', busy(), busy());
    expect(await connectTask(labelsTask('bug'), { baseURL, fetch })('x')).toBe('bug');
    expect(requests).toHaveLength(3);
    const error = await failure(connectTask(labelsTask('bug'), { baseURL, fetch, tries: 2 })('x'));
    expect([error.status, requests.length]).toEqual([503, 5]);
  });

  it('does not try again where the server says so', async () => {
    const { requests, fetch } = answering(
      new Response('{}', { status: 503, headers: { 'x-should-retry': 'false' } }),
    );
    expect((await failure(connectTask(labelsTask('bug'), { baseURL, fetch })('x'))).status).toBe(503);
    expect(requests).toHaveLength(1);
  });

  it('stops when it is told to, also while it waits', async () => {
    const stop = new AbortController();
    const fetch = (async () => {
      stop.abort(new Error('enough'));
      throw new TypeError('fetch failed');
    }) as typeof globalThis.fetch;
    const ask = connectTask(labelsTask('bug'), { baseURL, fetch });
    await expect(ask('x', { signal: stop.signal })).rejects.toThrow('enough');
  });

  it('needs one address', () => {
    expect(() => connectTask(order, {})).toThrow('either `endpoint` or `baseURL`');
    expect(() => connectTask(order, { endpoint: 'a', baseURL })).toThrow('either');
  });
});

type Spellings = Parameters<typeof scriptedEndpoint>[0];

async function probabilitiesOf(labels: readonly [string, ...string[]], spellings: Spellings) {
  const endpoint = scriptedEndpoint(spellings);
  const ask = connectTask(labelsTask(...labels), { baseURL, fetch: endpoint.fetch });
  return { ...(await ask.withProbabilities('x')), asked: endpoint.requests.length };
}

function expectClose(
  found: Readonly<Record<string, number>>,
  wanted: Readonly<Record<string, number>>,
): void {
  expect(Object.keys(found)).toEqual(Object.keys(wanted));
  for (const [name, probability] of Object.entries(wanted))
    expect(found[name], name).toBeCloseTo(probability, 6);
}

describe('the probabilities of labels', () => {
  it('are those of their first tokens, where these differ, by one request', async () => {
    const { output, probability, probabilities, asked } = await probabilitiesOf(
      ['bug', 'wish', 'question'],
      [
        [['bug'], 0.2],
        [['wi', 'sh'], 0.5],
        [['question'], 0.1],
        [['Sure', '!'], 0.2],
      ],
    );
    expect([output, asked]).toEqual(['wish', 1]);
    expectClose(probabilities, { bug: 0.25, wish: 0.625, question: 0.125 });
    expect(probability).toBeCloseTo(0.625, 6);
  });

  it('are divided by further requests among labels that begin alike', async () => {
    const { probabilities, asked } = await probabilitiesOf(
      ['billing: refund', 'billing: invoice', 'bug', 'bugs'],
      [
        [['bill', 'ing', ': ', 'refund'], 0.1],
        [['bill', 'ing', ': ', 'inv', 'oice'], 0.3],
        [['bug'], 0.4],
        [['bug', 's'], 0.2],
      ],
    );
    expect(asked).toBe(3);
    expectClose(probabilities, { 'billing: refund': 0.1, 'billing: invoice': 0.3, bug: 0.4, bugs: 0.2 });
  });

  it('are right for a label that begins another, whichever is the answer', async () => {
    for (const [app, apple] of [
      [0.7, 0.2],
      [0.2, 0.7],
    ] as const) {
      const { output, probabilities } = await probabilitiesOf(
        ['app', 'apple', 'pear'],
        [
          [['app'], app],
          [['app', 'le'], apple],
          [['pear'], 0.1],
        ],
      );
      expect(output).toBe(app > apple ? 'app' : 'apple');
      expectClose(probabilities, { app, apple, pear: 0.1 });
    }
  });

  it('are right where the tokenizer has a token of its own for the longer label', async () => {
    const sport = await probabilitiesOf(
      ['sport', 'sports', 'news'],
      [
        [['sport'], 0.7],
        [['sports'], 0.2],
        [['news'], 0.1],
      ],
    );
    expect([sport.output, sport.asked]).toEqual(['sport', 2]);
    expect(sport.probability).toBeCloseTo(0.7, 6);
    expectClose(sport.probabilities, { sport: 0.7, sports: 0.2, news: 0.1 });
    const no = await probabilitiesOf(
      ['no', 'not sure', 'yes'],
      [
        [['no'], 0.3],
        [['not', ' sure'], 0.6],
        [['yes'], 0.1],
      ],
    );
    expectClose(no.probabilities, { no: 0.3, 'not sure': 0.6, yes: 0.1 });
    const both = await probabilitiesOf(
      ['1', '10', '2'],
      [
        [['1'], 0.5],
        [['1', '0'], 0.2],
        [['10'], 0.1],
        [['2'], 0.2],
      ],
    );
    expectClose(both.probabilities, { 1: 0.5, 10: 0.3, 2: 0.2 });
  });

  it('add up over the ways to write a label, also in parts of characters', async () => {
    const { probabilities } = await probabilitiesOf(
      ['質問', '提案', '__proto__'],
      [
        [['質', '問'], 0.3],
        [['質問'], 0.1],
        [['提', '案'], 0.4],
        [['__proto__'], 0.2],
      ],
    );
    expectClose(
      probabilities,
      Object.fromEntries([
        ['質問', 0.4],
        ['提案', 0.4],
        ['__proto__', 0.2],
      ]),
    );
  });

  it('of many labels take a bounded number of requests', async () => {
    const labels = Array.from({ length: 1000 }, (_, index) => `${index}`) as [string, ...string[]];
    const spellings = labels.map(label => [[...label], 0.001] as const);
    const { probabilities, asked } = await probabilitiesOf(labels, spellings);
    expect(asked).toBeLessThan(20);
    expect(Object.values(probabilities).reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 6);
  });
});

describe('the probabilities of fields', () => {
  const tokens = (...given: [string, number][]) =>
    given.map(([token, probability]) => ({
      token,
      logprob: Math.log(probability),
      bytes: [...Buffer.from(token)],
    }));
  const scored = (content: ReturnType<typeof tokens>) =>
    Response.json({
      choices: [
        {
          message: { content: content.map(({ token }) => token).join('') },
          finish_reason: 'stop',
          logprobs: { content },
        },
      ],
    });

  it('are those of the tokens of their values', async () => {
    const { fetch } = answering(
      scored(
        tokens(
          ['{"', 0.9],
          ['id": ', 0.9],
          ['1', 0.5],
          ['2', 0.5],
          [', "note": "', 0.8],
          ['é, ]"', 0.25],
          [', "tags', 1],
          ['": [', 0.5],
          ['"a"], ', 0.5],
          [']}', 0.5],
        ).filter(({ token }) => token !== '"a"], '),
      ),
    );
    const { output, probability, probabilities } = await connectTask(order, {
      baseURL,
      fetch,
    }).withProbabilities({
      text: 'x',
    });
    expect(output).toEqual({ id: 12, note: 'é, ]', tags: [] });
    expectClose(probabilities, { id: 0.25, note: 0.2, tags: 0.25 });
    expect(probability).toBeCloseTo(0.9 * 0.9 * 0.25 * 0.2 * 0.25, 6);
  });

  it('need log probabilities', async () => {
    const { fetch } = answering('{"id": 1, "tags": []}');
    const asked = connectTask(order, { baseURL, fetch }).withProbabilities({ text: 'x' });
    await expect(asked).rejects.toThrow('sent no log probabilities');
  });
});
