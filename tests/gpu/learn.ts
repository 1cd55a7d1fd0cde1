// A short run of a reference model, on the CPU or on the GPU.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type ModelSource, targetNames } from '../../lib/engine/model/index.js';
import { createRandom } from '../../lib/engine/random.js';
import { completeOptions, type TrainOptions } from '../../lib/engine/train/options.js';
import type { Example } from '../../lib/engine/train/packing.js';
import { train } from '../../lib/engine/train/trainer.js';
import { trainOptions } from '../support/train-options.js';

const STEPS = 10;

/** The longest has several chunks of a delta rule. */
const LENGTHS = [14, 22, 38];

function rowsOf({ config }: ModelSource, comparesPairs: boolean): Example[] {
  const random = createRandom(3);
  return Array.from({ length: 8 }, (_, row) => {
    const length = LENGTHS[row % LENGTHS.length]!;
    const ids = Array.from({ length }, () => Math.floor(random.next() * config.vocabulary));
    return { ids, supervised: ids.map((_, i) => i % 8 >= 4), ...(comparesPairs && { chosen: 8 }) };
  });
}

interface Job {
  model: ModelSource;
  provider: 'cpu' | 'webgpu';
  options?: Partial<TrainOptions>;
  folder?: string;
  /** Leaves after the checkpoint of this step. */
  stopsAt?: number;
}

export type Losses = Map<number, number>;

/** The losses by step. */
export async function learn({ model, provider, options, folder, stopsAt }: Job): Promise<Losses> {
  const own = {
    ...{ loraR: 4, loraAlpha: 8, batchSize: 4 },
    ...{ learningRate: 2e-3, maxSteps: STEPS, loggingSteps: 1 },
  };
  const losses: Losses = new Map();
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

export function expectSame(found: Losses, right: Losses): void {
  expect([...found.keys()]).toEqual([...right.keys()]);
  for (const [step, loss] of right)
    expect(Math.abs(found.get(step)! / loss - 1), `the loss of step ${step}`).toBeLessThan(1e-4);
}
