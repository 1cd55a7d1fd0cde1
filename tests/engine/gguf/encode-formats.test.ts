// Numbers rounded to the formats of GGUF files, read back by the decoders, which have reference values of their own.
import { expect, it } from 'vitest';
import { type WrittenName, writtenFormat } from '../../../lib/engine/gguf/number-formats.js';
import { createRandom } from '../../support/random.js';

function roundTrip(name: WrittenName, values: Float32Array): Float32Array {
  const { values: count, bytes, encode, decode } = writtenFormat(name);
  const blocks = new Uint8Array((values.length / count) * bytes).fill(255);
  encode!(values, blocks);
  const back = new Float32Array(values.length);
  decode!(blocks, back);
  return back;
}

/** The root of the mean squared error, as a share of the numbers' own. */
function errorOf(values: Float32Array, back: Float32Array): number {
  const squares = (numbers: Float32Array) => numbers.reduce((sum, number) => sum + number * number, 0);
  return Math.sqrt(squares(values.map((value, i) => value - back[i]!)) / squares(values));
}

/** How far normally distributed numbers are off: hardly more than llama.cpp's own rounding. */
const ERRORS = [
  ['Q8_0', 0.0055],
  ['Q6_K', 0.02],
  ['Q5_0', 0.044],
  ['Q4_K', 0.075],
] as const;

it.each(ERRORS)('%s is off by at most %f of normally distributed numbers', (name, most) => {
  const values = createRandom(1).normal(64 * 256, 0.02);
  expect(errorOf(values, roundTrip(name, values))).toBeLessThan(most);
});

it.each(ERRORS)('%s keeps zeros, and numbers of any size and sign', (name, most) => {
  const random = createRandom(2);
  const blocks = [
    new Float32Array(256),
    random.normal(256, 100),
    random.normal(256, 1e-3).map(Math.abs),
    random.normal(256, 1e-3).map(value => -1 - Math.abs(value)),
    Float32Array.from({ length: 256 }, (_, i) => (i % 32 === 7 ? 30 : 0)),
    new Float32Array(256).fill(0.25),
  ];
  const values = Float32Array.from(blocks.flatMap(block => [...block]));
  const back = roundTrip(name, values);
  for (const [i, block] of blocks.entries()) {
    const found = back.subarray(256 * i, 256 * i + 256);
    if (block.every(value => value === 0)) expect([...found]).toEqual([...block]);
    else expect([i, errorOf(block, found)]).toEqual([i, expect.toSatisfy((off: number) => off < 1.5 * most)]);
  }
});
