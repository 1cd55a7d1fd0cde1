import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openModel, weightParameters } from '../../../lib/engine/model/index.js';
import { createLearned } from '../../../lib/engine/train/adam-w.js';
import { type Example, toPass } from '../../../lib/engine/train/packing.js';
import {
  exportModel,
  initializeWeights,
  type PretrainJob,
  pretrain,
} from '../../../lib/engine/train/pretrain.js';
import { createState } from '../../../lib/engine/train/state.js';
import { createPretrainingRunner } from '../../../lib/engine/train/step-runner.js';
import type { TrainEvent } from '../../../lib/engine/train/training-loop.js';
import { openWeightsFile } from '../../../lib/engine/weights/index.js';
import { GOLDEN_MODELS, openGoldenModel } from '../../support/golden-models.js';
import { createRandom } from '../../support/random.js';
import { trainOptions } from '../../support/train-options.js';
import { collect, temporaryFolder } from './data/dataset-files.js';
import { logsOf, lossesOf, model } from './support.js';

const { config } = model;

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** Rows that count on from where they start. */
function rowsOf(step: number, vocabulary = 40): Example[] {
  const random = createRandom(step + 1);
  return [0, 1].map(() => {
    const first = Math.floor(random.next() * vocabulary);
    const ids = Int32Array.from({ length: 16 }, (_, i) => (first + i) % vocabulary);
    return { ids, supervised: Array.from(ids, () => true) };
  });
}

const rate = {
  learningRate: 1e-2,
  lrSchedulerType: 'cosine',
  warmupSteps: 4,
  weightDecay: 0.01,
  seed: 1,
} as const;

function job(rest: Partial<PretrainJob> = {}): PretrainJob {
  return {
    config,
    totalSteps: 60,
    examplesOf: step => rowsOf(step),
    dataset: 'counting',
    longestRow: 16,
    evaluation: rowsOf(1_000_000),
    options: trainOptions({ ...rate, loggingSteps: 5, saveSteps: 20, keepCheckpoints: 1, threads: 1 }),
    folder,
    ...rest,
  };
}

describe('training all weights', () => {
  it('learns from scratch and generalizes to unseen rows', async () => {
    const events = await collect(pretrain(job({ totalSteps: 150 })));
    const curve = logsOf(events).map(({ loss }) => loss!);
    expect(curve[0]).toBeGreaterThan(3);
    expect(curve.at(-1)).toBeLessThan(0.6);
    const last = events.at(-1)!;
    expect(last.type === 'completed' && last.metrics.evalLoss).toBeLessThan(0.8);
  });

  it('resumes after a stop with exactly the losses of an uninterrupted run', async () => {
    const whole = await collect(pretrain(job({ folder: join(folder, 'whole') })));
    const pause = new AbortController();
    const first: TrainEvent[] = [];
    for await (const event of pretrain(job({ pause: pause.signal }))) {
      first.push(event);
      if (event.type === 'log' && event.step === 30) pause.abort();
    }
    expect(first.slice(-2)).toMatchObject([{ type: 'checkpoint' }, { type: 'paused' }]);
    const second = await collect(pretrain(job()));
    expect(second[0]).toMatchObject({ type: 'started', resumedFromStep: expect.any(Number) });
    expect([...lossesOf(first), ...lossesOf(second)]).toEqual(lossesOf(whole));
  });

  it('writes a model that opens, in half precision, too', async () => {
    await collect(pretrain(job({ totalSteps: 3 })));
    const [final, out] = [join(folder, 'final'), join(folder, 'model')];
    await mkdir(out);
    await copyFile(join(model.folder, 'config.json'), join(out, 'config.json'));
    await exportModel(config, final, out, 'BF16');
    const { place } = await openModel(out);
    expect(place('model.norm.weight')).toMatchObject({ dtype: 'bfloat16', shape: [config.hidden] });
    const read = async (at: string) =>
      (await openWeightsFile(join(at, 'model.safetensors'))).readFloat32('model.embed_tokens.weight');
    const [exact, halves] = await Promise.all([read(final), read(out)]);
    const off = exact.map((value, i) => Math.abs(value - halves[i]!) / (Math.abs(value) + 1e-6));
    expect(Math.max(...off)).toBeLessThan(2 ** -8);
  });
});

describe.each(GOLDEN_MODELS)('the gradients of every weight of %s', name => {
  it('match finite differences', async () => {
    const golden = await openGoldenModel(name);
    const state = createState(weightParameters(golden.config));
    initializeWeights(state, golden.config, 3);
    for (const { name: weight, shape: of } of state.parameters)
      if (of.length > 1) state.views[weight]!.set(state.views[weight]!.map(value => value * 6));
    const learned = createLearned(state);
    const runner = await createPretrainingRunner(golden.config, 32, learned, { threads: 1 });
    const lines = rowsOf(1, 300).map(row => [row]);
    const pass = toPass(lines, 1 / 30);
    await runner.run(pass, []);
    const gradient = createState(state.parameters);
    gradient.values.set(learned.gradient.values);
    const random = createRandom(4);
    for (const { name: weight } of state.parameters) {
      const direction = random.normal(state.views[weight]!.length);
      const view = state.views[weight]!;
      const before = view.slice();
      const lossAt = (distance: number) => {
        view.set(before.map((value, i) => value + distance * direction[i]!));
        return runner.run(pass, []);
      };
      const reach = 2e-3 / Math.sqrt(direction.length / 100);
      const measured = ((await lossAt(reach)) - (await lossAt(-reach))) / (2 * reach);
      view.set(before);
      const analytic = gradient.views[weight]!.reduce((sum, value, i) => sum + value * direction[i]!, 0);
      expect(Math.abs(measured - analytic), weight).toBeLessThan(0.04 * Math.abs(analytic) + 2e-3);
    }
    await runner.close();
  });
});
