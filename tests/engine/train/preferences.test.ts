// Real training on pairs of answers with a tiny model: what it learns and reports, and that a stopped run resumes exactly.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createRandom } from '../../../lib/engine/random.js';
import type { TrainOptions } from '../../../lib/engine/train/options.js';
import type { Example } from '../../../lib/engine/train/packing.js';
import { comparePair } from '../../../lib/engine/train/preferences.js';
import { readRowLosses } from '../../../lib/engine/train/row-losses/read-row-losses.js';
import { openTokenFile, writeTokenFile } from '../../../lib/engine/train/token-file.js';
import type { TrainJob } from '../../../lib/engine/train/trainer.js';
import type { TrainEvent } from '../../../lib/engine/train/training-loop.js';
import { temporaryFolder } from './data/dataset-files.js';
import { logsOf, quickJob, run } from './support.js';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** Prompts of 3 tokens; the answers that are preferred have other tokens. */
function pairs(count: number, seed = 1): Example[] {
  const random = createRandom(seed);
  const draw = (low: number, high: number) => low + Math.floor(random.next() * (high - low));
  return Array.from({ length: count }, () => {
    const prompt = [draw(0, 320), draw(0, 320), draw(0, 320)];
    const answer = (low: number, high: number) => Array.from({ length: draw(2, 12) }, () => draw(low, high));
    const [good, bad] = [answer(0, 8), answer(160, 168)];
    const ids = Int32Array.from([...prompt, ...good, ...prompt, ...bad]);
    const learned = (of: number[]) => [0, 0, 0, ...of.map(() => 1)];
    return { ids, supervised: [...learned(good), ...learned(bad)], chosen: 3 + good.length };
  });
}

const method = { type: 'dpo', beta: 0.5, labelSmoothing: 0, sftWeight: 0 } as const;

const job = (options: Partial<TrainOptions> = {}, rest: Partial<TrainJob> = {}) =>
  quickJob({ method, learningRate: 5e-3, ...options }, { folder, examples: pairs(10), ...rest });

/** What was measured, without speed. */
const measured = (events: readonly TrainEvent[]) =>
  logsOf(events).map(({ step, loss, evalLoss, metrics }) => ({ step, loss, evalLoss, metrics }));

describe('training on preferences', () => {
  it('learns to prefer the chosen answers, also of pairs that it has not seen', async () => {
    const events = await run(job({ maxSteps: 40 }, { examples: pairs(24), evaluation: pairs(8, 2) }));
    const [first, last] = [logsOf(events)[0]!, logsOf(events).at(-1)!];
    // At first, the adapter changes nothing, so neither answer is preferred.
    expect(first.loss).toBeCloseTo(Math.log(2), 4);
    expect(first.metrics!.rewardMargin).toBeCloseTo(0, 4);
    expect(last.loss).toBeLessThan(0.2);
    expect(last.evalLoss).toBeLessThan(0.4);
    expect(last.metrics).toMatchObject({ rewardAccuracy: 1, evalRewardAccuracy: 1 });
    const { rewardMargin, chosenReward, rejectedReward, evalRewardMargin } = last.metrics!;
    expect(rewardMargin).toBeCloseTo(chosenReward! - rejectedReward!, 4);
    expect(evalRewardMargin).toBeGreaterThan(1);
    const metrics = { trainLoss: last.loss, evalLoss: last.evalLoss, ...last.metrics };
    expect(events.at(-1)).toMatchObject({ type: 'completed', metrics });
  });

  it('learns nothing from equal answers', async () => {
    const twice = (list: ArrayLike<number | boolean>, end: number) =>
      [1, 2].flatMap(() => Array.from(list, Number).slice(0, end));
    const same = pairs(4).map(({ ids, supervised, chosen }) => ({
      ids: twice(ids, chosen!),
      supervised: twice(supervised, chosen!),
      chosen: chosen!,
    }));
    for (const { loss, metrics } of logsOf(await run(job({}, { examples: same })))) {
      expect(loss).toBeCloseTo(Math.log(2), 5);
      expect(metrics).toMatchObject({ rewardMargin: 0, rewardAccuracy: 0 });
    }
  });

  it.each(['f32', 'int8'] as const)(
    'resumes after a stop with exactly what an uninterrupted run measures, however a batch is accumulated: %s',
    async weights => {
      const options = { weights, saveSteps: 3, loggingSteps: 2, evalSteps: 4, loraDropout: 0.1 };
      const start = (name: string, more: Partial<TrainOptions> = {}) =>
        job(
          { ...options, ...more },
          { evaluation: pairs(5, 3), folder: join(folder, name), roundedFolder: join(folder, 'r') },
        );
      const whole = await run(start('whole', { batchSize: 2, gradientAccumulationSteps: 2 }));
      // Stops in the second epoch, some steps after the last checkpoint.
      await run(start('parts'), event => event.type === 'log' && event.step === 4);
      const resumed = await run(start('parts'));
      expect(resumed[0]).toMatchObject({ type: 'started', resumedFromStep: 3 });
      expect(measured(resumed)).toEqual(measured(whole).filter(({ step }) => step > 3));
    },
  );

  it('does not resume as another method', async () => {
    const saved = { saveSteps: 2, maxSteps: 3 };
    await run(job(saved));
    await rm(join(folder, 'final'), { recursive: true });
    const other = run(job({ ...saved, method: { ...method, beta: 0.1 } }));
    await expect(other).rejects.toThrow('another run');
  });

  it('records the loss of each pair, and is the same from a file of tokens', async () => {
    const path = join(folder, 'training.safetensors');
    await writeTokenFile(path, pairs(10));
    const rows = openTokenFile(path);
    const sent = await run(job({}, { examples: rows, folder: join(folder, 'sent') }));
    rows.close();
    expect(measured(sent)).toEqual(measured(await run(job())));
    const query = { sort: 'first', rising: false, step: null, skip: 0, limit: 20 } as const;
    const recorded = (await readRowLosses(join(folder, 'row-losses.bin'), query)).rows;
    const labels = pairs(10).map(({ supervised }, row) => [
      row,
      Array.from(supervised).filter(Boolean).length,
    ]);
    expect(recorded.map(({ row, labels: count }) => [row, count]).sort(([a], [b]) => a! - b!)).toEqual(
      labels,
    );
  });
});

describe('the loss of a pair', () => {
  const compare = (chosen: number, rejected: number, given: Partial<typeof method> | object = {}) =>
    comparePair({ chosen, rejected }, { chosen: -5, rejected: -6 }, { ...method, ...given });

  it('has rewards in units of beta, and is finite for extreme preferences', () => {
    expect(compare(-3, -10)).toMatchObject({ chosenReward: 1, rejectedReward: -2 });
    expect(compare(-3, -10).loss).toBeCloseTo(Math.log(1 + Math.exp(-3)), 10);
    expect(compare(-5000, 0).loss).toBeCloseTo(2500.5, 1);
    expect(compare(0, -5000).loss).toBe(0);
  });

  it('with label smoothing is lowest at the odds that it stands for', () => {
    const smooth = (z: number) => compare(-5 + 2 * z, -6, { labelSmoothing: 0.1 }).loss;
    const best = Math.log(0.9 / 0.1);
    for (const off of [-0.1, 0.1]) expect(smooth(best)).toBeLessThan(smooth(best + off));
  });
});
