// Training over int8 weights, compared with the reference values: slightly off, but along the same path.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { roundModel } from '../../../lib/engine/int8/index.js';
import { compute, exactIntegerForm } from '../../../lib/engine/runtime/index.js';
import { GOLDEN_MODELS, openGoldenModel } from '../../support/golden-models.js';
import { trainGolden } from '../../support/golden-training.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-int8-training-'));
});
afterAll(() => rm(folder, { recursive: true }));

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

// Some processors multiply only unsigned integers exactly: the product never uses the other form there.
const FORMS = [...new Set([await exactIntegerForm(), 'uint8' as const])];

it.each(GOLDEN_MODELS.flatMap(name => FORMS.map(form => [name, form] as const)))(
  '%s, %s: the gradients point in the same direction, and the losses fall alike',
  async (name, form) => {
    const golden = await openGoldenModel(name);
    const exact = await trainGolden(golden);
    const rounded = await trainGolden(
      golden,
      await roundModel(golden, { folder, trains: true, form, compute }),
    );
    const [a, b] = [exact.gradient.values, rounded.gradient.values];
    expect(dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))).toBeGreaterThan(0.998);
    const { adamw_losses: wanted } = golden.expected;
    const worst = Math.max(...rounded.losses.map((loss, i) => Math.abs(loss / wanted[i]! - 1)));
    expect(worst).toBeLessThan(0.005);
    expect(worst).toBeGreaterThan(1e-5); // a smaller error would mean that nothing was quantized
  },
);
