import { describe, expect, it } from 'vitest';
import { chunkEnd, inWholeChunks } from '../../../lib/engine/generate/chunks.js';

const CHUNK = 64;

/** Where the chunks of a prompt start, if this much of it is kept. */
function starts(heads: number, length: number, kept = 0): number[] {
  const all: number[] = [];
  for (let at = kept; at < length; at = chunkEnd({ heads }, CHUNK, at)) all.push(at);
  return all;
}

describe('the chunks of a prompt', () => {
  it('are of the same length, except for the last one', () => {
    expect(starts(9, 200)).toEqual([0, 64, 128, 192]);
  });

  it('are the same for a longer prompt, and whatever is kept of it', () => {
    for (const heads of [9, 32, 128]) {
      const all = starts(heads, 20_000);
      expect(starts(heads, 15_000)).toEqual(all.filter(at => at < 15_000));
      for (const kept of [64, 6400, 12_800])
        expect(starts(heads, 20_000, kept)).toEqual(all.filter(at => at >= kept));
    }
  });

  it('are shorter where each head scores them with many tokens before', () => {
    const lengthAt = (heads: number, start: number) => chunkEnd({ heads }, CHUNK, start) - start;
    expect(lengthAt(32, 8064)).toBe(64);
    expect(lengthAt(32, 12_800)).toBeLessThan(64);
    expect(lengthAt(32, 128_000)).toBe(16);
  });

  it('that are whole can be kept', () => {
    expect([0, 63, 64, 127, 128].map(tokens => inWholeChunks(tokens, CHUNK))).toEqual([0, 0, 64, 64, 128]);
  });
});
