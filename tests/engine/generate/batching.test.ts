// Requests with different adapters join and leave one batch: each gets the same answer as alone.
import { describe, expect, it } from 'vitest';
import { sequenceBytes } from '../../../lib/engine/generate/cache-budget.js';
import type { GenerateRequest, Generator, GeneratorOptions } from '../../../lib/engine/generate/index.js';
import { cacheShapeOf } from '../../../lib/engine/model/index.js';
import { openGolden, readAll, varied } from './golden-generator.js';

const { golden, initial, trained, line, open } = await openGolden('qwen3');

describe('a batch', () => {
  const mixedRequests: GenerateRequest[] = [
    { promptIds: line(0, 40), adapter: null, maxTokens: 60, ...varied },
    { promptIds: line(1, 2), adapter: trained, maxTokens: 25, ...varied },
    { promptIds: line(2, 21), adapter: initial, maxTokens: 70, seed: 5 },
    { promptIds: line(1, 33), adapter: trained, maxTokens: 9, seed: 6, temperature: 0.8, topP: 0.9 },
    { promptIds: line(0, 5), maxTokens: 50, seed: 7 },
    { promptIds: line(2, 12), adapter: trained, maxTokens: 40, ...varied },
  ];

  async function answerAlone(requests: GenerateRequest[]): Promise<number[][]> {
    const generator = open();
    const answers: number[][] = [];
    for (const request of requests) answers.push((await readAll(generator.generate(request))).tokenIds);
    return answers;
  }

  it('with mixed adapters gives each request the same answer as alone', async () => {
    const requests = mixedRequests;
    const wanted = await answerAlone(requests);
    const generator = open({ maxBatch: 4, chunk: 6 });
    let most = 0;
    const answers = requests.map(() => Promise.resolve<number[]>([]));
    const answer = async (i: number): Promise<number[]> => {
      const ids: number[] = [];
      for await (const piece of generator.generate(requests[i]!)) {
        ids.push(...piece.tokenIds);
        most = Math.max(most, generator.status().running);
        if (ids.length === 4 && i + 1 < requests.length) answers[i + 1] = answer(i + 1);
      }
      return ids;
    };
    expect(await answer(0)).toEqual(wanted[0]);
    for (let i = 1; i < requests.length; i++) expect(await answers[i], `request ${i}`).toEqual(wanted[i]);
    expect(most).toBe(4);
    const { cacheBytes, prefixBytes, ...counts } = generator.status();
    expect(counts).toEqual({ running: 0, waiting: 0 });
    expect(cacheBytes).toBe(prefixBytes);
  });

  it('generates a token for each running request between two chunks of a long prompt', async () => {
    const generator = open({ chunk: 8 });
    const first = generator.generate({ promptIds: [1], maxTokens: 200, ...varied });
    for (let i = 0; i < 3; i++) await first.next();
    let meanwhile = 0;
    let answered = false;
    const long = generator.generate({ promptIds: line(0, 1000), maxTokens: 2 });
    const done = long.next().then(() => {
      answered = true;
    });
    for (; !answered; meanwhile++) await first.next();
    await done;
    expect(meanwhile).toBeGreaterThanOrEqual(4);
    await first.return!();
  });

  it('shares one session if only one copy of the weights is kept', async () => {
    const requests = mixedRequests.slice(0, 3);
    const generator = open({ keepBoth: false });
    const answers = await Promise.all(requests.map(request => readAll(generator.generate(request))));
    const afterwards = await readAll(generator.generate(requests[0]!));
    const wanted = await answerAlone(requests);
    expect(answers.map(({ tokenIds }) => tokenIds)).toEqual(wanted);
    expect(afterwards.tokenIds).toEqual(wanted[0]);
  });

  it('gives the same text for the same seed, and different texts for different seeds', async () => {
    const generator = open();
    const request = { promptIds: [5, 6, 7], maxTokens: 24 };
    const seeds = [11, 12, 11, -3, 2 ** 40];
    const answers = await Promise.all(seeds.map(seed => readAll(generator.generate({ ...request, seed }))));
    const texts = answers.map(({ text }) => text);
    expect(texts[2]).toBe(texts[0]);
    expect(new Set(texts).size).toBe(4);
    const [one, other] = await Promise.all([1, 2].map(() => readAll(generator.generate(request))));
    expect(one!.text).not.toBe(other!.text);
  });
});

