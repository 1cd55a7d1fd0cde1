// Real training on pairs of answers with a tiny model: what it learns and reports, and that a stopped run resumes exactly.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRandom } from '../../../lib/engine/random.js';
import { TRAIN_DEFAULTS, type TrainOptions } from '../../../lib/engine/train/options.js';
import type { Example } from '../../../lib/engine/train/packing.js';
import { comparePair } from '../../../lib/engine/train/preferences/pairs.js';
import { readRowLosses } from '../../../lib/engine/train/row-losses/index.js';
import { openTokenFile, writeTokenFile } from '../../../lib/engine/train/tokens/token-file.js';
import type { TrainEvent } from '../../../lib/engine/train/train-event.js';
import { type TrainJob, train } from '../../../lib/engine/train/trainer.js';
import { type GoldenModel, openGoldenModel } from '../../support/golden-models.js';

let model: GoldenModel;
let folder: string;
beforeEach(async () => {
  model = await openGoldenModel('llama');
  folder = await mkdtemp(join(tmpdir(), 'svc-preferences-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

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
const quick: Partial<TrainOptions> = {
  method,
  rank: 4,
  alpha: 8,
  batchSize: 4,
  learningRate: 5e-3,
  maxSteps: 8,
  threads: 1,
};

function job(options: Partial<TrainOptions> = {}, rest: Partial<TrainJob> = {}): TrainJob {
  return {
    model,
    baseModel: 'tiny',
    examples: pairs(10),
    evaluation: [],
    options: { ...TRAIN_DEFAULTS, ...quick, ...options },
    folder,
    ...rest,
  };
}

type Log = Extract<TrainEvent, { type: 'log' }>;

async function collect(events: AsyncIterable<TrainEvent>): Promise<TrainEvent[]> {
  const all: TrainEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

const logsOf = (events: readonly TrainEvent[]) =>
  events.filter((event): event is Log => event.type === 'log');

/** What was measured, without speed. */
const measured = (events: readonly TrainEvent[]) =>
  logsOf(events).map(({ step, loss, evalLoss, metrics }) => ({ step, loss, evalLoss, metrics }));

describe('training on preferences', () => {
  it('learns to prefer the chosen answers, also of pairs that it has not seen', async () => {
    const evaluation = pairs(8, 2);
    const events = await collect(train(job({ maxSteps: 40 }, { examples: pairs(24), evaluation })));
    const [first, last] = [logsOf(events)[0]!, logsOf(events).at(-1)!];
    // At first, the adapter changes nothing, so neither answer is preferred.
    expect(first.loss).toBeCloseTo(Math.log(2), 4);
    expect(first.metrics!.rewardMargin).toBeCloseTo(0, 4);
    expect(last.loss).toBeLessThan(0.2);
    expect(last.metrics).toMatchObject({ rewardAccuracy: 1, evalRewardAccuracy: 1 });
    expect(last.metrics!.rewardMargin).toBeCloseTo(
      last.metrics!.chosenReward! - last.metrics!.rejectedReward!,
      4,
    );
    expect(last.metrics!.evalRewardMargin).toBeGreaterThan(1);
    expect(last.evalLoss).toBeLessThan(0.4);
    expect(events.at(-1)).toMatchObject({
      type: 'completed',
      metrics: { trainLoss: last.loss, evalLoss: last.evalLoss, ...last.metrics },
    });
  });

  it('learns nothing from equal answers', async () => {
    const same = pairs(4).map(({ ids, supervised, chosen }) => {
      const half = Array.from(ids).slice(0, chosen);
      const learned = Array.from(supervised).slice(0, chosen);
      return { ids: [...half, ...half], supervised: [...learned, ...learned], chosen: chosen! };
    });
    const logs = logsOf(await collect(train(job({}, { examples: same }))));
    for (const { loss, metrics } of logs) {
      expect(loss).toBeCloseTo(Math.log(2), 5);
      expect(metrics).toMatchObject({ rewardMargin: 0, rewardAccuracy: 0 });
    }
  });

  it('takes the same steps whether a batch is accumulated or not', async () => {
    const whole = await collect(train(job({ batchSize: 4 })));
    const parts = await collect(
      train(job({ batchSize: 2, accumulation: 2 }, { folder: join(folder, 'parts') })),
    );
    expect(measured(parts)).toEqual(measured(whole));
  });

  it.each(['f32', 'int8'] as const)(
    'resumes after a stop with exactly what an uninterrupted run measures: %s',
    async weights => {
      const options = { weights, saveSteps: 3, loggingSteps: 2, evalSteps: 4, dropout: 0.1 };
      const evaluation = pairs(5, 3);
      const whole = await collect(
        train(job(options, { evaluation, folder: join(folder, 'whole'), roundedFolder: join(folder, 'r') })),
      );
      const stop = new AbortController();
      const stopped: TrainEvent[] = [];
      const parts = { evaluation, folder: join(folder, 'parts'), roundedFolder: join(folder, 'r') };
      await expect(async () => {
        // Stops in the second epoch, some steps after the last checkpoint.
        for await (const event of train(job(options, { ...parts, signal: stop.signal }))) {
          stopped.push(event);
          if (event.type === 'log' && event.step === 4) stop.abort(new Error('stopped'));
        }
      }).rejects.toThrow('stopped');
      const resumed = await collect(train(job(options, parts)));
      expect(resumed[0]).toMatchObject({ type: 'started', resumedFromStep: 3 });
      expect(measured(resumed)).toEqual(measured(whole).filter(({ step }) => step > 3));
    },
  );

  it('does not resume as another method', async () => {
    const saved = { saveSteps: 2, maxSteps: 3 };
    await collect(train(job(saved)));
    await rm(join(folder, 'final'), { recursive: true });
    await expect(collect(train(job({ ...saved, method: { ...method, beta: 0.1 } })))).rejects.toThrow(
      'another run',
    );
  });

  it('adds the usual loss of the chosen answers by its weight', async () => {
    const plain = logsOf(await collect(train(job({ maxSteps: 1 }))));
    const mixed = await collect(
      train(job({ maxSteps: 1, method: { ...method, sftWeight: 0.5 } }, { folder: join(folder, 'mixed') })),
    );
    // The random model has seen nothing: about the logarithm of its 320 tokens.
    const added = (logsOf(mixed)[0]!.loss! - plain[0]!.loss!) / 0.5;
    expect(added).toBeGreaterThan(0.8 * Math.log(320));
    expect(added).toBeLessThan(1.4 * Math.log(320));
  });

  it('records the loss of each pair', async () => {
    await collect(train(job({ maxSteps: 3 })));
    const report = await readRowLosses(join(folder, 'row-losses.bin'), {
      sort: 'first',
      rising: false,
      step: null,
      skip: 0,
      limit: 20,
    });
    expect(report.rows.map(({ row }) => row).sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const all = pairs(10);
    for (const { row, labels } of report.rows)
      expect(labels).toBe(Array.from(all[row]!.supervised).filter(Boolean).length);
  });

  it('is the same from a file of tokens', async () => {
    const path = join(folder, 'training.safetensors');
    await writeTokenFile(path, pairs(10));
    const rows = openTokenFile(path);
    try {
      const read = await collect(train(job()));
      const sent = await collect(train(job({}, { examples: rows, folder: join(folder, 'sent') })));
      expect(measured(sent)).toEqual(measured(read));
    } finally {
      rows.close();
    }
  });
});

describe('the loss of a pair', () => {
  const compare = (chosen: number, rejected: number, given: Partial<typeof method> | object = {}) =>
    comparePair({ chosen, rejected }, { chosen: -5, rejected: -6 }, { ...method, ...given });

  it('is log 2 as long as nothing is preferred more than by the reference', () => {
    expect(compare(-5, -6).loss).toBeCloseTo(Math.log(2), 10);
    expect(compare(-9, -10).loss).toBeCloseTo(Math.log(2), 10);
  });

  it('has rewards in units of beta', () => {
    expect(compare(-3, -10)).toMatchObject({ chosenReward: 1, rejectedReward: -2 });
    expect(compare(-3, -10).loss).toBeCloseTo(Math.log(1 + Math.exp(-3)), 10);
  });

  it('is finite for extreme preferences', () => {
    expect(compare(-5000, 0).loss).toBeCloseTo(2500.5, 1);
    expect(compare(0, -5000).loss).toBe(0);
  });

  it('with label smoothing is lowest at the odds that it stands for', () => {
    const smooth = (z: number) => compare(-5 + 2 * z, -6, { labelSmoothing: 0.1 }).loss;
    const best = Math.log(0.9 / 0.1);
    expect(smooth(best)).toBeLessThan(smooth(best - 0.1));
    expect(smooth(best)).toBeLessThan(smooth(best + 0.1));
  });
});
