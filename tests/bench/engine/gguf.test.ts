// What a GGUF file says, read back byte by byte.
import { expect, it } from 'vitest';
import { type GgufTensor, ggufHeader, padData, toQ8 } from './gguf.js';

const tensors: GgufTensor[] = [
  { name: 'rows', type: 'q8_0', shape: [3, 64] },
  { name: 'norm', type: 'f32', shape: [5] },
];

it('describes its metadata and tensors, and ends where the data may begin', () => {
  const header = ggufHeader(
    {
      name: { type: 'string', value: 'tiny é' },
      layers: { type: 'uint32', value: 4_000_000_000 },
      epsilon: { type: 'float32', value: 0.5 },
      tokens: { type: 'strings', value: ['a', 'bc'] },
    },
    tensors,
  );
  const read = createReader(header);
  expect(read.text(4)).toBe('GGUF');
  expect(read.uint32()).toBe(3);
  expect([read.uint64(), read.uint64()]).toEqual([2, 4]);
  expect([read.string(), read.uint32(), read.string()]).toEqual(['name', 8, 'tiny é']);
  expect([read.string(), read.uint32(), read.uint32()]).toEqual(['layers', 4, 4_000_000_000]);
  expect([read.string(), read.uint32(), read.float32()]).toEqual(['epsilon', 6, 0.5]);
  expect([read.string(), read.uint32(), read.uint32(), read.uint64()]).toEqual(['tokens', 9, 8, 2]);
  expect([read.string(), read.string()]).toEqual(['a', 'bc']);
  expect([read.string(), read.uint32(), read.uint64(), read.uint64()]).toEqual(['rows', 2, 64, 3]);
  expect([read.uint32(), read.uint64()]).toEqual([8, 0]);
  expect([read.string(), read.uint32(), read.uint64()]).toEqual(['norm', 1, 5]);
  const blocks = 6 * 34;
  expect([read.uint32(), read.uint64()]).toEqual([0, Math.ceil(blocks / 32) * 32]);
  expect(header.length % 32).toBe(0);
  expect(header.length - read.position()).toBeLessThan(32);
});

it('pads data to where the next tensor begins', () => {
  expect(padData(Uint8Array.of(1, 2))).toEqual(Uint8Array.of(1, 2, ...Array(30).fill(0)));
  expect(padData(new Uint8Array(64))).toHaveLength(64);
});

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
  expect(() => ggufHeader({}, [{ name: 'odd', type: 'q8_0', shape: [2, 48] }])).toThrow(/odd/);
});

/** The value of a float16 that is neither tiny nor infinite. */
function widenNormal(half: number): number {
  return half === 0 ? 0 : 2 ** ((half >> 10) - 15) * (1 + (half & 0x3ff) / 1024);
}

function createReader(bytes: Uint8Array) {
  const view = Buffer.from(bytes);
  let at = 0;
  const take = (length: number) => {
    at += length;
    return at - length;
  };
  const text = (length: number) => view.toString('utf8', take(length), at);
  const uint64 = () => Number(view.readBigUInt64LE(take(8)));
  return {
    text,
    uint64,
    string: () => text(uint64()),
    uint32: () => view.readUInt32LE(take(4)),
    float32: () => view.readFloatLE(take(4)),
    position: () => at,
  };
}