/** In chunks of ten tokens. */
const openChunked = (options: Partial<GeneratorOptions> = {}) => open({ chunk: 10, ...options });

async function ask(generator: Generator, request: Omit<GenerateRequest, 'maxTokens'>) {
  const { tokenIds, last } = await readAll(generator.generate({ maxTokens: 12, ...varied, ...request }));
  return { tokenIds, cached: last.finishReason ? last.usage.cachedTokens : undefined };
}

describe('the whole chunks that an earlier request computed are used', () => {
  it('for a shared system prompt, by requests that run together', async () => {
    const generator = openChunked();
    await ask(generator, { promptIds: [...line(0, 30), ...line(1, 5)] });
    const prompts = [7, 9, 11].map(length => [...line(0, 30), ...line(2, length)]);
    const answers = await Promise.all(prompts.map(promptIds => ask(generator, { promptIds })));
    expect(answers.map(({ cached }) => cached)).toEqual([30, 30, 30]);
    for (const [i, promptIds] of prompts.entries())
      expect(answers[i]!.tokenIds).toEqual((await ask(openChunked(), { promptIds })).tokenIds);
  });

  it('neither with another adapter nor for another caller', async () => {
    const generator = openChunked();
    const promptIds = line(0, 30);
    const wanted = await ask(openChunked(), { promptIds, adapter: initial });
    await ask(generator, { promptIds, adapter: trained, caller: 'one' });
    expect(await ask(generator, { promptIds, adapter: initial, caller: 'one' })).toEqual(wanted);
    expect((await ask(generator, { promptIds, caller: 'one' })).cached).toBe(0);
    expect((await ask(generator, { promptIds, adapter: trained, caller: 'two' })).cached).toBe(0);
    expect((await ask(generator, { promptIds, adapter: trained, caller: 'one' })).cached).toBe(20);
  });

  it('of an answer that was stopped, as far as it came', async () => {
    const generator = openChunked();
    const promptIds = line(0, 30);
    for await (const piece of generator.generate({ promptIds, maxTokens: 50, ...varied }))
      if (piece.tokenIds.length > 0) break;
    expect((await ask(generator, { promptIds: [...promptIds, ...line(1, 5)] })).cached).toBe(30);
  });

  it('of a prompt that is longer than prefixes may be, those that fit, in each turn of its chat', async () => {
    const prefixBudget = sequenceBytes(cacheShapeOf(golden.config), 64);
    const generator = openChunked({ prefixBudget });
    const cached: unknown[] = [];
    let promptIds = [...line(0, 40), ...line(1, 40)];
    for (let turn = 0; turn < 3; turn++) {
      const answer = await ask(generator, { promptIds });
      expect(answer.tokenIds).toEqual((await ask(openChunked(), { promptIds })).tokenIds);
      expect(generator.status().prefixBytes).toBe(prefixBudget);
      cached.push(answer.cached);
      promptIds = [...promptIds, ...answer.tokenIds, ...line(2, 10)];
    }
    expect(cached).toEqual([0, 60, 60]);
  });

  it('by chats alone, so an embedding leaves what was kept for them', async () => {
    const generator = openChunked({ prefixBudget: sequenceBytes(cacheShapeOf(golden.config), 64) });
    const promptIds = line(0, 30);
    await ask(generator, { promptIds });
    await generator.embed({ promptIds: line(1, 30) });
    expect((await ask(generator, { promptIds })).cached).toBe(20);
  });

  it('not once the model was unloaded', async () => {
    const generator = openChunked();
    const promptIds = line(0, 30);
    await ask(generator, { promptIds });
    expect(generator.status().prefixBytes).toBeGreaterThan(0);
    expect(await generator.unload()).toBe(true);
    expect(generator.status().prefixBytes).toBe(0);
    expect((await ask(generator, { promptIds })).cached).toBe(0);
  });
});
