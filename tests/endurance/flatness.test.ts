// What the soak takes for flat, and what not.
import { describe, expect, it } from 'vitest';
import { measureGrowth } from './flatness.js';

const allowance = { share: 0.1, atLeast: 5 };
const samples = (at: (i: number) => number) => Array.from({ length: 120 }, (_, i) => at(i));

describe('what is flat', () => {
  it('does not grow, however it swings', () => {
    expect(
      measureGrowth(
        samples(i => 100 + 30 * (i % 2)),
        allowance,
      ).isFlat,
    ).toBe(true);
  });

  it('may fill its caches at the beginning', () => {
    expect(
      measureGrowth(
        samples(i => Math.min(100, 10 + i * 4)),
        allowance,
      ),
    ).toEqual({
      before: 100,
      after: 100,
      isFlat: true,
    });
  });

  it('may grow by a little', () => {
    expect(
      measureGrowth(
        samples(i => 10 + i / 100),
        allowance,
      ).isFlat,
    ).toBe(true);
  });

  it('does not grow on and on', () => {
    expect(
      measureGrowth(
        samples(i => 100 + i),
        allowance,
      ).isFlat,
    ).toBe(false);
  });
});
