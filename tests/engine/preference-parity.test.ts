// Parity with TRL's DPOTrainer for each architecture: the losses, rewards and gradients of six steps.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type AdamWState, createAdamWState } from '../../lib/engine/train/adamw.js';
import { createAdapterState, type LoraState } from '../../lib/engine/train/lora-state.js';
import { takeStep } from '../../lib/engine/train/optimizer-step.js';
import type { PreferenceMethod } from '../../lib/engine/train/options.js';
import { longestLine } from '../../lib/engine/train/packing.js';
import { createPreferenceObjective, toShape } from '../../lib/engine/train/preferences/index.js';
import { shareRunner } from '../../lib/engine/train/runners.js';
import { createState } from '../../lib/engine/train/state.js';
import { createLossRunner, createStepRunner } from '../../lib/engine/train/step-runner.js';
import { GOLDEN_MODELS, openGoldenModel } from '../support/golden-models.js';
import { GOLDEN_LORA, loadGoldenAdapter } from '../support/golden-training.js';

interface Text {
  ids: number[];
  learned: number[];
}

interface Expected {
  pairs: { chosen: Text; rejected: Text }[];
  learning_rate: number;
  methods: Record<string, { beta: number; loss_weights: [number, number?] }>;
  results: Record<
    string,
    Record<
      string,
      {
        losses: number[];
        metrics: { chosen: number; rejected: number; margins: number; accuracies: number }[];
        gradient_norms: Record<string, number>;
      }
    >
  >;
}

const LONGEST = longestLine(0);

const expected = JSON.parse(
  readFileSync(new URL('../golden/preferences/expected.json', import.meta.url), 'utf8'),
) as Expected;

const pairs = expected.pairs.map(({ chosen, rejected }, row) => ({
  ids: [...chosen.ids, ...rejected.ids],
  supervised: [...chosen.learned, ...rejected.learned],
  chosen: chosen.ids.length,
  row,
}));

const CASES = GOLDEN_MODELS.flatMap(model =>
  Object.keys(expected.methods).map(method => [model, method] as const),
);

it.each(CASES)('%s learns preferences as TRL does: %s', async (name, title) => {
  const golden = await openGoldenModel(name);
  const { beta, loss_weights: weights } = expected.methods[title]!;
  const method: PreferenceMethod = { type: 'dpo', beta, labelSmoothing: 0, sftWeight: weights[1] ?? 0 };
  const wanted = expected.results[name]![title]!;
  const state = createAdapterState(golden, GOLDEN_LORA);
  await loadGoldenAdapter(golden, 'adapter_init', state);
  const compute = { threads: 1, provider: 'cpu' as const };
  const model = {
    ...shareRunner(() => createLossRunner(golden, GOLDEN_LORA, LONGEST, compute)),
    adapter: createAdapterState(golden, GOLDEN_LORA),
  };
  const plan = { rowsPerStep: pairs.length, stepsPerEpoch: 1, totalSteps: wanted.losses.length };
  const objective = createPreferenceObjective(pairs, { method, seed: 1, model, plan });
  const runner = await createStepRunner(golden, GOLDEN_LORA, LONGEST, {
    ...compute,
    dropout: 0,
    compares: toShape(method),
  });
  const run = {
    examplesOf: () => pairs,
    objective,
    options: { maxGradientNorm: Number.POSITIVE_INFINITY, seed: 1, weightDecay: 0 },
    state,
    control: {},
    progress: { step: 0 },
    gradient: createState(state.parameters) as LoraState,
    optimizer: createAdamWState(state.values.length) as AdamWState,
    runner,
  };
  try {
    for (const [step, loss] of wanted.losses.entries()) {
      const result = await takeStep(run, expected.learning_rate);
      const tolerance = step === 0 ? 1e-5 : 1e-3;
      expect(Math.abs(result.loss / loss - 1), `the loss of step ${step}`).toBeLessThan(tolerance);
      const { chosen, rejected, margins, accuracies } = wanted.metrics[step]!;
      const { chosenReward, rejectedReward, rewardMargin, rewardAccuracy } = result.metrics!;
      for (const [found, value] of [
        [chosenReward, chosen],
        [rejectedReward, rejected],
        [rewardMargin, margins],
      ])
        expect(Math.abs(found! - value!), `a reward of step ${step}`).toBeLessThan(
          step === 0 ? 2e-5 : 2e-3 * Math.max(1, Math.abs(value!)),
        );
      expect(rewardAccuracy).toBeCloseTo(accuracies, 5);
      if (step === 0) expectNorms(run.gradient, wanted.gradient_norms);
    }
  } finally {
    await runner.close();
    await objective.close();
  }
});

function expectNorms({ parameters, views }: LoraState, wanted: Record<string, number>): void {
  expect(Object.keys(wanted)).toHaveLength(parameters.length);
  for (const { name, layer, module, side } of parameters) {
    const parent = ['gate_proj', 'up_proj', 'down_proj'].includes(module) ? 'mlp' : 'self_attn';
    const key = `base_model.model.model.layers.${layer}.${parent}.${module}.lora_${side.toUpperCase()}.weight`;
    expect(Math.abs(Math.hypot(...views[name]!) / wanted[key]! - 1), key).toBeLessThan(1e-3);
  }
}
