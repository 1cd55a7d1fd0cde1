// Dropout masks: the right rate, evenly spread, and reproducible for the same purpose.
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../lib/engine/random.js';
import { writeKeepMask } from '../../../lib/engine/train/dropout.js';

const SIZE = 400_000;
const maskOf = (rate: number, seed = 1, size = SIZE) =>
  writeKeepMask(new Uint8Array(size).fill(7), rate, createRandom(seed));

describe.each([0.001, 0.05, 0.1, 0.5, 0.95])('at a rate of %d', rate => {
  const mask = maskOf(rate);
  /** Four standard deviations of the share. */
  const tolerance = (of: number) => 4 * Math.sqrt((rate * (1 - rate)) / of);

  it('has zeros at that rate, and ones elsewhere', () => {
    const zeros = mask.reduce((count, value) => count + (value === 0 ? 1 : 0), 0);
    expect(new Set(mask)).toEqual(new Set([0, 1]));
    expect(Math.abs(zeros / SIZE - rate)).toBeLessThan(tolerance(SIZE));
  });

  it('has zeros after zeros as often as after ones', () => {
    const after = { zero: [0, 0], one: [0, 0] };
    for (let i = 1; i < SIZE; i++) {
      const counts = mask[i - 1] === 0 ? after.zero : after.one;
      counts[mask[i]!]!++;
    }
    for (const [zeros, ones] of Object.values(after) as [number, number][])
      expect(Math.abs(zeros / (zeros + ones) - rate)).toBeLessThan(tolerance(zeros + ones));
  });

  it('is equally likely to be zero in the first and the last position', () => {
    const tries = 20_000;
    const masks = Array.from({ length: tries }, (_, seed) => maskOf(rate, seed, 3));
    for (const position of [0, 1, 2]) {
      const zeros = masks.filter(one => one[position] === 0).length;
      expect(Math.abs(zeros / tries - rate), `position ${position}`).toBeLessThan(tolerance(tries));
    }
  });
});

it('is the same for the same purpose and different for another', () => {
  expect(maskOf(0.1, 5, 1000)).toEqual(maskOf(0.1, 5, 1000));
  expect(maskOf(0.1, 5, 1000)).not.toEqual(maskOf(0.1, 6, 1000));
});
