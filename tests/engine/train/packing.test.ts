import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../lib/engine/random.js';
import {
  type Example,
  LARGEST_PASS,
  longestLine,
  packExamples,
  toPass,
} from '../../../lib/engine/train/packing.js';

function example(length: number, start = 10): Example {
  return {
    ids: Int32Array.from({ length }, (_, i) => start + i),
    supervised: Array.from({ length }, (_, i) => i >= Math.floor(length / 2)),
  };
}

function examplesOf(count: number, seed: number, shortest: number, longest: number): Example[] {
  const random = createRandom(seed);
  const spread = longest - shortest + 1;
  return Array.from({ length: count }, (_, i) => example(shortest + Math.floor(random.next() * spread), i));
}

/** On the CPU, or on a GPU, which has larger passes. */
const limitsFor = (longestRow: number, passTokens = LARGEST_PASS) => ({
  passTokens,
  lineTokens: longestLine(longestRow),
});
const LIMITS = limitsFor(LARGEST_PASS);

const tokensOf = (rows: readonly Example[]) => rows.reduce((sum, { ids }) => sum + ids.length, 0);

/** How much of the passes is not padding. */
function fillOf(examples: readonly Example[]): number {
  const places = packExamples(examples, LIMITS).map(lines => toPass(lines, 1).ids.length);
  return tokensOf(examples) / places.reduce((sum, count) => sum + count, 0);
}

describe('packing', () => {
  it.each([1, 3, 16, 200, 3000])('puts each of %i rows into one line of one pass', count => {
    const examples = examplesOf(count, 1, 2, 60);
    const passes = packExamples(examples, LIMITS);
    expect([passes.flat(2).length, new Set(passes.flat(2)).size]).toEqual([count, count]);
    for (const line of passes.flat()) expect(line.length).toBeGreaterThan(0);
    expect(packExamples(examples, LIMITS)).toEqual(passes);
  });

  it.each([
    ['8 chats', 8, 20, 120],
    ['16 chats', 16, 20, 250],
    ['32 short rows', 32, 5, 60],
    ['4 long rows and short ones', 8, 10, 500],
    ['rows of one length', 8, 64, 64],
    ['many rows', 500, 10, 200],
  ])('fills more than 90% of the passes: %s', (_, count, shortest, longest) => {
    const fills = Array.from({ length: 20 }, (_, seed) => fillOf(examplesOf(count, seed, shortest, longest)));
    expect(fills.reduce((sum, fill) => sum + fill, 0) / fills.length).toBeGreaterThan(0.9);
  });

  it('keeps lines short, because attention is expensive in long ones', () => {
    const passes = packExamples(examplesOf(8, 1, 128, 128), LIMITS);
    expect(passes.map(({ length }) => length)).toEqual([8]);
  });

  it('leaves no room in a pass that a row of a later one would fit into', () => {
    for (let seed = 0; seed < 50; seed++) {
      const passes = packExamples(examplesOf(12, seed, 10, 120), { ...LIMITS, passTokens: 256 }).map(pass =>
        pass.flat(),
      );
      for (const [i, pass] of passes.entries())
        for (const { ids } of passes.slice(i + 1).flat())
          expect(tokensOf(pass) + ids.length).toBeGreaterThan(256);
    }
  });

  it('makes no line longer than announced, and passes of at most 2048 tokens unless a row is longer', () => {
    for (let seed = 0; seed < 100; seed++) {
      const longest = 1 + seed * 30;
      const passes = packExamples(examplesOf(1 + (seed % 20), seed, 1, longest), limitsFor(longest));
      for (const line of passes.flat()) expect(tokensOf(line)).toBeLessThanOrEqual(longestLine(longest));
      for (const pass of passes)
        expect(tokensOf(pass.flat())).toBeLessThanOrEqual(Math.max(2048, 2 * longest));
    }
  });

  it.each([
    ['pairs', LARGEST_PASS, [[1800, 260]]],
    ['pairs of long answers', LARGEST_PASS, [[4096, 600]]],
    ['a larger pass', 8192, [[2048], [1100], [1100], [1100], [1100], [1100]]],
  ])('makes no line longer than the positions that the graph knows: %s', (_, passTokens, rows) => {
    const examples = rows.map(([chosen, rejected]) =>
      rejected ? { ...example(chosen! + rejected), chosen } : example(chosen!),
    );
    const limits = limitsFor(Math.max(...rows.flat()), passTokens);
    const lines = packExamples(examples, limits).flat();
    expect(tokensOf(lines.flat())).toBe(tokensOf(examples));
    for (const line of lines) expect(tokensOf(line)).toBeLessThanOrEqual(limits.lineTokens);
  });
});

describe('a pass', () => {
  it('numbers rows and positions, pads its lines, and takes each label from the token before it', () => {
    const pass = toPass([[example(4, 10), example(3, 20)], [example(2, 30)]], 0.25);
    expect(pass.lines).toEqual({ count: 2, length: 7 });
    expect([...pass.ids].map(Number)).toEqual([10, 11, 12, 13, 20, 21, 22, 30, 31, 0, 0, 0, 0, 0]);
    expect([...pass.positions].map(Number)).toEqual([0, 1, 2, 3, 0, 1, 2, 0, 1, 0, 0, 0, 0, 0]);
    expect([...pass.rows]).toEqual([0, 0, 0, 0, 1, 1, 1, 0, 0, -1, -1, -1, -1, -1]);
    expect([...pass.at].map(Number)).toEqual([1, 2, 4, 5, 7]);
    expect([...pass.labels].map(Number)).toEqual([12, 13, 21, 22, 31]);
    expect([...pass.weights]).toEqual([0.25, 0.25, 0.25, 0.25, 0.25]);
  });

  it('has no label for a first token, and without labels one that counts for nothing', () => {
    const passOf = (...supervised: boolean[]) => toPass([[{ ids: [5, 6], supervised }]], 1);
    expect(passOf(true, true).labels).toHaveLength(1);
    expect([...passOf(false, false).weights]).toEqual([0]);
  });
});
