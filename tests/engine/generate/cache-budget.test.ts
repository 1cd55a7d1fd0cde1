// Generation with little memory: requests that do not fit wait, those that had their turn are preempted, and each gets
// the same answer as alone.
import { describe, expect, it } from 'vitest';
import {
  cacheBudgetIn,
  layoutBytes,
  longestWithin,
  prefixBudgetIn,
  rowBytes,
  sequenceBytes,
  sessionBytes,
} from '../../../lib/engine/generate/cache-budget.js';
import type { GenerateRequest, Generator } from '../../../lib/engine/generate/index.js';
import { cacheShapeOf } from '../../../lib/engine/model/index.js';
import { openGolden, readAll } from './golden-generator.js';

const CONTEXT = 120;
const PROMPT = 20;

const { golden, open } = await openGolden('llama', { context: CONTEXT });
const full = layoutBytes(cacheShapeOf(golden.config), [CONTEXT]);

const promptOf = (seed: number) => Array.from({ length: PROMPT }, (_, i) => (seed * 31 + i * 7) % 300);
const toTheEnd = (seed: number, caller?: string) => ({ promptIds: promptOf(seed), temperature: 0, caller });

/** Answers the requests, and measures the peak size of the caches. */
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

describe('requests as long as the context', () => {
  const patient = { timeout: 60_000 };

  it.each([1, 2.5])('get the same answers with room for %d of them as for all', patient, async share => {
    const requests = Array.from({ length: 4 }, (_, i) => toTheEnd(i));
    const { answers: expected } = await answer(open(), requests);
    const budget = Math.ceil(full * share);
    const { answers, most } = await answer(open({ cacheBudget: budget }), requests);
    expect(answers).toEqual(expected);
    expect(answers.every(({ length }) => length === CONTEXT - PROMPT)).toBe(true);
    expect(most).toBeLessThanOrEqual(budget);
    expect(most).toBeGreaterThan(budget / 3);
  });

  it.each(['someone', 'someone else'])('do not hold up a short request of %s', patient, async caller => {
    const generator = open({ cacheBudget: 2 * full, maxBatch: 2 });
    const ended: string[] = [];
    const long = Array.from({ length: 4 }, (_, i) => readAll(generator.generate(toTheEnd(i, 'someone'))));
    const noted = long.map(reading => reading.then(() => ended.push('long')));
    await new Promise(resolve => setImmediate(resolve));
    const short = { ...toTheEnd(9, caller), maxTokens: 4 };
    const reading = readAll(generator.generate(short)).then(() => ended.push('short'));
    await Promise.all([reading, ...noted]);
    expect(ended.indexOf('short')).toBeLessThanOrEqual(2);
  });
});

describe('requests of low priority', () => {
  it('wait until all others have ended, and then get the same answers as alone', async () => {
    const requests = [1, 2, 3].map(seed => ({ ...toTheEnd(seed, 'a'), isLowPriority: seed < 3 }));
    const { answers: expected } = await answer(open(), requests);
    const generator = open({ maxBatch: 1 });
    const ended: number[] = [];
    const low = requests.slice(0, 2).map(request => generator.generate(request));
    await low[0]!.next();
    const all = [...low, generator.generate(requests[2]!)].map(async (pieces, index) => {
      const { tokenIds } = await readAll(pieces);
      ended.push(index);
      return tokenIds;
    });
    const answers = await Promise.all(all);
    expect(ended[0]).toBe(2);
    expect(answers.slice(1)).toEqual(expected.slice(1));
    expect(answers[0]!.length).toBe(expected[0]!.length - 1);
  });
});

