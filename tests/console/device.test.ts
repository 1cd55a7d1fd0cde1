// What is said of the devices and the precision that a cloud computes with.
import { expect, it } from 'vitest';
import { weightsText } from '../../lib/console/index.js';

it.each([
  [{ setting: 'f32', used: 'f32' }, 'f32'],
  [{ setting: 'auto', used: null }, 'auto: the first run or chat decides'],
  [{ setting: 'auto', used: 'f32', speedup: null }, 'f32: int8 is not exact on this processor'],
  [{ setting: 'auto', used: 'f32', speedup: 1.02 }, 'f32: int8 would train only 1.0 times as fast here'],
  [
    { setting: 'auto', used: 'f32', speedup: 1.62, divergence: 0.0512 },
    'f32: int8 would train 1.6 times as fast here, but expect other tokens (divergence 0.051)',
  ],
  [
    { setting: 'auto', used: 'int8', speedup: 1.62, divergence: 0.0075 },
    'int8: trains 1.6 times as fast as f32 here',
  ],
] as const)('%j: %s', (weights, text) => {
  expect(weightsText(weights)).toBe(text);
});
