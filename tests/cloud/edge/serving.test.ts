// The edge with the real engine: what clients of a published model see.
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLocalBackend } from '../../../lib/cloud/backends/local.js';
import type { Backend } from '../../../lib/cloud/seams/backend.js';
import {
  type ChatCompletion,
  chatCompletion,
  chatCompletionChunk,
  completion,
  embeddingList,
} from '../../../lib/contract/index.js';
import { makeModelFolder } from '../../support/tiny-model.js';
import {
  BASE_MODEL,
  jobs,
  localAddress,
  openSampleCloud,
  type SampleCloud,
} from '../deployments/sample-cloud.js';
import { baseTarget, createSampleEdge } from './sample-edge.js';

const goldenAdapter = fileURLToPath(new URL('../../golden/engine/llama/adapter_final', import.meta.url));
const PAGE = 'https://app.example.com';
const greedy = { temperature: 0, max_tokens: 12 };

let modelFolder: string;
let adapters: string;
let cloud: SampleCloud;
let backend: Backend;
let sample: ReturnType<typeof createSampleEdge>;

const publish = (slug: string, target: object, more: object = {}) =>
  cloud.publish({ slug, target, authMode: 'none', ...more });

beforeAll(async () => {
  modelFolder = await makeModelFolder();
  adapters = await mkdtemp(join(tmpdir(), 'svc-adapters-'));
  await symlink(goldenAdapter, join(adapters, 'final'));
  cloud = await openSampleCloud(localAddress, adapters);
  backend = createLocalBackend({ modelFolder, threads: 1, log: () => {} });
  sample = createSampleEdge(cloud, backend);
  await publish('base', baseTarget);
  const offer = { operations: ['completions', 'embeddings'], corsOrigins: [PAGE] };
  const target = { kind: 'adapter', adapter: { kind: 'final', jobId: jobs.done } };
  await publish('tuned', target, offer);
});

afterAll(async () => {
  await backend.close();
  await cloud.close();
  for (const folder of [modelFolder, adapters]) await rm(folder, { recursive: true, force: true });
});

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
  const chunks = data.slice(0, -2).map(line => chatCompletionChunk.parse(JSON.parse(line)));
  const textOf = (index: number) =>
    chunks.map(({ choices: [choice] }) => (choice?.index === index && choice.delta.content) || '').join('');
  return { chunks, textOf };
}

describe('a published model', () => {
  it('gives the same answer streamed or not, with or without an adapter', async () => {
    const texts = new Set<string>();
    for (const slug of ['base', 'tuned']) {
      const whole = await complete(slug, greedy);
      const streamed = { ...greedy, stream_options: { include_usage: true } };
      const { chunks, textOf } = await stream(slug, streamed);
      expect([textOf(0)]).toEqual(textsOf(whole));
      expect(chunks.at(-1)!.usage).toEqual(whole.usage);
      expect(whole.usage.completion_tokens).toBe(12);
      expect(chunks.at(-2)!.choices[0]!.finish_reason).toBe(whole.choices[0]!.finish_reason);
      texts.add(textOf(0));
    }
    expect(texts.size).toBe(2);
  });

  it('says how much of a prompt an earlier request had computed, in whole chunks', async () => {
    const messages = [{ role: 'user', content: 'hello world '.repeat(20) }];
    const cachedOf = async () =>
      (await complete('base', { ...greedy, messages })).usage.prompt_tokens_details?.cached_tokens;
    expect([await cachedOf(), await cachedOf()]).toEqual([0, 128]);
  });

  it('returns several choices, each identical to a single request with its seed', async () => {
    const request = { max_tokens: 8, temperature: 1, seed: 5 };
    const both = await complete('base', { ...request, n: 2 });
    const [one, other] = [await complete('base', request), await complete('base', { ...request, seed: 6 })];
    const texts = [one, other].flatMap(textsOf);
    expect(textsOf(both)).toEqual(texts);
    expect(texts[0]).not.toBe(texts[1]);
    expect(both.choices.map(({ index }) => index)).toEqual([0, 1]);
    const completion_tokens = one.usage.completion_tokens + other.usage.completion_tokens;
    const { prompt_tokens } = one.usage;
    const usage = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
    expect(both.usage).toMatchObject(usage);
    const { textOf } = await stream('base', { ...request, n: 2 });
    expect([0, 1].map(textOf)).toEqual(texts);
  });

  it('continues and embeds texts with its adapter, where its owner offers that', async () => {
    const post = async (path: string, body: object) => {
      const init = { body: JSON.stringify(body), headers: { origin: PAGE } };
      const response = await sample.fetch(`/d/tuned/v1${path}`, init);
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
