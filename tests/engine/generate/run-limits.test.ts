import { beforeEach, describe, expect, it } from 'vitest';
import { createRunLimits, type RunLimits } from '../../../lib/engine/generate/run-limits.js';

const MB = 1_000_000;

let clock: number;
let allowed: number[];
let open: number;
beforeEach(() => {
  clock = 0;
  allowed = [];
  open = 0;
});

function limitsOf(weightBytes: number): RunLimits {
  const beginWork = (ms: number) => {
    allowed.push(ms);
    open++;
    return () => void open--;
  };
  return createRunLimits({ weightBytes, beginWork, now: () => clock });
}

const taking = (ms: number) => async () => {
  expect(open).toBe(1);
  clock += ms;
};

describe('a run of the model', () => {
  it('may always take 20 s', async () => {
    const limits = limitsOf(4 * MB);
    for (const tokens of ['open', 256, 1, 1] as const) await limits.run(tokens, taking(50));
    expect(allowed).toEqual([20_000, 20_000, 20_000, 20_000]);
    expect(open).toBe(0);
  });

  it('may take ten times as long as the longest run of its size so far', async () => {
    const limits = limitsOf(4 * MB);
    for (const ms of [4000, 9000, 3000, 1000]) await limits.run(256, taking(ms));
    expect(allowed).toEqual([20_000, 40_000, 90_000, 90_000]);
    await limits.run(200, taking(1));
    await limits.run(1, taking(1));
    expect(allowed.slice(4)).toEqual([90_000, 20_000]);
  });

  it('may first take as long as reading the weights from a slow disk', async () => {
    const limits = limitsOf(28_000 * MB);
    for (const tokens of ['open', 256, 1, 1] as const) await limits.run(tokens, taking(3000));
    expect(allowed).toEqual([1_400_000, 1_400_000, 1_400_000, 30_000]);
  });

  it('does not count for the limit if it fails', async () => {
    const limits = limitsOf(4 * MB);
    const failing = limits.run(8, async () => {
      clock += 100_000;
      throw new Error('broken');
    });
    await expect(failing).rejects.toThrow('broken');
    await limits.run(8, taking(1));
    expect([allowed, open]).toEqual([[20_000, 20_000], 0]);
  });
});
