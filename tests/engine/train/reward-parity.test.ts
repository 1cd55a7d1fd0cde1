// Parity with TRL's GRPOTrainer for the same answers and rewards: advantages, and the losses, divergences, gradients and clipped
// tokens of six updates, in a step each or all in one.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createLearned } from '../../../lib/engine/train/adam-w.js';
import { countLabels, longestLine } from '../../../lib/engine/train/packing.js';
import {
  addReference,
  advantagesOf,
  meanOf,
  policyStep,
  toAnswer,
} from '../../../lib/engine/train/rewards/objective.js';
import { teaches } from '../../../lib/engine/train/rewards/policy-pass.js';
import { type StepRunner, shareRunner } from '../../../lib/engine/train/runners.js';
import { createAdapterState, type LoraState } from '../../../lib/engine/train/state.js';
import { createLossRunner, createStepRunner } from '../../../lib/engine/train/step-runner.js';
import { type StepResult, takeStep } from '../../../lib/engine/train/take-step.js';
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
const grader = { type: 'string_check', name: 'any', input: '', reference: '', operation: 'eq' } as const;

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
    const runner = watch(
      await createStepRunner(model, GOLDEN_LORA, LONGEST, learned, {
        ...compute,
        dropout: 0,
        rewards: shape,
      }),
      learned.gradient as LoraState,
    );
    const answers = golden.groups.flatMap(({ prompt, answers: given }) => {
      const { values } = advantagesOf(given.map(({ reward }) => reward));
      return given.map(({ ids }, i) => toAnswer({ ids: prompt, supervised: [] }, ids, values[i]!));
    });
    if (beta > 0) await addReference(reference, answers);
    const labels = answers.reduce((sum, answer) => sum + countLabels(answer), 0);
    const objective = {
      async prepare() {
        for (const answer of answers) answer.before = null;
        return policyStep(
          answers.filter(answer => teaches(answer, shape)),
          { shape, updates, labels, measured: {} },
        );
      },
      close: reference.close,
    };
    const method = {
      type: 'grpo',
      reward: grader,
      group: 4,
      maxTokens: 16,
      ...shape,
      temperature,
      updates,
    } as const;
    const options = trainOptions({ maxGradNorm: Number.POSITIVE_INFINITY, seed: 1, method });
    const run = { examplesOf: () => [], objective, options, control: {}, progress: { step: 0 }, runner };
    try {
      const results: StepResult[] = [];
      while (runner.updates.length < wanted.losses.length)
        results.push(await takeStep(run, golden.learning_rate));
      expect(results).toHaveLength(6 / updates);
      for (const [update, loss] of wanted.losses.entries())
        expect(Math.abs(runner.updates[update]!.loss - loss), `the loss of update ${update}`).toBeLessThan(
          1e-4,
        );
      expectNorms(runner.updates[0]!.norms, wanted.gradient_norms_0);
      expectNorms(runner.updates[5]!.norms, wanted.gradient_norms_5);
      expect(results[0]!.loss).toBeCloseTo(meanOf(wanted.losses.slice(0, updates)), 4);
      // TRL's is times the ratio, which is 1 where there is an update each.
      if (beta > 0 && updates === 1)
        for (const [step, divergence] of wanted.divergences.entries())
          expect(results[step]!.metrics!.kl! / divergence!, `the divergence of step ${step}`).toBeCloseTo(
            1,
            2,
          );
      if (updates === 1) return expect(results[5]!.metrics).not.toHaveProperty('clippedTokens');
      expect(meanOf(wanted.clipped)).toBeGreaterThan(0.3);
      // A token at the limit may be on either side of it.
      const off = results[0]!.metrics!.clippedTokens! - meanOf(wanted.clipped);
      expect(Math.abs(off)).toBeLessThan(2 / (updates * labels));
    } finally {
      await runner.close();
      await objective.close();
    }
  });
});

interface Watched extends StepRunner {
  /** The loss and the norms of the gradients of each. */
  updates: { loss: number; norms: Record<string, number> }[];
}

function watch(runner: StepRunner, gradient: LoraState): Watched {
  const updates: Watched['updates'] = [];
  let loss = 0;
  return {
    ...runner,
    updates,
    async run(...pass) {
      const added = await runner.run(...pass);
      loss += added;
      return added;
    },
    update(change) {
      updates.push({ loss, norms: normsOf(gradient) });
      loss = 0;
      return runner.update(change);
    },
  };
}

function normsOf({ parameters, views }: LoraState): Record<string, number> {
  const norms = parameters.map(({ name, layer, module, side }) => [
    `base_model.model.model.layers.${layer}.${module}.lora_${side.toUpperCase()}.weight`,
    Math.hypot(...views[name]!),
  ]);
  return Object.fromEntries(norms);
}

/** Small ones differ most, since few tokens have a gradient once the others are clipped. */
function expectNorms(found: Record<string, number>, wanted: Record<string, number>): void {
  expect(Object.keys(found).sort()).toEqual(Object.keys(wanted).sort());
  const largest = Math.max(...Object.values(wanted));
  for (const [name, norm] of Object.entries(wanted))
    expect(Math.abs(found[name]! - norm) / largest, name).toBeLessThan(1e-3);
}
