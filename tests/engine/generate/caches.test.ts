import { describe, expect, it } from 'vitest';
import { lengthBucket, slotBucket } from '../../../lib/engine/generate/cache-budget.js';
import type { LoadedAdapter } from '../../../lib/engine/generate/index.js';
import { KvCache } from '../../../lib/engine/generate/kv-cache.js';
import { PrefixCache } from '../../../lib/engine/generate/prefix-cache.js';

const SHAPE = { attending: [0, 1], kvHeads: 3, headDim: 2, states: [] };

const NAMES = ['0.k', '0.v', '1.k', '1.v'];

/** Of a layer's keys or values, what a head has of a text's tokens: numbers that nothing else has. */
const rowsOf = (name: string, text: number, head: number, from: number, to: number) =>
  Array.from({ length: 2 * (to - from) }, (_, i) => {
    return ((NAMES.indexOf(name) * 10 + text) * 3 + head) * 1000 + 2 * from + i;
  });

/** The outputs of a step: the next `tokens` rows of these texts. */
function outputsFor({ lengths }: KvCache, texts: number[], tokens: number): Record<string, Float32Array> {
  const rows = NAMES.map(name => {
    const all = texts.flatMap((text, slot) =>
      [0, 1, 2].flatMap(head => rowsOf(name, text, head, lengths[slot]!, lengths[slot]! + tokens)),
    );
    return [`fresh.${name}`, Float32Array.from(all)];
  });
  return Object.fromEntries(rows);
}

/** Checks that every cached row belongs to its text, and that the others are empty. */
function expectHeld(cache: KvCache, texts: number[], lengths: number[]): void {
  expect(cache.lengths).toEqual(lengths);
  for (const [input, { data, dims }] of Object.entries(cache.inputs())) {
    const values = data as Float32Array;
    expect(dims).toEqual([texts.length, 3, cache.capacity, 2]);
    expect(values).toHaveLength(texts.length * 3 * cache.capacity * 2);
    for (const [slot, text] of texts.entries())
      for (const head of [0, 1, 2]) {
        const wanted = rowsOf(input.split('.').slice(1).join('.'), text, head, 0, lengths[slot]!);
        const at = (slot * 3 + head) * cache.capacity * 2;
        expect([...values.subarray(at, at + wanted.length)]).toEqual(wanted);
        const rest = values.subarray(at + wanted.length, at + cache.capacity * 2);
        expect(rest.every(value => value === 0)).toBe(true);
      }
  }
}

function filled(text: number, tokens: number): KvCache {
  const cache = new KvCache(SHAPE);
  cache.addEmpty();
  cache.append(outputsFor(cache, [text], tokens), tokens);
  return cache;
}

describe('the cache of a batch', () => {
  it('keeps the rows of every text while texts join, grow and leave', () => {
    const cache = new KvCache(SHAPE);
    for (const other of [filled(1, 5), filled(2, 70), filled(3, 1)]) cache.addFrom(other);
    expectHeld(cache, [1, 2, 3], [5, 70, 1]);
    for (let i = 0; i < 60; i++) cache.append(outputsFor(cache, [1, 2, 3], 1), 1);
    expectHeld(cache, [1, 2, 3], [65, 130, 61]);
    cache.remove(0);
    expectHeld(cache, [3, 2], [61, 130]);
    cache.addFrom(filled(4, 3));
    cache.addFrom(filled(5, 300));
    expectHeld(cache, [3, 2, 4, 5], [61, 130, 3, 300]);
    cache.remove(3);
    cache.remove(1);
    expectHeld(cache, [3, 4], [61, 3]);
    expect(cache.capacity).toBe(64);
  });

  it('has nothing left of texts whose numbers are not finite', () => {
    const cache = new KvCache(SHAPE);
    for (const text of [1, 2, 3, 4]) cache.addFrom(filled(text, 5));
    // Slots 0, 2 and 3 fail in one step.
    const outputs = outputsFor(cache, [1, 2, 3, 4], 1);
    const size = 3 * 2;
    for (const values of Object.values(outputs))
      for (const slot of [0, 2, 3]) values.fill(Number.NaN, slot * size, (slot + 1) * size);
    cache.append(outputs, 1);
    for (const slot of [0, 0, 0]) cache.remove(slot);
    for (const text of [5, 6]) cache.addFrom(filled(text, 2));
    expectHeld(cache, [2, 5, 6], [6, 2, 2]);
  });

  it('appends several rows at once, and frees all memory when the last text leaves', () => {
    const cache = filled(6, 64);
    expect(cache.bytes).toBe(2 * 2 * 3 * 64 * 2 * 4);
    cache.append(outputsFor(cache, [6], 9), 9);
    expectHeld(cache, [6], [73]);
    expect(cache.capacity).toBe(128);
    cache.remove(0);
    expect(cache.bytes).toBe(0);
    const other = filled(1, 10);
    other.clear();
    expect([other.bytes, other.lengths]).toEqual([0, []]);
  });
});

