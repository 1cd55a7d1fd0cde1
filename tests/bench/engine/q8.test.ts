// Blocks of 8-bit numbers, read back one by one.
import { expect, it } from 'vitest';
import { q8Tensor, toQ8 } from './q8.js';

it('rounds blocks of 32 numbers to a scale and 8 bits each', () => {
  const values = Float32Array.from({ length: 96 }, (_, i) => (i < 32 ? i - 16 : i < 64 ? 0 : Math.sin(i)));
  const view = new DataView(toQ8(values).buffer);
  expect(view.byteLength).toBe(3 * 34);
  for (const [i, value] of values.entries()) {
    const block = Math.floor(i / 32);
    const scale = widenNormal(view.getUint16(block * 34, true));
    const largest = Math.max(...values.subarray(block * 32, block * 32 + 32).map(Math.abs));
    // Half a step for the number, and the scale's own rounding, which the largest number feels 127 times.
    const allowed = largest / 254 + largest / 2048;
    expect(Math.abs(view.getInt8(block * 34 + 2 + (i % 32)) * scale - value)).toBeLessThanOrEqual(allowed);
  }
  expect(view.getInt8(2)).toBe(-127);
  expect(view.getUint16(34, true)).toBe(0);
});

it('refuses rows that end inside a block', () => {
  expect(() => q8Tensor('odd', [2, 48])).toThrow(/odd/);
});

/** The value of a float16 that is neither tiny nor infinite. */
function widenNormal(half: number): number {
  return half === 0 ? 0 : 2 ** ((half >> 10) - 15) * (1 + (half & 0x3ff) / 1024);
}
