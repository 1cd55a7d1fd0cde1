// Requests with different adapters join and leave one batch: each gets the same answer as alone.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type GenerateRequest,
  type Generator,
  type LoadedAdapter,
  loadAdapter,
} from '../../../lib/engine/generate/index.js';
import { type GoldenModel, openGoldenModel } from '../../support/golden-models.js';
import { openGenerator, readAll, varied } from './golden-generator.js';

describe('a batch', () => {
  let golden: GoldenModel;
  let initial: LoadedAdapter;
  let trained: LoadedAdapter;
  const generators: Generator[] = [];

  beforeAll(async () => {
    golden = await openGoldenModel('qwen3');
    initial = await loadAdapter(`${golden.folder}/adapter_init`, golden.config);
    trained = await loadAdapter(`${golden.folder}/adapter_final`, golden.config);
  });
  afterAll(() => Promise.all(generators.map(generator => generator.close())));

  function open(options: Parameters<typeof openGenerator>[1] = {}): Generator {
    const generator = openGenerator(golden, options);
    generators.push(generator);
    return generator;
  }

  function mixedRequests(): GenerateRequest[] {
    const prompt = (row: number, length: number) => golden.batch.input_ids[row]!.slice(0, length);
    return [
      { promptIds: prompt(0, 40), adapter: null, maxTokens: 60, ...varied },
      { promptIds: prompt(1, 2), adapter: trained, maxTokens: 25, ...varied },
      { promptIds: prompt(2, 21), adapter: initial, maxTokens: 70, seed: 5 },
      { promptIds: prompt(1, 33), adapter: trained, maxTokens: 9, seed: 6, temperature: 0.8, topP: 0.9 },
      { promptIds: prompt(0, 5), maxTokens: 50, seed: 7 },
      { promptIds: prompt(2, 12), adapter: trained, maxTokens: 40, ...varied },
    ];
  }

  async function answerAlone(requests: GenerateRequest[]): Promise<number[][]> {
    const generator = open();
    const answers: number[][] = [];
    for (const request of requests) answers.push((await readAll(generator.generate(request))).tokenIds);
    return answers;
  }

  it('with mixed adapters gives each request the same answer as alone', async () => {
    const requests = mixedRequests();
    const wanted = await answerAlone(requests);
    const generator = open({ maxBatch: 4, chunk: 6 });
    let most = 0;
    const answers = requests.map(() => Promise.resolve<number[]>([]));
    const answer = async (i: number): Promise<number[]> => {
      const ids: number[] = [];
      for await (const piece of generator.generate(requests[i]!)) {
        ids.push(...piece.tokenIds);
        most = Math.max(most, generator.status().running);
        const next = [1, 2, 3, 4, 5][i];
        if (ids.length === 4 && next !== undefined && next < requests.length) answers[next] = answer(next);
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
    const long = generator.generate({ promptIds: golden.batch.input_ids[0]!, maxTokens: 2 });
    let answered = false;
    const done = long.next().then(() => {
      answered = true;
    });
    while (!answered) {
      await first.next();
      meanwhile++;
    }
    await done;
    expect(meanwhile).toBeGreaterThanOrEqual(4);
    await first.return!();
  });

  it('shares one session if only one copy of the weights is kept', async () => {
    const requests = mixedRequests().slice(0, 3);
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
