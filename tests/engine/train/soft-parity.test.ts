// Parity with PyTorch for rows with a teacher's distribution: the losses, divergences and gradients of six steps, in one pass and in
// several, in float32 and near it with rounded weights.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { SoftLabels } from '../../../lib/engine/text/index.js';
import { MOST_ALTERNATIVES } from '../../../lib/engine/text/index.js';
import { createLearned } from '../../../lib/engine/train/adam-w.js';
import { createEvaluator } from '../../../lib/engine/train/evaluate.js';
import { openWeights } from '../../../lib/engine/train/open-weights.js';
import { type Example, longestLine } from '../../../lib/engine/train/packing.js';
import { createSoftObjective } from '../../../lib/engine/train/soft.js';
import { createAdapterState, type LoraState } from '../../../lib/engine/train/state.js';
import { createLossRunner, createStepRunner } from '../../../lib/engine/train/step-runner.js';
import { takeStep } from '../../../lib/engine/train/take-step.js';
import { GOLDEN_MODELS, openGoldenModel } from '../../support/golden-models.js';
import { GOLDEN_LORA, loadGoldenAdapter } from '../../support/golden-training.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { trainOptions } from '../../support/train-options.js';

interface Result {
  losses: number[];
  divergences: number[];
  gradient_norms_0: Record<string, number>;
  gradient_norms_5: Record<string, number>;
}

interface Distillation {
  learning_rate: number;
  weight: number;
  rows: { ids: number[]; learned: number; taught: number; tokens: [id: number, share: number][][] }[];
  results: Record<string, Result>;
}

const file = new URL('../../golden/distillation/expected.json', import.meta.url);
const golden = JSON.parse(readFileSync(file, 'utf8')) as Distillation;
const LONGEST = longestLine(0);
const soft = { alternatives: MOST_ALTERNATIVES };

const rows = golden.rows.map(
  ({ ids, learned, taught, tokens }, row): Example => ({
    ids,
    row,
    supervised: ids.map((_, i) => i >= learned),
    ...(tokens.length > 0 && { soft: toSoft(taught, tokens) }),
  }),
);

function toSoft(first: number, tokens: [number, number][][]): SoftLabels {
  let end = 0;
  return {
    first,
    ends: Int32Array.from(tokens, token => (end += token.length)),
    ids: Int32Array.from(tokens.flat(), ([id]) => id),
    shares: Float32Array.from(tokens.flat(), ([, share]) => share),
  };
}

const models = GOLDEN_MODELS.filter(name => golden.results[name]);

async function open(name: (typeof models)[number]) {
  const model = await openGoldenModel(name);
  const state = createAdapterState(model, GOLDEN_LORA);
  await loadGoldenAdapter(model, 'adapter_init', state);
  return { model, state };
}

const compute = { threads: 1, provider: 'cpu' as const, soft };
const options = trainOptions({ maxGradNorm: Number.POSITIVE_INFINITY, seed: 1 });

describe('a distribution', () => {
  it.each(models.flatMap(name => [[name, 2048] as const, [name, 24] as const]))(
    'is learned by %s as PyTorch does, in passes of up to %i tokens',
    async (name, passTokens) => {
      const { model, state } = await open(name);
      const wanted = golden.results[name]!;
      const learned = createLearned(state);
      const opened = await createStepRunner(model, GOLDEN_LORA, LONGEST, learned, { ...compute, dropout: 0 });
      const runner = { ...opened, passTokens };
      const objective = createSoftObjective(golden.weight);
      const run = { examplesOf: () => rows, objective, options, control: {}, progress: { step: 0 }, runner };
      try {
        for (const [step, loss] of wanted.losses.entries()) {
          const result = await takeStep(run, golden.learning_rate);
          expect(Math.abs(result.loss - loss), `the loss of step ${step}`).toBeLessThan(2e-5);
          const apart = result.metrics!.softLoss! / wanted.divergences[step]!;
          expect(Math.abs(apart - 1), `the divergence of step ${step}`).toBeLessThan(1e-4);
          expect(result.rowLosses.map(({ row, labels }) => [row, labels]).toSorted()).toEqual(
            rows.map(({ row, supervised }) => [row, Array.from(supervised).filter(Boolean).length]),
          );
          if (step === 0) expectNorms(learned.gradient as LoraState, wanted.gradient_norms_0, 1e-4);
          if (step === 5) expectNorms(learned.gradient as LoraState, wanted.gradient_norms_5, 1e-3);
        }
      } finally {
        await runner.close();
      }
    },
  );

  it('is learned nearly the same with rounded weights', async () => {
    const { model, state } = await open('llama');
    const place = { folder: temporaryFolder('svc-soft'), provider: 'cpu' } as const;
    const rounded = await openWeights(model, 'int8', { ...place, trains: true });
    const learned = createLearned(state);
    const runner = await createStepRunner(rounded, GOLDEN_LORA, LONGEST, learned, { ...compute, dropout: 0 });
    const objective = createSoftObjective(golden.weight);
    const run = { examplesOf: () => rows, objective, options, control: {}, progress: { step: 0 }, runner };
    try {
      const { losses, gradient_norms_0: norms } = golden.results.llama!;
      const { loss } = await takeStep(run, golden.learning_rate);
      expect(Math.abs(loss - losses[0]!)).toBeLessThan(0.02);
      expectNorms(learned.gradient as LoraState, norms, 0.05);
    } finally {
      await runner.close();
    }
  });

  it('is measured in held-out rows, too', async () => {
    const { model, state } = await open('llama');
    const losses = () => createLossRunner(model, GOLDEN_LORA, LONGEST, compute);
    const evaluator = createEvaluator(rows, losses, golden.weight);
    try {
      const { loss, metrics } = await evaluator.run(state);
      const { losses: wanted, divergences } = golden.results.llama!;
      expect(Math.abs(loss! - wanted[0]!)).toBeLessThan(2e-5);
      expect(Math.abs(metrics!.softLoss! / divergences[0]! - 1)).toBeLessThan(1e-4);
    } finally {
      await evaluator.close();
    }
  });

  it('is not learned on a GPU', async () => {
    const { model, state } = await open('llama');
    const gpu = { ...compute, provider: 'webgpu' as const };
    await expect(createLossRunner(model, GOLDEN_LORA, LONGEST, gpu)).rejects.toThrow('on the CPU');
    const learned = createLearned(state);
    await expect(
      createStepRunner(model, GOLDEN_LORA, LONGEST, learned, { ...gpu, dropout: 0 }),
    ).rejects.toThrow('on the CPU');
  });
});

function expectNorms({ parameters, views }: LoraState, wanted: Record<string, number>, most: number): void {
  expect(Object.keys(wanted)).toHaveLength(parameters.length);
  const largest = Math.max(...Object.values(wanted));
  for (const { name, layer, module, side } of parameters) {
    const key = `base_model.model.model.layers.${layer}.${module}.lora_${side.toUpperCase()}.weight`;
    expect(Math.abs(Math.hypot(...views[name]!) - wanted[key]!) / largest, key).toBeLessThan(most);
  }
}
