// Runs that go on from the adapter of another run: with its optimizer to the bit as one run, or with a fresh one.

import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { describeAdapter, writeDigests } from '../../../lib/engine/train/digests.js';
import type { StartingPoint, TrainOptions } from '../../../lib/engine/train/options.js';
import type { TrainJob } from '../../../lib/engine/train/trainer.js';
import { JOURNEY_TIMEOUT_MS } from '../../support/patience.js';
import { temporaryFolder } from './data/dataset-files.js';
import { examples, isSaved, lossesOf, quickJob, readFinal, run } from './support.js';

// Each test trains several times.
vi.setConfig({ testTimeout: JOURNEY_TIMEOUT_MS });

const folder = temporaryFolder();
const options = { lrSchedulerType: 'constant', loraDropout: 0.1, weightDecay: 0.01 } as const;

const train = (name: string, own: Partial<TrainOptions>, rest: Partial<TrainJob> = {}) =>
  run(quickJob({ ...options, ...own }, { folder: join(folder, name), ...rest }));

async function finalOf(name: string, keepsOptimizer: boolean): Promise<StartingPoint> {
  const final = join(folder, name, 'final');
  const { sha256 } = await describeAdapter(final, 'final', 0);
  const tensors = join(final, 'adapter_model.safetensors');
  return { tensors, sha256, state: keepsOptimizer ? final : null };
}

it.each(['f32', 'int8'] as const)(
  'twice 4 steps with the optimizer kept are 8 steps, to the bit: %s',
  async weights => {
    const at = (name: string) => `${weights}-${name}`;
    const whole = await train(at('whole'), { weights, maxSteps: 8 });
    const first = await train(at('first'), { weights, maxSteps: 4 });
    const kept = { from: await finalOf(at('first'), true) };
    const second = await train(at('second'), { weights, maxSteps: 4 }, kept);
    const losses = (events: typeof whole) => lossesOf(events).map(([, loss]) => loss);
    expect([...losses(first), ...losses(second)]).toEqual(losses(whole));
    expect(await readFinal(folder, at('second'))).toEqual(await readFinal(folder, at('whole')));
    const fresh = { from: await finalOf(at('first'), false) };
    await train(at('fresh'), { weights, maxSteps: 4 }, fresh);
    expect(await readFinal(folder, at('fresh'))).not.toEqual(await readFinal(folder, at('whole')));
  },
);

it('three runs in a row are one, also when the last is stopped and resumes', async () => {
  const whole = await train('chain', { maxSteps: 12 });
  await train('chain-1', { maxSteps: 4 });
  await train('chain-2', { maxSteps: 4 }, { from: await finalOf('chain-1', true) });
  const last = quickJob(
    { ...options, maxSteps: 4, saveSteps: 3 },
    { folder: join(folder, 'chain-3'), from: await finalOf('chain-2', true) },
  );
  await run(last, isSaved(3));
  const resumed = await run(last);
  expect(resumed[0]).toMatchObject({ resumedFromStep: 3 });
  expect(lossesOf(resumed).map(([, loss]) => loss)).toEqual(
    lossesOf(whole)
      .slice(11)
      .map(([, loss]) => loss),
  );
  expect(await readFinal(folder, 'chain-3')).toEqual(await readFinal(folder, 'chain'));
});

it('goes on in the order of a run that PyTorch has partly trained', async () => {
  const whole = await train('by-one', { maxSteps: 8 });
  const partly = quickJob({ ...options, maxSteps: 6, saveSteps: 4 }, { folder: join(folder, 'by-both') });
  await run(partly, isSaved(4));
  const saved = join(folder, 'by-both', 'checkpoint-4');
  const path = join(saved, 'trainer_state.json');
  // PyTorch does not save it.
  const { order: _, ...state } = JSON.parse(await readFile(path, 'utf8'));
  await writeFile(path, JSON.stringify(state));
  await writeDigests(saved);
  await run(partly);
  const last = await train('after-both', { maxSteps: 2 }, { from: await finalOf('by-both', true) });
  const losses = (events: typeof whole) => lossesOf(events).map(([, loss]) => loss);
  expect(losses(last)).toEqual(losses(whole).slice(6));
});

it('begins with the adapter as it was, and other rows from their start', async () => {
  await train('before', { maxSteps: 4 });
  const from = await finalOf('before', true);
  const others = examples(12, 5);
  const firstLoss = async (name: string, rest: Partial<TrainJob>) =>
    lossesOf(await train(name, { maxSteps: 1, loraDropout: 0 }, { examples: others, ...rest }))[0]![1]!;
  const [fresh, kept] = [{ ...from, state: null }, from];
  const untrained = await firstLoss('untrained', {});
  const begun = await firstLoss('begun', { from: fresh });
  expect(begun).not.toBe(untrained);
  // The first step computes its loss before the optimizer counts: equal if its rows are the same ones.
  expect(await firstLoss('kept', { from: kept })).toBe(begun);
});

it('compares preferences with the adapter that it continues from', async () => {
  const pairs = examples(8).map(example => ({ ...example, chosen: 5 }));
  const method = { type: 'dpo', beta: 0.5, labelSmoothing: 0, sftWeight: 0 } as const;
  await train('sft', { maxSteps: 4 });
  const from = await finalOf('sft', false);
  const dpo = { method, maxSteps: 1, loraDropout: 0 };
  const [first] = lossesOf(await train('dpo', dpo, { examples: pairs, evaluation: pairs, from }));
  // As likely as before, so that nothing is preferred yet.
  expect(first![1]).toBeCloseTo(Math.log(2), 5);
});

it('refuses an adapter of another shape, and a state that is not intact', async () => {
  await train('narrow', { maxSteps: 2, loraR: 2, loraAlpha: 4 });
  await train('fewer', { maxSteps: 2, targetModules: ['q_proj'] });
  const going = async (name: string, from: string) =>
    train(name, { maxSteps: 2 }, { from: await finalOf(from, true) });
  await expect(going('x', 'narrow')).rejects.toThrow('[4,');
  await expect(going('y', 'fewer')).rejects.toThrow('adapts other modules or layers');
  await train('cut', { maxSteps: 2 });
  await truncate(join(folder, 'cut', 'final', 'optimizer.safetensors'), 100);
  await expect(going('z', 'cut')).rejects.toThrow('missing or damaged');
  await rm(join(folder, 'cut', 'final', 'trainer_state.json'));
  await expect(going('z', 'cut')).rejects.toThrow('missing or damaged');
});

it('does not mistake the run for one that goes on from another adapter', async () => {
  await train('one', { maxSteps: 2 });
  await train('two', { maxSteps: 3 });
  const job = async (from: string, keeps = false) =>
    train('mixed', { maxSteps: 4, saveSteps: 2 }, { from: await finalOf(from, keeps) });
  await job('one');
  await expect(job('two')).rejects.toThrow('another run');
  await expect(job('one', true)).rejects.toThrow('another run');
});
