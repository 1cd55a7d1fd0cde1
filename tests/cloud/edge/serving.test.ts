// The edge with the real engine: what clients of a published model see.
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLocalBackend, type LocalBackend } from '../../../lib/cloud/inference/local-backend.js';
import type { InferenceBackend } from '../../../lib/cloud/seams/backend.js';
import {
  type ChatCompletion,
  chatCompletion,
  chatCompletionChunk,
  completion,
  embeddingList,
} from '../../../lib/contract/index.js';
import { type Listening, listen } from '../../../lib/http/index.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import {
  BASE_MODEL,
  jobs,
  localAddress,
  openSampleCloud,
  type SampleCloud,
} from '../deployments/sample-cloud.js';
import { untilAborted } from '../inference/scripted-backend.js';
import { COMPLETIONS, createSampleEdge } from './sample-edge.js';

const goldenAdapter = fileURLToPath(new URL('../../golden/engine/llama/adapter_final', import.meta.url));
const PAGE = 'https://app.example.com';
const greedy = { temperature: 0, max_tokens: 12 };
const long = { ...greedy, max_tokens: 400 };

let modelFolder: string;
let adapters: string;
let cloud: SampleCloud;
let backend: LocalBackend;
let sample: ReturnType<typeof createSampleEdge>;
let server: Listening;

/** Called after the first piece of an answer, which continues when this returns. */
let onBegin: (signal: AbortSignal) => Promise<void> | void = () => {};
afterEach(() => {
  onBegin = () => {};
});

beforeAll(async () => {
  modelFolder = await makeModelFolder();
  adapters = await mkdtemp(join(tmpdir(), 'svc-adapters-'));
  await symlink(goldenAdapter, join(adapters, 'final'));
  cloud = await openSampleCloud(localAddress, adapters);
  backend = createLocalBackend({ modelFolder, threads: 1, log: () => {} });
  sample = createSampleEdge(cloud, watched(backend));
  server = await listen(
    { fetch: request => sample.edge(request) ?? new Response('', { status: 404 }) },
    { ports: [0] },
  );
  await cloud.publish({
    slug: 'base',
    target: { kind: 'base_model', baseModel: BASE_MODEL },
    authMode: 'none',
  });
  const target = { kind: 'adapter', adapter: { kind: 'final', jobId: jobs.done } };
  await cloud.publish({
    slug: 'tuned',
    target,
    authMode: 'none',
    operations: ['completions', 'embeddings'],
    corsOrigins: [PAGE],
  });
});

afterAll(async () => {
  await server.close();
  await backend.close();
  await cloud.close();
  for (const folder of [modelFolder, adapters]) await rm(folder, { recursive: true, force: true });
});

function watched(inner: InferenceBackend): InferenceBackend {
  return {
    abilities: inner.abilities,
    load: adapter => inner.load(adapter),
    unload: sha256 => inner.unload(sha256),
    get state() {
      return inner.state;
    },
    close: () => inner.close(),
    async *ask(kind, task, signal) {
      let begun = false;
      for await (const piece of inner.ask(kind, task, signal)) {
        if (!begun) await onBegin(signal);
        begun = true;
        yield piece;
      }
    },
  };
}

async function complete(slug: string, body: object): Promise<ChatCompletion> {
  const response = await sample.chat(slug, body);
  expect(response.status).toBe(200);
  return chatCompletion.parse(await response.json());
}

const textsOf = ({ choices }: ChatCompletion) => choices.map(({ message }) => message.content);

async function stream(slug: string, body: object) {
  const response = await sample.chat(slug, { ...body, stream: true });
  const data = (await response.text()).split('\n\n').map(frame => frame.replace(/^data: /, ''));
  expect(data.slice(-2)).toEqual(['[DONE]', '']);
  return data.slice(0, -2).map(line => chatCompletionChunk.parse(JSON.parse(line)));
}

