import { expect, it } from 'vitest';
import { f32Tensor, ggufHeader, padData, type TensorToWrite } from '../../../lib/engine/gguf/index.js';
import { createGgufReader } from '../../support/gguf-reader.js';

it('a GGUF header describes its metadata and tensors, and ends where the data may begin', () => {
  const metadata = {
    name: { type: 'string', value: 'tiny é' },
    layers: { type: 'uint32', value: 4_000_000_000 },
    epsilon: { type: 'float32', value: 0.5 },
    tokens: { type: 'strings', value: ['a', 'bc'] },
  } as const;
  const blocks = 6 * 34;
  const rows: TensorToWrite = { name: 'rows', type: 8, shape: [3, 64], bytes: blocks };
  const header = ggufHeader(metadata, [rows, f32Tensor('norm', [5])]);
  const { text, string, uint32, uint64, float32, position } = createGgufReader(header);
  expect([text(4), uint32(), uint64(), uint64()]).toEqual(['GGUF', 3, 2, 4]);
  expect([string(), uint32(), string()]).toEqual(['name', 8, 'tiny é']);
  expect([string(), uint32(), uint32()]).toEqual(['layers', 4, 4_000_000_000]);
  expect([string(), uint32(), float32()]).toEqual(['epsilon', 6, 0.5]);
  expect([string(), uint32(), uint32(), uint64(), string(), string()]).toEqual([
    'tokens',
    9,
    8,
    2,
    'a',
    'bc',
  ]);
  expect([string(), uint32(), uint64(), uint64(), uint32(), uint64()]).toEqual(['rows', 2, 64, 3, 8, 0]);
  const offset = Math.ceil(blocks / 32) * 32;
  expect([string(), uint32(), uint64(), uint32(), uint64()]).toEqual(['norm', 1, 5, 0, offset]);
  expect(header.length % 32).toBe(0);
  expect(header.length - position()).toBeLessThan(32);
});

it('data is padded to where the next tensor begins', () => {
  expect(padData(Uint8Array.of(1, 2))).toEqual(Uint8Array.of(1, 2, ...Array(30).fill(0)));
  expect(padData(new Uint8Array(64))).toHaveLength(64);
});
