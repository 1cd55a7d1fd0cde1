// A model with longrope turns texts by other frequencies when they are longer than those of its first training: each row
// of a pass, and a chat from the token on with which it gets that long, by its own length.
import { expect, it, onTestFinished } from 'vitest';
import { longestLine, toPass } from '../../../lib/engine/train/packing.js';
import { createAdapterState } from '../../../lib/engine/train/state.js';
import { createLossRunner } from '../../../lib/engine/train/step-runner.js';
import { openGoldenModel } from '../../support/golden-models.js';
import { GOLDEN_LORA } from '../../support/golden-training.js';
import { openGolden, readAll } from '../generate/golden-generator.js';
import { logitsOf } from './logits-of.js';

it('a text of as many tokens as the original positions has the logits of transformers', async () => {
  const golden = await openGoldenModel('phi3');
  const logits = await logitsOf(golden, golden.batch.input_ids[1]!.slice(0, 32));
  const last = logits.subarray(-golden.config.vocabulary);
  const wanted = golden.expected.logits_of_32_row1!;
  const worst = wanted.reduce((most, value, i) => Math.max(most, Math.abs(value - last[i]!)), 0);
  expect(worst).toBeLessThan(2e-4);
});

it('rows of a pass have the losses that each has alone, beside longer and shorter ones', async () => {
  const golden = await openGoldenModel('phi3');
  const rows = [33, 12, 40, 32].map((length, row) => {
    const ids = golden.batch.input_ids[row % 3]!.slice(0, length);
    return { ids, supervised: ids.map(() => true), row };
  });
  const runner = await createLossRunner(golden, GOLDEN_LORA, longestLine(0), { threads: 1, provider: 'cpu' });
  onTestFinished(() => runner.close());
  const losses: number[] = [];
  const lines = [rows.slice(0, 3), rows.slice(3)];
  await runner.run(toPass(lines, 1), createAdapterState(golden, GOLDEN_LORA), found => losses.push(...found));
  const alone: number[] = [];
  for (const { ids } of rows) {
    const logits = await logitsOf(golden, ids);
    for (let at = 1; at < ids.length; at++) {
      const { vocabulary } = golden.config;
      const row = [...logits.subarray((at - 1) * vocabulary, at * vocabulary)];
      alone.push(Math.log(row.reduce((sum, logit) => sum + Math.exp(logit), 0)) - row[ids[at]!]!);
    }
  }
  expect(losses).toHaveLength(alone.length);
  const differences = losses.map((loss, i) => Math.abs(loss - alone[i]!));
  expect(Math.max(...differences)).toBeLessThan(1e-4);
});

it('a chat that gets long does not continue what was kept of its shorter beginning', async () => {
  const { open, line } = await openGolden('phi3', { chunk: 5 });
  const [first, whole] = [line(0, 20), [...line(0, 40), ...line(1, 10)]];
  const ask = (generator: ReturnType<typeof open>, promptIds: number[]) =>
    readAll(generator.generate({ promptIds, maxTokens: 8, temperature: 0 }));
  const wanted = await ask(open(), whole);
  const generator = open();
  await ask(generator, first);
  const long = await ask(generator, whole);
  expect(long.tokenIds).toEqual(wanted.tokenIds);
  expect(long.pieces[0]).toMatchObject({ promptUsage: { cachedTokens: 0 } });
  const again = await ask(generator, whole);
  expect(again.pieces[0]).toMatchObject({ promptUsage: { cachedTokens: 45 } });
  expect(again.tokenIds).toEqual(wanted.tokenIds);
});
