// Training over weights in 8 bits, next to the references: a little off, and on the same way.
import { expect, it } from 'vitest';
import { GOLDEN_MODELS, openGoldenModel } from '../../support/golden-models.js';
import { trainGolden } from '../../support/golden-training.js';

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

it.each(GOLDEN_MODELS)('%s: gradients point the same way, and the losses fall alike', async name => {
  const golden = await openGoldenModel(name);
  const exact = await trainGolden(golden);
  const rounded = await trainGolden(golden, { weights: 'int8' });
  const [a, b] = [exact.gradient.values, rounded.gradient.values];
  expect(dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))).toBeGreaterThan(0.998);
  const { adamw_losses: wanted } = golden.expected;
  const worst = Math.max(...rounded.losses.map((loss, i) => Math.abs(loss / wanted[i]! - 1)));
  expect(worst).toBeLessThan(0.005);
  expect(worst).toBeGreaterThan(1e-5); // as near as float32 would be: then nothing was rounded
});
