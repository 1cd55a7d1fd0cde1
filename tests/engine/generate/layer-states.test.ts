// The states of layers that do not attend: kept at the ends of chunks, because a state cannot be cut at a token.
import { describe, expect, it } from 'vitest';
import { layoutBytes, longestWithin, tokensPerSnapshot } from '../../../lib/engine/generate/cache-budget.js';
import { KvCache } from '../../../lib/engine/generate/kv-cache.js';
import { isSnapshotPoint } from '../../../lib/engine/generate/prefix-cache.js';
import { cacheShapeOf } from '../../../lib/engine/model/index.js';
import { openGolden, readAll, varied } from './golden-generator.js';

const SHAPE = {
  attending: [1],
  kvHeads: 1,
  headDim: 2,
  states: [
    { layer: 0, part: 'convolution', shape: [3, 2] },
    { layer: 2, part: 'convolution', shape: [4] },
  ],
} as const;

/** A step of some tokens of these texts: the states are numbers of the text and how many tokens it has then. */
function append(cache: KvCache, texts: readonly number[], tokens: number): void {
  const numberOf = (slot: number) => texts[slot]! * 1000 + cache.lengths[slot]! + tokens;
  const states = (size: number) =>
    Float32Array.from(texts.flatMap((_, slot) => Array(size).fill(numberOf(slot))));
  const rows = new Float32Array(texts.length * tokens * 2);
  const outputs = { 'fresh.0.convolution': states(6), 'fresh.2.convolution': states(4) };
  cache.append({ ...outputs, 'fresh.1.k': rows, 'fresh.1.v': rows }, tokens);
}

function statesOf(cache: KvCache): number[] {
  const { 'past.0.convolution': first, 'past.2.convolution': second } = cache.inputs();
  expect([first!.dims, second!.dims]).toEqual([
    [cache.lengths.length, 3, 2],
    [cache.lengths.length, 4],
  ]);
  return cache.lengths.map((_, slot) => {
    const found = new Set(
      [first!, second!].flatMap(({ data }, i) => {
        const size = i === 0 ? 6 : 4;
        return [...(data as Float32Array).subarray(slot * size, (slot + 1) * size)];
      }),
    );
    expect(found.size).toBe(1);
    return [...found][0]!;
  });
}

function filled(text: number, steps: readonly number[]): KvCache {
  const cache = new KvCache(SHAPE);
  cache.addEmpty();
  expect(statesOf(cache)).toEqual([0]);
  for (const tokens of steps) {
    append(cache, [text], tokens);
    cache.keepSnapshot(0);
  }
  return cache;
}

describe('the states of a batch', () => {
  it('stay with their texts while texts join, grow and leave', () => {
    const cache = new KvCache(SHAPE);
    for (const text of [1, 2, 3]) cache.addFrom(filled(text, [text]));
    expect(statesOf(cache)).toEqual([1001, 2002, 3003]);
    append(cache, [1, 2, 3], 70);
    expect(statesOf(cache)).toEqual([1071, 2072, 3073]);
    cache.remove(0);
    expect(statesOf(cache)).toEqual([3073, 2072]);
    cache.addFrom(filled(4, [9]));
    cache.remove(1);
    cache.compact();
    expect(statesOf(cache)).toEqual([3073, 4009]);
    cache.remove(1);
    cache.remove(0);
    expect(cache.bytes).toBe(0);
    cache.addEmpty();
    expect(statesOf(cache)).toEqual([0]);
  });

  it('move to an empty cache without a copy, which leaves nothing behind', () => {
    const [cache, other] = [new KvCache(SHAPE), filled(5, [10, 10])];
    cache.takeOver(other);
    expect([statesOf(cache), other.bytes, cache.longestCopy(0, 15)]).toEqual([[5020], 0, 10]);
  });
});

describe('a copy of the first tokens', () => {
  it('ends where the states were kept, or at the last token', () => {
    const cache = filled(1, [10, 10, 10]);
    append(cache, [1], 7);
    expect([9, 10, 29, 30, 36, 37, 99].map(most => cache.longestCopy(0, most))).toEqual([
      0, 10, 20, 30, 30, 37, 37,
    ]);
    const [copy, whole] = [cache.extract(0, 20), cache.extract(0, 37)];
    expect([copy.lengths, statesOf(copy), statesOf(whole)]).toEqual([[20], [1020], [1037]]);
    expect([copy.longestCopy(0, 15), copy.extract(0, 10).lengths]).toEqual([10, [10]]);
    append(copy, [2], 5);
    expect([statesOf(copy), statesOf(cache)]).toEqual([[2025], [1037]]);
    expect(() => cache.extract(0, 25)).toThrow('The states after 25 of 37 tokens were not kept.');
  });

  it('counts as memory, which limits the context', () => {
    const [cache, other] = [filled(1, [10]), filled(1, [5, 5])];
    expect(other.bytes - cache.bytes).toBe(40);
    expect(longestWithin(SHAPE, 10_000, 5000)).toBeLessThan(10_000 / 16 - 5);
    expect(longestWithin(SHAPE, 30, 5000)).toBe(0);
  });
});

