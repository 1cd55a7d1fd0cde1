// Generation with int8 weights: close to transformers and PEFT, and the same alone and in a batch.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAdapterStacks } from '../../../lib/engine/generate/adapter-stack.js';
import { createDecodingSessions } from '../../../lib/engine/generate/decoding-sessions.js';
import { loadAdapter } from '../../../lib/engine/generate/index.js';
import { KvCache } from '../../../lib/engine/generate/kv-cache.js';
import { createRunStep } from '../../../lib/engine/generate/step.js';
import { roundModel } from '../../../lib/engine/int8/index.js';
import { compute, exactIntegerForm } from '../../../lib/engine/runtime/index.js';
import { GOLDEN_MODELS, openGoldenModel } from '../../support/golden-models.js';

let rounded: string;
const closing: (() => Promise<void>)[] = [];
beforeAll(async () => {
  rounded = await mkdtemp(join(tmpdir(), 'svc-int8-decoding-'));
});
afterAll(async () => {
  await Promise.all(closing.map(close => close()));
  await rm(rounded, { recursive: true });
});

const PROMPT = 40;

/** The difference, relative to the spread of the values. */
function errorOf(values: Float32Array, wanted: ArrayLike<number>): number {
  const mean = Array.from(wanted).reduce((sum, value) => sum + value, 0) / wanted.length;
  const spread = Math.hypot(...Array.from(wanted, value => value - mean));
  return Math.hypot(...Array.from(wanted, (value, i) => value - values[i]!)) / spread;
}

it.each(GOLDEN_MODELS)('%s', async name => {
  const golden = await openGoldenModel(name);
  const { folder, config, batch, expected } = golden;
  const model = await roundModel(golden, {
    folder: rounded,
    trains: false,
    form: await exactIntegerForm(),
    compute,
  });
  const session = { threads: 1 };
  const sessions = createDecodingSessions({ ...model, context: 120, session });
  closing.push(sessions.close);
  const runStep = createRunStep(config, sessions, createAdapterStacks(config));
  const trained = await loadAdapter(`${folder}/adapter_final`, config);
  const ids = batch.input_ids[0]!.slice(0, PROMPT);

  async function logitsOf(adapters: (typeof trained | null)[]): Promise<Float32Array[]> {
    const cache = new KvCache(config);
    for (const _ of adapters) cache.addEmpty();
    return runStep(
      cache,
      adapters.map(adapter => ({ ids, adapter })),
      'last',
    );
  }

  const [base] = await logitsOf([null]);
  const [adapted] = await logitsOf([trained]);
  for (const [given, wanted] of [
    [base!, expected.logits_last_position_row0],
    [adapted!, expected.final_logits_last_position_row0],
  ] as const) {
    expect(errorOf(given, wanted)).toBeLessThan(0.06);
    expect(errorOf(given, wanted)).toBeGreaterThan(1e-4); // a smaller error would mean that nothing was quantized
  }
  const [besideBase, besideAdapted] = await logitsOf([null, trained]);
  expect(errorOf(besideBase!, base!)).toBeLessThan(0.01);
  expect(errorOf(besideAdapted!, adapted!)).toBeLessThan(0.01);
});
