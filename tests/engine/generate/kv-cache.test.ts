import { describe, expect, it } from 'vitest';
import { lengthBucket, slotBucket } from '../../../lib/engine/generate/buckets.js';
import { KvCache } from '../../../lib/engine/generate/kv-cache.js';

const SHAPE = { layers: 2, kvHeads: 3, headDim: 2 };

/** A unique number for layer, part, text, head, token and dimension. */
const mark = (layer: number, part: string, text: number, head: number, token: number, dim: number) =>
  ((((layer * 2 + (part === 'k' ? 0 : 1)) * 10 + text) * 3 + head) * 500 + token) * 2 + dim;

/** The outputs of a step: the next `tokens` rows of these texts. */
function outputsFor(cache: KvCache, texts: number[], tokens: number): Record<string, Float32Array> {
  const outputs: Record<string, Float32Array> = {};
  for (const layer of [0, 1]) {
    for (const part of ['k', 'v']) {
      const rows = texts.flatMap((text, slot) =>
        [0, 1, 2].flatMap(head =>
          Array.from({ length: tokens }, (_, i) =>
            [0, 1].map(dim => mark(layer, part, text, head, cache.lengths[slot]! + i, dim)),
          ).flat(),
        ),
      );
      outputs[`fresh.${layer}.${part}`] = Float32Array.from(rows);
    }
  }
  return outputs;
}

/** Checks that every cached row belongs to its text. */
function expectHeld(cache: KvCache, texts: number[], lengths: number[]): void {
  expect(cache.lengths).toEqual(lengths);
  for (const [name, { data: values, dims: shape }] of Object.entries(cache.inputs())) {
    const [, layer, part] = name.split('.');
    expect(shape).toEqual([texts.length, 3, cache.capacity, 2]);
    expect(values).toHaveLength(texts.length * 3 * cache.capacity * 2);
    texts.forEach((text, slot) => {
      for (let head = 0; head < 3; head++) {
        for (let token = 0; token < lengths[slot]!; token++) {
          const at = ((slot * 3 + head) * cache.capacity + token) * 2;
          const wanted = [0, 1].map(dim => mark(Number(layer), part!, text, head, token, dim));
          expect([values[at], values[at + 1]]).toEqual(wanted);
        }
      }
    });
  }
}

function filled(text: number, tokens: number): KvCache {
  const cache = new KvCache(SHAPE);
  cache.addEmpty();
  cache.append(outputsFor(cache, [text], tokens), tokens);
  return cache;
}

describe('the cache', () => {
  it('keeps the rows of every text while texts join, grow and leave', () => {
    const cache = new KvCache(SHAPE);
    cache.addFrom(filled(1, 5));
    cache.addFrom(filled(2, 70));
    cache.addFrom(filled(3, 1));
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

  it('appends several rows at once', () => {
    const cache = filled(6, 64);
    cache.append(outputsFor(cache, [6], 9), 9);
    expectHeld(cache, [6], [73]);
    expect(cache.capacity).toBe(128);
  });

  it('frees all memory when the last text leaves', () => {
    const cache = filled(1, 10);
    expect(cache.bytes).toBe(2 * 2 * 3 * 64 * 2 * 4);
    cache.remove(0);
    expect(cache.bytes).toBe(0);
    const other = filled(1, 10);
    other.clear();
    expect([other.bytes, other.lengths]).toEqual([0, []]);
  });
});

describe('buckets', () => {
  it('are large enough, and from 256 on at most a quarter too large', () => {
    expect([0, 1, 64, 65, 256, 257, 600, 1024, 1025].map(needed => lengthBucket(needed, 0))).toEqual([
      0, 64, 64, 128, 256, 320, 640, 1024, 1280,
    ]);
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
