import { describe, expect, it } from 'vitest';
import type { LoadedAdapter } from '../../../lib/engine/generate/index.js';
import { KvCache } from '../../../lib/engine/generate/kv-cache.js';
import { PrefixCache } from '../../../lib/engine/generate/prefix-cache.js';

const SHAPE = { layers: 1, kvHeads: 1, headDim: 1 };
/** A cache of up to 64 tokens: a key and a value for each. */
const BYTES = 64 * 2 * 4;

const CHUNK = 5;

const tokens = (count: number, from = 0) => Array.from({ length: count }, (_, i) => from + i);
const adapter = (): LoadedAdapter => ({ rank: 1, scaling: 1, matrices: new Map() });

function cacheOf(length: number): KvCache {
  const cache = new KvCache(SHAPE);
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
    expect(lengthFor([...tokens(40)])).toBe(30);
    expect(lengthFor([...tokens(20), ...tokens(9, 500)])).toBe(25);
    expect(prefixes.find(base, tokens(40))!.cache.lengths).toEqual([35]);
  });

  it('leaves at least one token to compute', () => {
    const { add, lengthFor } = open();
    add(tokens(30));
    expect(lengthFor(tokens(30))).toBe(25);
    expect(lengthFor(tokens(31))).toBe(30);
    expect(lengthFor(tokens(20))).toBe(15);
  });

  it('is used in whole chunks', () => {
    const { add, lengthFor } = open();
    add(tokens(40));
    const shared = [4, 5, 9, 10].map(count => lengthFor([...tokens(count), 999, 998]));
    expect(shared).toEqual([0, 5, 5, 10]);
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

  it('can be dropped to make room', () => {
    const { add, prefixes } = open();
    for (const from of [1000, 2000, 3000]) add(tokens(20, from));
    prefixes.shrinkTo(2 * BYTES - 1);
    expect(prefixes.bytes).toBe(BYTES);
    prefixes.clear();
    expect(prefixes.bytes).toBe(0);
  });
});
