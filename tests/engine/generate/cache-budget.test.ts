// Texts in progress in little memory: what does not fit waits, those who had their turn are set aside, and everybody
// gets the answer that they would have got alone.
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  defaultBudget,
  layoutBytes,
  longestWithin,
  rowBytes,
} from '../../../lib/engine/generate/cache-budget.js';
import type { GenerateRequest, Generator, GeneratorOptions } from '../../../lib/engine/generate/index.js';
import { type GoldenModel, openGoldenModel } from '../../support/golden-models.js';
import { openGenerator, readAll } from './golden-generator.js';

const CONTEXT = 120;
const PROMPT = 20;

let golden: GoldenModel;
let full: number;
beforeAll(async () => {
  golden = await openGoldenModel('llama');
  full = layoutBytes(golden.config, [CONTEXT]);
});

const generators: Generator[] = [];
afterEach(() => Promise.all(generators.splice(0).map(generator => generator.close())));

function open(options: Partial<GeneratorOptions> = {}): Generator {
  const generator = openGenerator(golden, { context: CONTEXT, ...options });
  generators.push(generator);
  return generator;
}

const promptOf = (seed: number) => Array.from({ length: PROMPT }, (_, i) => (seed * 31 + i * 7) % 300);
const toTheEnd = (seed: number, caller?: string): GenerateRequest => ({
  promptIds: promptOf(seed),
  temperature: 0,
  caller,
});

/** The most that the caches took while these were answered, and the answers. */
async function answer(generator: Generator, requests: readonly GenerateRequest[]) {
  let most = 0;
  const answers = requests.map(async request => {
    const ids: number[] = [];
    for await (const { tokenIds } of generator.generate(request)) {
      ids.push(...tokenIds);
      most = Math.max(most, generator.status().cacheBytes);
    }
    return ids;
  });
  return { answers: await Promise.all(answers), most };
}

describe('texts as long as the context', () => {
  it.each([1, 2.5])(
    'are all answered as with room for all, in the room of %d',
    async share => {
      const requests = Array.from({ length: 4 }, (_, i) => toTheEnd(i));
      const { answers: expected } = await answer(open(), requests);
      const budget = Math.ceil(full * share);
      const { answers, most } = await answer(open({ cacheBudget: budget }), requests);
      expect(answers).toEqual(expected);
      expect(answers.every(({ length }) => length === CONTEXT - PROMPT)).toBe(true);
      expect(most).toBeLessThanOrEqual(budget);
      expect(most).toBeGreaterThan(budget / 3);
    },
    60_000,
  );

  it.each([
    ['its own', 'someone'],
    ['another', 'someone else'],
  ])(
    'leave a short one of %s caller its turn, which ends long before they do',
    async (_, caller) => {
      const generator = open({ cacheBudget: 2 * full, maxBatch: 2 });
      const ended: string[] = [];
      const long = Array.from({ length: 4 }, (_, i) => readAll(generator.generate(toTheEnd(i, 'someone'))));
      const noted = long.map(reading => reading.then(() => ended.push('long')));
      await new Promise(resolve => setImmediate(resolve));
      const short = { promptIds: promptOf(9), maxTokens: 4, temperature: 0, caller };
      const reading = readAll(generator.generate(short)).then(() => ended.push('short'));
      await Promise.all([reading, ...noted]);
      expect(ended.indexOf('short')).toBeLessThanOrEqual(2);
    },
    60_000,
  );
});

describe('a full queue', () => {
  it('has a place for a caller who has none, taken from the one with the most', async () => {
    const generator = open({ maxBatch: 1, queueLimit: 3 });
    const start = (caller: string) => readAll(generator.generate({ ...toTheEnd(1, caller), maxTokens: 6 }));
    const greedy = Array.from({ length: 4 }, () => start('greedy').catch(error => error.code));
    const other = start('other');
    expect((await other).tokenIds).toHaveLength(6);
    expect((await Promise.all(greedy)).map(end => end.code ?? end.tokenIds?.length ?? end)).toEqual([
      6,
      6,
      6,
      'engine_busy',
    ]);
  });

  it('counts those whose prompts are being written, and turns them out too', async () => {
    const generator = open({ maxBatch: 1, queueLimit: 1 });
    const refused: unknown[] = [];
    const leave = generator.reserve('a', error => refused.push(error));
    generator.reserve('a', error => refused.push(error));
    expect(() => generator.reserve('a', () => {})).toThrow(expect.objectContaining({ code: 'engine_busy' }));
    generator.reserve('b', () => expect.unreachable('b was turned out'));
    expect(refused).toEqual([expect.objectContaining({ code: 'engine_busy' })]);
    leave();
    generator.reserve('a', () => {});
  });
});

describe('the budget', () => {
  it('is a part of what the machine has, and shortens the context of a model that needs more', () => {
    expect(defaultBudget()).toBeGreaterThan(2 ** 26);
    const shape = { layers: 16, kvHeads: 8, headDim: 64 };
    expect(rowBytes(shape)).toBe(65_536);
    const longest = longestWithin(shape, 2 ** 31, 131_072);
    expect(longest).toBeGreaterThan(20_000);
    expect(longest).toBeLessThan(2 ** 31 / 65_536 + 1);
    expect(layoutBytes(shape, [longest])).toBeLessThanOrEqual(2 ** 31);
    expect(longestWithin(shape, 2 ** 40, 131_072)).toBe(131_072);
  });

  it('is what a prompt is measured by that fits no memory', () => {
    const generator = open({ cacheBudget: full / 2 });
    expect(generator.context).toBeLessThan(CONTEXT);
    const promptIds = Array.from({ length: CONTEXT - 1 }, () => 1);
    const expected = expect.objectContaining({ code: 'context_length_exceeded' });
    expect(() => generator.generate({ promptIds })).toThrow(expected);
  });
});