describe('buckets', () => {
  it('are large enough, and from 256 on at most a quarter too large', () => {
    const buckets = [0, 1, 64, 65, 256, 257, 600, 1024, 1025].map(needed => lengthBucket(needed, 0));
    expect(buckets).toEqual([0, 64, 64, 128, 256, 320, 640, 1024, 1280]);
    for (let needed = 257; needed < 5000; needed += 13) {
      const bucket = lengthBucket(needed, 0);
      expect(bucket).toBeGreaterThanOrEqual(needed);
      expect(bucket).toBeLessThanOrEqual(needed * 1.25 + 1);
    }
  });

  it('shrink only when half would be enough', () => {
    expect([lengthBucket(130, 320), lengthBucket(120, 320), lengthBucket(0, 64)]).toEqual([320, 128, 0]);
    expect([1, 2, 3, 5, 8].map(needed => slotBucket(needed, 0))).toEqual([1, 2, 4, 8, 8]);
    expect([slotBucket(3, 8), slotBucket(2, 8), slotBucket(0, 1)]).toEqual([8, 2, 0]);
  });
});

const SMALLEST = { attending: [0], kvHeads: 1, headDim: 1, states: [] };
/** A cache of up to 64 tokens: a key and a value for each. */
const BYTES = 64 * 2 * 4;

const CHUNK = 5;

const tokens = (count: number, from = 0) => Array.from({ length: count }, (_, i) => from + i);
const adapter = (): LoadedAdapter => ({ rank: 1, scaling: 1, matrices: new Map() });

function cacheOf(length: number): KvCache {
  const cache = new KvCache(SMALLEST);
  cache.addEmpty();
  const rows = new Float32Array(length);
  cache.append({ 'fresh.0.k': rows, 'fresh.0.v': rows }, length);
  return cache;
}

function open(limit = 10 * BYTES) {
  let time = 0;
  const prefixes = new PrefixCache({ limit, chunk: CHUNK, now: () => time });
  const base = { adapter: null, caller: 'a' };
  return {
    prefixes,
    base,
    pass: (minutes: number) => {
      time += minutes * 60_000;
    },
    add: (ids: number[], scope: Parameters<PrefixCache['add']>[0] = base) =>
      prefixes.add(scope, ids, () => cacheOf(ids.length)),
    lengthFor: (ids: number[], scope: Parameters<PrefixCache['find']>[0] = base) =>
      prefixes.find(scope, ids)?.length ?? 0,
  };
}

describe('a prefix', () => {
  it('is found by a request that begins with the same tokens, and the longest one wins', () => {
    const { add, lengthFor, prefixes, base } = open();
    add([...tokens(20), ...tokens(5, 500)]);
    add([...tokens(30), ...tokens(5, 600)]);
    expect(lengthFor(tokens(40))).toBe(30);
    expect(lengthFor([...tokens(20), ...tokens(9, 500)])).toBe(25);
    expect(prefixes.find(base, tokens(40))!.cache.lengths).toEqual([35]);
  });

  it('is used in whole chunks, and leaves at least one token to compute', () => {
    const { add, lengthFor } = open();
    add(tokens(30));
    expect([20, 30, 31].map(count => lengthFor(tokens(count)))).toEqual([15, 25, 30]);
    expect([4, 5, 9, 10].map(count => lengthFor([...tokens(count), 999, 998]))).toEqual([0, 5, 5, 10]);
  });

  it('belongs to one caller and one adapter', () => {
    const { add, lengthFor, base } = open();
    const [one, two] = [adapter(), adapter()];
    add(tokens(30), { ...base, adapter: one });
    expect(lengthFor(tokens(40), { ...base, adapter: one })).toBe(30);
    for (const other of [base, { ...base, adapter: two }, { caller: 'b', adapter: one }])
      expect(lengthFor(tokens(40), other)).toBe(0);
    add(tokens(30));
    expect(lengthFor(tokens(40))).toBe(30);
    expect(lengthFor(tokens(40), { ...base, adapter: two })).toBe(0);
  });

  it('is replaced by what continues it, and adds nothing to what already continues it', () => {
    const { add, lengthFor, prefixes } = open();
    add(tokens(30));
    add(tokens(50));
    expect(prefixes.bytes).toBe(BYTES);
    add(tokens(20));
    expect(prefixes.bytes).toBe(BYTES);
    expect(lengthFor(tokens(60))).toBe(50);
  });
});

describe('prefixes', () => {
  it('take at most as many bytes as they may, and the least recently used ones go first', () => {
    const { add, lengthFor, prefixes } = open(2 * BYTES);
    add(tokens(20, 1000));
    add(tokens(20, 2000));
    expect(lengthFor(tokens(30, 1000))).toBe(20);
    add(tokens(20, 3000));
    expect(prefixes.bytes).toBe(2 * BYTES);
    expect([1000, 2000, 3000].map(from => lengthFor(tokens(30, from)))).toEqual([20, 0, 20]);
    prefixes.shrinkTo(2 * BYTES - 1);
    expect(prefixes.bytes).toBe(BYTES);
    prefixes.clear();
    expect(prefixes.bytes).toBe(0);
  });

  it('are dropped by the next request once they were not used for ten minutes', () => {
    const { add, lengthFor, pass, prefixes } = open();
    for (const from of [1000, 2000]) add(tokens(20, from));
    pass(6);
    expect(lengthFor(tokens(30, 1000))).toBe(20);
    pass(6);
    expect(lengthFor(tokens(30, 3000))).toBe(0);
    expect(prefixes.bytes).toBe(BYTES);
    expect([1000, 2000].map(from => lengthFor(tokens(30, from)))).toEqual([20, 0]);
  });
});
