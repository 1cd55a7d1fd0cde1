import { describe, expect, it } from 'vitest';
import { splitEvaluation } from '../../../../lib/engine/train/data/index.js';

describe('the rows held out for evaluation', () => {
  it('match the fraction, each once, in order', () => {
    for (const [count, fraction, held] of [
      [100, 0.1, 10],
      [7, 0.5, 4],
      [1000, 0.999, 999],
      [10, 0.04, 1],
    ] as const) {
      const chosen = splitEvaluation(count, fraction, 3);
      expect(chosen).toHaveLength(held);
      expect(chosen).toEqual([...new Set(chosen)].sort((a, b) => a - b));
      expect(chosen.every(index => Number.isInteger(index) && index >= 0 && index < count)).toBe(true);
    }
  });

  it('are never all, and none if none are wanted or there is only one row', () => {
    expect(splitEvaluation(2, 0.99, 1)).toHaveLength(1);
    expect(splitEvaluation(100, 0, 1)).toEqual([]);
    expect(splitEvaluation(1, 0.5, 1)).toEqual([]);
    expect(splitEvaluation(0, 0.5, 1)).toEqual([]);
  });

  it('are the same for the same seed and different for another', () => {
    expect(splitEvaluation(1000, 0.1, 42)).toEqual(splitEvaluation(1000, 0.1, 42));
    expect(splitEvaluation(1000, 0.1, 42)).not.toEqual(splitEvaluation(1000, 0.1, 43));
  });

  it('include every row with equal probability', () => {
    const times = new Array<number>(20).fill(0);
    for (let seed = 0; seed < 2000; seed++)
      for (const index of splitEvaluation(20, 0.25, seed)) times[index]!++;
    for (const count of times) expect(Math.abs(count - 500)).toBeLessThan(100);
  });

  it('fail for an invalid fraction', () => {
    for (const fraction of [-0.1, 1, Number.NaN])
      expect(() => splitEvaluation(10, fraction, 1)).toThrow(RangeError);
  });
});
