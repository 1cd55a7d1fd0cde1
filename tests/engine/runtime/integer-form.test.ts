// The form of 8-bit weights is chosen so that integer products are exact, also where the processor's kernels saturate.
import { expect, it } from 'vitest';
import { findIntegerForm } from '../../../lib/engine/runtime/integer-form.js';

type Multiply = Parameters<typeof findIntegerForm>[0];

/** Adds pairs of products as `addPair` does, and then all pairs exactly. */
function multiplyBy(addPair: (x: number, y: number) => number): Multiply {
  return async ({ rows, inner, columns, a, b }) => {
    const sums = new Float32Array(rows * columns);
    const zero = b instanceof Uint8Array ? 128 : 0;
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        let sum = 0;
        for (let i = 0; i < inner; i += 2) {
          const product = (at: number) => a[row * inner + at]! * b[at * columns + column]!;
          sum += addPair(product(i), product(i + 1));
        }
        // The zero points are taken out of the sums of raw bytes.
        for (let i = 0; i < inner; i++)
          sum -= zero * a[row * inner + i]! + 128 * b[i * columns + column]! - 128 * zero;
        sums[row * columns + column] = sum;
      }
    }
    return sums;
  };
}

const exact = multiplyBy((x, y) => x + y);
const saturating = multiplyBy((x, y) => Math.min(32767, Math.max(-32768, x + y)));

it('is signed where the products of signed integers are exact', async () => {
  expect(await findIntegerForm(exact)).toBe('int8');
});

// As on processors without VNNI: unsigned integers are widened before they are multiplied.
it.each([1, 4, 64])('is unsigned where pairs of signed products saturate, for %i rows', async wrong => {
  const multiply: Multiply = product =>
    (product.b instanceof Int8Array && product.rows === wrong ? saturating : exact)(product);
  expect(await findIntegerForm(multiply)).toBe('uint8');
});

it('does not exist where no product is exact', async () => {
  await expect(findIntegerForm(saturating)).rejects.toThrow('not exact. Use f32 weights.');
});
