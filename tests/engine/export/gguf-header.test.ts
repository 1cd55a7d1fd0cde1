// What a GGUF file says, read back byte by byte.
import { expect, it } from 'vitest';
import { f32Tensor, type GgufTensor, ggufHeader, padData } from '../../../lib/engine/export/gguf-header.js';
import { createGgufReader } from '../../support/gguf-reader.js';

const tensors: GgufTensor[] = [
  { name: 'rows', type: 8, shape: [3, 64], bytes: 6 * 34 },
  f32Tensor('norm', [5]),
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
  const read = createGgufReader(header);
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
