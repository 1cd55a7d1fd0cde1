// Parity with TRL's GRPOTrainer for the same answers and rewards: advantages, and the losses, divergences and gradients of six
// steps.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createLearned } from '../../../lib/engine/train/adam-w.js';
import { takeStep } from '../../../lib/engine/train/optimizer.js';
import { countLabels, longestLine } from '../../../lib/engine/train/packing.js';
import { advantagesOf } from '../../../lib/engine/train/rewards/advantages.js';
import { addReference, policyStep, toAnswer } from '../../../lib/engine/train/rewards/objective.js';
import { teaches } from '../../../lib/engine/train/rewards/policy-pass.js';
import { shareRunner } from '../../../lib/engine/train/runners.js';
import { createAdapterState, type LoraState } from '../../../lib/engine/train/state.js';
import { createLossRunner, createStepRunner } from '../../../lib/engine/train/step-runner.js';
import { GOLDEN_MODELS, openGoldenModel } from '../../support/golden-models.js';
import { GOLDEN_LORA, loadGoldenAdapter } from '../../support/golden-training.js';
import { trainOptions } from '../../support/train-options.js';

interface Result {
  losses: number[];
  divergences: (number | null)[];
  clipped: number[];
  advantages: number[];
  gradient_norms_0: Record<string, number>;
  gradient_norms_5: Record<string, number>;
}

interface Rewards {
  groups: { prompt: number[]; answers: { ids: number[]; reward: number | null }[] }[];
  learning_rate: number;
  methods: Record<string, { beta: number; epsilon: number; temperature: number; num_iterations: number }>;
  results: Record<string, Record<string, Result>>;
}

const file = new URL('../../golden/rewards/expected.json', import.meta.url);
const golden = JSON.parse(readFileSync(file, 'utf8')) as Rewards;
const LONGEST = longestLine(0);

const models = GOLDEN_MODELS.filter(name => golden.results[name]);
const cases = models.flatMap(name => Object.keys(golden.methods).map(title => [name, title] as const));

describe('rewards', () => {
  it('have the advantages that TRL computes', () => {
    const [{ advantages }] = Object.values(golden.results.llama!) as [Result];
    const found = golden.groups.flatMap(
      ({ answers }) => advantagesOf(answers.map(({ reward }) => reward)).values,
    );
    expect(found).toHaveLength(advantages.length);
    for (const [i, wanted] of advantages.entries()) expect(found[i]).toBeCloseTo(wanted, 5);
  });

  it.each(cases)('%s learns from them as TRL does: %s', async (name, title) => {
    const model = await openGoldenModel(name);
    const { beta, epsilon, temperature, num_iterations: updates } = golden.methods[title]!;
    const wanted = golden.results[name]![title]!;
    const shape = { beta, epsilon };
    const state = createAdapterState(model, GOLDEN_LORA);
    await loadGoldenAdapter(model, 'adapter_init', state);
    const compute = { threads: 1, provider: 'cpu' as const, temperature };
    const reference = {
      ...shareRunner(() => createLossRunner(model, GOLDEN_LORA, LONGEST, compute)),
      adapter: createAdapterState(model, GOLDEN_LORA),
    };
    const learned = createLearned(state);
    const runner = await createStepRunner(model, GOLDEN_LORA, LONGEST, learned, {
      ...compute,
      dropout: 0,
      rewards: shape,
    });
    const answers = golden.groups.flatMap(({ prompt, answers: given }) => {
      const { values } = advantagesOf(given.map(({ reward }) => reward));
      return given.map(({ ids }, i) => toAnswer({ ids: prompt, supervised: [] }, ids, values[i]!));
    });
    if (beta > 0) await addReference(reference, answers);
    const labels = answers.reduce((sum, answer) => sum + countLabels(answer), 0);
    const objective = {
      async prepare() {
        if (updates === 1) for (const answer of answers) answer.before = null;
        return policyStep(
          answers.filter(answer => teaches(answer, shape)),
          labels,
          {},
        );
      },
      close: reference.close,
    };
    const options = trainOptions({ maxGradientNorm: Number.POSITIVE_INFINITY, seed: 1 });
    const run = { examplesOf: () => [], objective, options, control: {}, progress: { step: 0 }, runner };
    try {
      for (const [step, loss] of wanted.losses.entries()) {
        const result = await takeStep(run, golden.learning_rate);
        expect(Math.abs(result.loss - loss), `the loss of step ${step}`).toBeLessThan(1e-4);
        const divergence = wanted.divergences[step];
        // TRL's is times the ratio, which is 1 where there is an update each.
        if (divergence != null && updates === 1)
          expect(
            Math.abs(result.metrics!.kl! / divergence - 1),
            `the divergence of step ${step}`,
          ).toBeLessThan(2e-3);
        if (step === 0) expectNorms(learned.gradient as LoraState, wanted.gradient_norms_0);
        if (step === 5) expectNorms(learned.gradient as LoraState, wanted.gradient_norms_5);
      }
      expect(wanted.clipped.at(-1)! > 0.5, 'ratios are clipped').toBe(updates > 1);
    } finally {
      await runner.close();
      await objective.close();
    }
  });
});

/** Small ones differ most, since few tokens have a gradient once the others are clipped. */
function expectNorms({ parameters, views }: LoraState, wanted: Record<string, number>): void {
  expect(Object.keys(wanted)).toHaveLength(parameters.length);
  const largest = Math.max(...Object.values(wanted));
  for (const { name, layer, module, side } of parameters) {
    const key = `base_model.model.model.layers.${layer}.${module}.lora_${side.toUpperCase()}.weight`;
    expect(Math.abs(Math.hypot(...views[name]!) - wanted[key]!) / largest, key).toBeLessThan(1e-3);
  }
}