it('states are kept at the last chunk that leaves a token, and from time to time before', () => {
  const cutsOf = (promptLength: number, every: number) =>
    Array.from({ length: 12 }, (_, i) => 10 * (i + 1)).filter(tokens =>
      isSnapshotPoint(tokens, promptLength, 10, every),
    );
  expect(cutsOf(45, 1)).toEqual([10, 20, 30, 40]);
  expect(cutsOf(100, 25)).toEqual([30, 50, 80, 90, 100]);
  expect(cutsOf(100, Number.POSITIVE_INFINITY)).toEqual([90]);
  expect(isSnapshotPoint(45, 100, 10, 1)).toBe(false);
  expect(tokensPerSnapshot(SHAPE)).toBe(2.5);
  expect(tokensPerSnapshot({ ...SHAPE, attending: [] })).toBe(Number.POSITIVE_INFINITY);
});

describe.each([
  // States are kept every 4 tokens, and before the last chunk.
  ['lfm2', 8],
  // They are large, so only before the last chunk.
  ['qwen3_5', 0],
] as const)('requests of %s that begin alike', async (name, part) => {
  const { open, line, trained } = await openGolden(name, { chunk: 2 });
  const ask = async (generator: ReturnType<typeof open>, promptIds: number[], adapter = trained) => {
    const answer = await readAll(generator.generate({ promptIds, adapter, maxTokens: 12, ...varied }));
    const { usage } = answer.last as { usage?: { cachedTokens?: number } };
    return { ids: answer.tokenIds, cached: usage?.cachedTokens };
  };

  it.each([
    ['the same prompt', line(0, 23), 22],
    ['the same prompt of whole chunks', line(0, 20), 18],
    ['a part of it', [...line(0, 11), ...line(1, 9)], part],
    ['its next turn', [...line(0, 23), ...line(2, 20)], 22],
  ])('have the same answers as alone: %s', async (_, promptIds, cached) => {
    const generator = open();
    await ask(generator, line(0, promptIds.length === 20 ? 20 : 23));
    const answers = [await ask(generator, promptIds), await ask(open(), promptIds)];
    expect(answers.map(answer => answer.cached)).toEqual([cached, 0]);
    expect(answers[0]!.ids).toEqual(answers[1]!.ids);
  });

  it('have the same answers while others join and leave the batch', async () => {
    const prompts = [line(0, 23), line(0, 7), [...line(0, 10), ...line(1, 30)], line(2, 40)];
    const generator = open({ maxBatch: 2 });
    const together = await Promise.all([...prompts, ...prompts].map(promptIds => ask(generator, promptIds)));
    for (const [i, promptIds] of prompts.entries()) {
      const alone = await ask(open(), promptIds);
      for (const answer of [together[i]!, together[i + prompts.length]!])
        expect(answer.ids).toEqual(alone.ids);
    }
  });
});

it('a request waits for the memory of its snapshots, and meanwhile the prefixes of others stay', async () => {
  const { golden, open, line } = await openGolden('qwen3_5', { chunk: 16 });
  const shape = cacheShapeOf(golden.config);
  // Enough for both without their snapshots.
  const cacheBudget = layoutBytes(shape, [100, 100]) + layoutBytes(shape, [100]);
  const generator = open({ cacheBudget, prefixBudget: cacheBudget });
  const ask = (promptIds: number[], maxTokens: number) =>
    generator.generate({ promptIds, maxTokens, ...varied });
  await readAll(ask(line(0, 20), 1));
  const running = ask(line(1, 20), 30);
  await running.next();
  const { prefixBytes } = generator.status();
  expect(prefixBytes).toBeGreaterThan(0);
  const waiting = readAll(ask([...line(2, 40), ...line(1, 40)], 1));
  const seen = [];
  for (let i = 0; i < 20; i++) {
    await running.next();
    seen.push(generator.status());
  }
  await readAll(running);
  expect((await waiting).tokenIds).toHaveLength(1);
  for (const status of seen) expect(status).toMatchObject({ waiting: 1, prefixBytes });
});