describe('a full queue', () => {
  it('gives a place of the caller with the most requests to a caller without any', async () => {
    const generator = open({ maxBatch: 1, queueLimit: 3 });
    const start = (caller: string) => readAll(generator.generate({ ...toTheEnd(1, caller), maxTokens: 6 }));
    const greedy = Array.from({ length: 4 }, () => start('greedy'));
    const other = start('other');
    const ends = greedy.map(answer =>
      answer.then(({ tokenIds }) => tokenIds.length).catch(({ code }) => code),
    );
    expect((await other).tokenIds).toHaveLength(6);
    expect(await Promise.all(ends)).toEqual([6, 6, 6, 'engine_busy']);
  });

  it('counts and rejects requests whose prompts are still being written', async () => {
    const generator = open({ maxBatch: 1, queueLimit: 1 });
    const busy = expect.objectContaining({ code: 'engine_busy' });
    const rejected: unknown[] = [];
    const release = generator.reserve({ caller: 'a' }, error => rejected.push(error));
    generator.reserve({ caller: 'a' }, error => rejected.push(error));
    expect(() => generator.reserve({ caller: 'a' }, () => {})).toThrow(busy);
    generator.reserve({ caller: 'b' }, () => expect.unreachable('b was rejected'));
    expect(rejected).toEqual([busy]);
    release();
    generator.reserve({ caller: 'a' }, () => {});
  });
});

describe('the budget', () => {
  it('is a share of the memory, and limits the context of a model that needs more', () => {
    expect(cacheBudgetIn(undefined, 0)).toBeGreaterThan(2 ** 26);
    expect(cacheBudgetIn(undefined, 2 ** 60)).toBeGreaterThan(2 ** 26);
    expect(cacheBudgetIn(2 ** 30, 2 ** 20)).toBe(2 ** 30 - 2 ** 20);
    const attending = Array.from({ length: 16 }, (_, layer) => layer);
    const shape = { attending, kvHeads: 8, headDim: 64, states: [] };
    expect(rowBytes(shape)).toBe(65_536);
    const longest = longestWithin(shape, 2 ** 31, 131_072);
    expect(longest).toBeGreaterThan(20_000);
    expect(longest).toBeLessThan(2 ** 31 / 65_536 + 1);
    expect(layoutBytes(shape, [longest])).toBeLessThanOrEqual(2 ** 31);
    expect(longestWithin(shape, 2 ** 40, 131_072)).toBe(131_072);
    // Of which prefixes of earlier requests may take a quarter, and at most 512 MB.
    expect([2 ** 30, 2 ** 33].map(prefixBudgetIn)).toEqual([2 ** 28, 2 ** 29]);
  });

  it.each([5, 400])('has room for the snapshots of states, as large as %i tokens', tokens => {
    const size = tokens * 2 * 8 * 64;
    const states = [{ layer: 1, part: 'delta' as const, shape: [size] }];
    const shape = { attending: [0], kvHeads: 8, headDim: 64, states };
    const least = sequenceBytes(shape, 64);
    expect(least).toBeGreaterThanOrEqual(layoutBytes(shape, [64]) + 4 * size);
    expect(longestWithin(shape, least, 1000)).toBe(64);
    expect(longestWithin(shape, least - 1, 1000)).toBeLessThan(64);
    const longest = longestWithin(shape, 5 * least, 10_000);
    expect(sequenceBytes(shape, longest)).toBeLessThanOrEqual(5 * least);
    expect(sequenceBytes(shape, longest + 1)).toBeGreaterThan(5 * least);
  });

  it('counts the sessions, and limits the prompt if the whole context does not fit', () => {
    const session = sessionBytes(golden);
    const weights = 4 * (320 * 64 + 2 * (2 * 64 * 64 + 2 * 32 * 64 + 3 * 176 * 64 + 2 * 64) + 64);
    expect(session).toBe(weights + 4 * 320 * 64);
    const generator = open({ memory: 2 * session + full / 2 });
    expect(generator.context).toBeLessThan(CONTEXT);
    expect(() => open({ memory: 2 * session })).toThrow(/needs at least \d+ MB of memory\. Raise --memory\./);
    const expected = expect.objectContaining({ code: 'context_length_exceeded' });
    expect(() => generator.generate({ promptIds: Array(CONTEXT - 1).fill(1) })).toThrow(expected);
  });
});
