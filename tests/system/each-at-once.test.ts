// Work for many items, a few at a time.
import { describe, expect, it } from 'vitest';
import { eachAtOnce } from '../../lib/system/index.js';

describe('work for each of many', () => {
  it('is done a few at a time, in order', async () => {
    const began: number[] = [];
    let [under, most] = [0, 0];
    await eachAtOnce([1, 2, 3, 4, 5], 2, async item => {
      began.push(item);
      most = Math.max(most, ++under);
      await Promise.resolve();
      under--;
    });
    expect({ began, most }).toEqual({ began: [1, 2, 3, 4, 5], most: 2 });
  });

  it('takes nothing further after a failure, but lets what is under way end', async () => {
    const ended: number[] = [];
    const failing = eachAtOnce([1, 2, 3, 4], 2, async item => {
      if (item === 1) throw new Error('first');
      for (let turn = 0; turn < 5; turn++) await Promise.resolve();
      ended.push(item);
    });
    await expect(failing).rejects.toThrow('first');
    expect(ended).toEqual([2]);
  });
});
