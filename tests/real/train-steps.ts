// Trains an adapter on a reference's rows, with its settings and from its start.
import type { ModelSource } from '../../lib/engine/model/index.js';
import { MODULES } from '../../lib/engine/model/index.js';
import { createLearned } from '../../lib/engine/train/adam-w.js';
import { supervised } from '../../lib/engine/train/objective.js';
import { type Example, longestLine } from '../../lib/engine/train/packing.js';
import { createAdapterState, type LoraState, toPairs } from '../../lib/engine/train/state.js';
import { createStepRunner } from '../../lib/engine/train/step-runner.js';
import { takeStep } from '../../lib/engine/train/take-step.js';
import { writeAdapter } from '../../lib/engine/weights/index.js';
import { trainOptions } from '../support/train-options.js';
import type { ReferenceTraining } from './reference.js';

export interface Trained {
  losses: number[];
  seconds: number;
}

/** Writes the adapter into `folder`. */
export async function trainSteps(
  model: ModelSource,
  reference: ReferenceTraining,
  folder: string,
): Promise<Trained> {
  const { rank, alpha, learningRate, rowsPerStep } = reference;
  const lora = { rank, scaling: alpha / rank, modules: MODULES };
  const rows = reference.rows.map(
    ({ ids, learnedFrom }): Example => ({
      ids,
      supervised: ids.map((_, i) => i >= learnedFrom),
    }),
  );
  const state = createAdapterState(model, lora);
  fillFirst(state);
  const runner = await createStepRunner(model, lora, longestLine(0), createLearned(state), {
    dropout: 0,
    compares: undefined,
    threads: undefined,
    provider: 'cpu',
  });
  const run = {
    examplesOf: (step: number) => {
      const first = (step * rowsPerStep) % rows.length;
      return rows.slice(first, first + rowsPerStep);
    },
    objective: supervised,
    options: trainOptions({ maxGradNorm: Number.POSITIVE_INFINITY, weightDecay: 0, seed: 1 }),
    control: {},
    progress: { step: 0 },
    runner,
  };
  const losses: number[] = [];
  const start = performance.now();
  try {
    for (const _ of reference.losses) {
      losses.push((await takeStep(run, learningRate)).loss);
      run.progress.step = losses.length;
    }
  } finally {
    await runner.close();
  }
  await writeAdapter(folder, { config: { rank, alpha }, tensors: toPairs(state) });
  return { losses, seconds: (performance.now() - start) / 1000 };
}

/** A of each module: numbers that look random, and are the same in make.py. */
function fillFirst({ parameters, views }: LoraState): void {
  for (const { name, side, shape } of parameters) {
    if (side !== 'a') continue;
    const [rows, columns] = shape as [number, number];
    const values = views[name]!;
    for (let i = 0; i < values.length; i++) {
      const mixed = (i * 2_654_435_761 + rows * 40_503) % 2 ** 32;
      values[i] = ((mixed / 2 ** 32 - 0.5) * 2) / Math.sqrt(columns);
    }
  }
}
