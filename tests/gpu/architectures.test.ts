// Every architecture that a GPU trains learns there what it learns on the CPU, by labels, by pairs and with dropout, and repeats it to
// the bit, also after a stop.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { targetNames } from '../../lib/engine/model/index.js';
import { createRandom } from '../../lib/engine/random.js';
import { completeOptions, type TrainOptions } from '../../lib/engine/train/options.js';
import type { Example } from '../../lib/engine/train/packing.js';
import { train } from '../../lib/engine/train/trainer.js';
import { DEVICE_MODELS, GOLDEN_MODELS, type GoldenModel, openGoldenModel } from '../support/golden-models.js';
import { trainOptions } from '../support/train-options.js';

const STEPS = 10;
const DPO = { type: 'dpo', beta: 0.1, labelSmoothing: 0, sftWeight: 0.1 } as const;

function rowsOf({ config }: GoldenModel, comparesPairs: boolean): Example[] {
  const random = createRandom(3);
  return Array.from({ length: 8 }, () => {
    const ids = Array.from({ length: 16 }, () => Math.floor(random.next() * config.vocabulary));
    return { ids, supervised: ids.map((_, i) => i % 8 >= 4), ...(comparesPairs && { chosen: 8 }) };
  });
}

interface Job {
  model: GoldenModel;
  provider: 'cpu' | 'webgpu';
  options?: Partial<TrainOptions>;
  folder?: string;
  /** Leaves after the checkpoint of this step. */
  stopsAt?: number;
}

/** The losses by step. */
async function learn({ model, provider, options, folder, stopsAt }: Job): Promise<Map<number, number>> {
  const own = { loraR: 4, loraAlpha: 8, batchSize: 4, learningRate: 1e-2, maxSteps: STEPS, loggingSteps: 1 };
  const losses = new Map<number, number>();
  const events = train({
    model,
    baseModel: null,
    examples: rowsOf(model, options?.method !== undefined),
    evaluation: [],
    options: completeOptions(
      model,
      trainOptions({ ...own, ...options, targetModules: targetNames(model.config), threads: 1, provider }),
    ),
    folder: folder ?? (await mkdtemp(join(tmpdir(), 'svc-gpu-'))),
  });
  for await (const event of events) {
    if (event.type === 'log') losses.set(event.step, event.loss!);
    if (event.type === 'checkpoint' && event.step === stopsAt) break;
  }
  return losses;
}

function expectSame(found: Map<number, number>, right: Map<number, number>): void {
  expect([...found.keys()]).toEqual([...right.keys()]);
  for (const [step, loss] of right)
    expect(Math.abs(found.get(step)! / loss - 1), `the loss of step ${step}`).toBeLessThan(1e-4);
}

describe.each(DEVICE_MODELS)('%s', name => {
  it.each([
    ['labels', {}],
    ['pairs of answers', { method: DPO }],
    ['labels with dropout', { loraDropout: 0.2 }],
  ])('learns the same from %s', async (_, options) => {
    const model = await openGoldenModel(name);
    const right = await learn({ model, provider: 'cpu', options });
    expectSame(await learn({ model, provider: 'webgpu', options }), right);
  });
});

it.each(GOLDEN_MODELS.filter(name => !DEVICE_MODELS.includes(name)))('%s is refused, by name', async name => {
  const model = await openGoldenModel(name);
  await expect(learn({ model, provider: 'webgpu' })).rejects.toThrow('The GPU cannot be used: layers with');
});

it.each(DEVICE_MODELS)('%s repeats itself to the bit, and goes on from a checkpoint', async name => {
  const model = await openGoldenModel(name);
  const options = { saveSteps: 4 };
  const whole = await learn({ model, provider: 'webgpu', options });
  const folder = await mkdtemp(join(tmpdir(), 'svc-gpu-'));
  const first = await learn({ model, provider: 'webgpu', options, folder, stopsAt: 4 });
  const second = await learn({ model, provider: 'webgpu', options, folder });
  expect(new Map([...first, ...second])).toEqual(whole);
});
