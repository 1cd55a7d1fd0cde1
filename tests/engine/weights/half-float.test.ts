import { describe, expect, it } from 'vitest';
import { narrow, narrowToBf16, narrowToF16, widen, widenF16 } from '../../../lib/engine/weights/convert.js';

const view = new DataView(new ArrayBuffer(4));
const toBits = (value: number) => {
  view.setFloat32(0, value);
  return view.getUint32(0);
};
const toValue = (bits: number) => {
  view.setUint32(0, bits);
  return view.getFloat32(0);
};

/** The value of an f16, computed in f64 from the definition of the format. */
function valueOfF16(half: number): number {
  const sign = half >= 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 31;
  const fraction = half & 1023;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (exponent ? (1 + fraction / 1024) * 2 ** (exponent - 15) : (fraction / 1024) * 2 ** -14);
}

const everyHalf = Array.from({ length: 0x10000 }, (_, half) => half);
const notNumbers = [0x7fc00000, 0x7f800001, 0xff800001, 0xffffffff];

describe('f16', () => {
  it('becomes the f32 with the same value, for every f16', () => {
    expect(everyHalf.filter(half => !Object.is(toValue(widenF16(half)), valueOfF16(half)))).toEqual([]);
  });

  it('survives the round trip through f32, for every f16 except NaN', () => {
    const numbers = everyHalf.filter(half => !Number.isNaN(valueOfF16(half)));
    expect(numbers.filter(half => narrowToF16(widenF16(half)) !== half)).toEqual([]);
  });

  it('rounds to nearest, ties to even, between every two neighbors', () => {
    const wrong = everyHalf.filter(half => {
      if ((half & 0x7fff) >= 0x7bff) return false;
      const middle = toBits((valueOfF16(half) + valueOfF16(half + 1)) / 2);
      const even = half % 2 === 0 ? half : half + 1;
      const narrowed = [middle - 1, middle, middle + 1].map(narrowToF16);
      return narrowed.join() !== [half, even, half + 1].join();
    });
    expect(wrong).toEqual([]);
  });

  it('overflows to infinity from 65520 on', () => {
    const bits = [toBits(65504), toBits(65520) - 1, toBits(-65520), toBits(Number.POSITIVE_INFINITY)];
    expect(bits.map(narrowToF16)).toEqual([0x7bff, 0x7bff, 0xfc00, 0x7c00]);
  });

  it('keeps NaN, even if only its last bits make it one', () => {
    for (const bits of notNumbers) expect(valueOfF16(narrowToF16(bits))).toBeNaN();
  });
});

describe('bf16', () => {
  it('survives the round trip through f32, for every bf16 except NaN', () => {
    const numbers = everyHalf.filter(half => !Number.isNaN(toValue(half * 0x10000)));
    expect(numbers.filter(half => narrowToBf16(half * 0x10000) !== half)).toEqual([]);
  });

  it('rounds to nearest, ties to even', () => {
    for (const half of [0, 1, 2, 0x3f80, 0x3f81, 0x7f7e, 0x8000, 0xbf81]) {
      const middle = half * 0x10000 + 0x8000;
      const even = half % 2 === 0 ? half : half + 1;
      expect([middle - 1, middle, middle + 1].map(narrowToBf16)).toEqual([half, even, half + 1]);
    }
  });

  it('overflows to infinity, and keeps infinity and NaN', () => {
    expect(narrowToBf16(toBits(3.4028234663852886e38))).toBe(0x7f80);
    expect(narrowToBf16(toBits(Number.NEGATIVE_INFINITY))).toBe(0xff80);
    for (const bits of notNumbers) expect(toValue(narrowToBf16(bits) * 0x10000)).toBeNaN();
  });
});

describe('an array', () => {
  // 1/3, -0, 2^-24, pi, 65520.
  const numbers = Float32Array.of(1 / 3, -0, 2 ** -24, Math.PI, 65520);
  const f16 = Uint16Array.of(0x3555, 0x8000, 0x0001, 0x4248, 0x7c00);
  const bf16 = Uint16Array.of(0x3eab, 0x8000, 0x3380, 0x4049, 0x4780);

  it('is narrowed, even if it is a part of another', () => {
    const part = Float32Array.of(9, ...numbers, 9).subarray(1, 6);
    expect(narrow('F16', part)).toEqual(f16);
    expect(narrow('BF16', part)).toEqual(bf16);
  });

  it('is widened exactly', () => {
    const wide = new Float32Array(5);
    widen('F16', f16, wide);
    expect(wide).toEqual(Float32Array.of(0.333251953125, -0, 2 ** -24, 3.140625, Number.POSITIVE_INFINITY));
    widen('BF16', bf16, wide);
    expect(wide).toEqual(Float32Array.of(0.333984375, -0, 2 ** -24, 3.140625, 65536));
  });
});