describe('a published model', () => {
  it('gives the same answer streamed or not, with or without an adapter', async () => {
    const texts = new Set<string>();
    for (const slug of ['base', 'tuned']) {
      const whole = await complete(slug, greedy);
      const chunks = await stream(slug, { ...greedy, stream_options: { include_usage: true } });
      const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
      expect(text).toBe(textsOf(whole)[0]);
      expect(chunks.at(-1)!.usage).toEqual(whole.usage);
      expect(whole.usage.completion_tokens).toBe(12);
      expect(chunks.at(-2)!.choices[0]!.finish_reason).toBe(whole.choices[0]!.finish_reason);
      texts.add(text);
    }
    expect(texts.size).toBe(2);
  });

  it('says how much of a prompt an earlier request had computed, in whole chunks', async () => {
    const messages = [{ role: 'user', content: 'hello world '.repeat(20) }];
    const cachedOf = async () =>
      (await complete('base', { ...greedy, messages })).usage.prompt_tokens_details?.cached_tokens;
    expect(await cachedOf()).toBe(0);
    expect(await cachedOf()).toBe(128);
  });

  it('returns several choices, each identical to a single request with its seed', async () => {
    const request = { max_tokens: 8, temperature: 1, seed: 5 };
    const both = await complete('base', { ...request, n: 2 });
    const alone = [await complete('base', request), await complete('base', { ...request, seed: 6 })];
    expect(textsOf(both)).toEqual(alone.flatMap(textsOf));
    expect(textsOf(both)[0]).not.toBe(textsOf(both)[1]);
    expect(both.choices.map(({ index }) => index)).toEqual([0, 1]);
    expect(both.usage).toMatchObject({
      prompt_tokens: alone[0]!.usage.prompt_tokens,
      completion_tokens: alone[0]!.usage.completion_tokens + alone[1]!.usage.completion_tokens,
      total_tokens: both.usage.prompt_tokens + both.usage.completion_tokens,
    });
    const chunks = await stream('base', { ...request, n: 2 });
    const texts = [0, 1].map(index =>
      chunks.flatMap(({ choices }) => choices.filter(choice => choice.index === index)),
    );
    expect(texts.map(choices => choices.map(({ delta }) => delta.content ?? '').join(''))).toEqual(
      textsOf(both),
    );
  });

  it('returns valid log-probabilities for the tokens of the text', async () => {
    const { choices } = await complete('base', { ...greedy, logprobs: true, top_logprobs: 3 });
    const entries = choices[0]!.logprobs!.content!;
    expect(entries).toHaveLength(12);
    const bytes = Buffer.from(entries.flatMap(entry => entry.bytes ?? []));
    expect(bytes.toString()).toBe(choices[0]!.message.content);
    for (const { token, logprob, top_logprobs: top } of entries) {
      expect(logprob).toBeLessThanOrEqual(0);
      expect(top).toHaveLength(3);
      expect(top[0]).toMatchObject({ token, logprob });
      expect(top.reduce((sum, other) => sum + Math.exp(other.logprob), 0)).toBeLessThan(1);
    }
  });

  it('continues and embeds texts with its adapter, where its owner offers that', async () => {
    const post = async (path: string, body: object) => {
      const headers = { origin: PAGE };
      const response = await sample.fetch(`/d/tuned/v1${path}`, { body: JSON.stringify(body), headers });
      expect(response.headers.get('access-control-allow-origin')).toBe(PAGE);
      return response.json();
    };
    const model = `${BASE_MODEL}:${jobs.done}:final`;
    const text = { model: 'whatever', prompt: 'hello world', temperature: 0, max_tokens: 4 };
    const continued = completion.parse(await post('/completions', text));
    expect(continued).toMatchObject({ model, usage: { completion_tokens: 4 } });
    const embedded = embeddingList.parse(await post('/embeddings', { input: 'hello world' }));
    expect([embedded.model, embedded.data.length]).toEqual([model, 1]);
    const refused = await sample.fetch('/d/base/v1/embeddings', { body: '{"input":"hello"}' });
    expect(refused.status).toBe(404);
  });
});

describe('a client that disconnects', () => {
  it.each([true, false])('stops the generation (streamed: %s)', async isStream => {
    const aborter = new AbortController();
    const stopped = new Promise<void>(resolve => {
      onBegin = signal => {
        aborter.abort();
        return untilAborted(signal).catch(() => resolve());
      };
    });
    const answering = fetch(`${server.url}/d/base${COMPLETIONS}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ role: 'user', content: 'hello' }], stream: isStream, ...long }),
      signal: aborter.signal,
    }).then(response => response.text());
    await expect(answering).rejects.toThrow();
    await stopped;
    onBegin = () => {};
    expect((await complete('base', greedy)).usage.completion_tokens).toBe(12);
    expect(sample.logged).toEqual([]);
  });
});

describe('an endpoint whose adapter is damaged', () => {
  it('answers adapter_damaged, tells clients not to retry, and does not reveal file paths', async () => {
    const folder = join(adapters, 'step-10');
    await mkdir(folder);
    const checkpoint = { kind: 'checkpoint', jobId: jobs.done, step: 10 };
    await cloud.publish({
      slug: 'damaged',
      target: { kind: 'adapter', adapter: checkpoint },
      authMode: 'none',
    });
    const [response, healthy] = await Promise.all([sample.chat('damaged'), sample.chat('base', greedy)]);
    expect([response.status, response.headers.get('x-should-retry')]).toEqual([503, 'false']);
    const body = await response.text();
    expect(JSON.parse(body)).toMatchObject({ error: { code: 'adapter_damaged', type: 'server_error' } });
    expect(body).not.toContain(adapters);
    expect(sample.logged).toContainEqual({ message: expect.stringContaining(folder) });
    expect(healthy.status).toBe(200);
  });
});
