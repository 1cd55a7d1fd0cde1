// Parity for each architecture: with PyTorch, transformers and PEFT in logits, loss, gradients and twelve AdamW steps, and
// with TRL's DPOTrainer in the losses, rewards and gradients of six steps.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildLogitsGraph } from '../../lib/engine/model/index.js';
import { createSession, type Session } from '../../lib/engine/runtime/index.js';
import { createLearned } from '../../lib/engine/train/adam-w.js';
import type { PreferenceMethod } from '../../lib/engine/train/options.js';
import { countLabels, longestLine, toPass } from '../../lib/engine/train/packing.js';
import { createPreferenceObjective, toShape } from '../../lib/engine/train/preferences.js';
import { shareRunner } from '../../lib/engine/train/runners.js';
import { createAdapterState, createState, type LoraState } from '../../lib/engine/train/state.js';
import { createLossRunner, createStepRunner } from '../../lib/engine/train/step-runner.js';
import { takeStep } from '../../lib/engine/train/take-step.js';
import { GOLDEN_MODELS, type GoldenModel, openGoldenModel } from '../support/golden-models.js';
import { goldenInputs, goldenShape } from '../support/golden-step.js';
import { GOLDEN_LORA, loadGoldenAdapter, trainGolden } from '../support/golden-training.js';
import { trainOptions } from '../support/train-options.js';

describe.each(GOLDEN_MODELS)('%s', name => {
  const sessions: Session[] = [];
  let golden: GoldenModel;

  beforeAll(async () => {
    golden = await openGoldenModel(name);
  });
  afterAll(() => Promise.all(sessions.map(session => session.close())));

  const shape = () => goldenShape(golden);

  async function logitsSession() {
    const { batch, sequence } = shape();
    const { config, weights } = golden;
    const { graph, parameters } = buildLogitsGraph(config, weights, GOLDEN_LORA, batch * sequence);
    const session = await createSession(graph);
    sessions.push(session);
    return { session, state: createState(parameters) };
  }

  function expectRow(logits: Float32Array, row: number, expected: number[], tolerance: number): void {
    const width = golden.config.vocabulary;
    const given = logits.subarray(row * width, (row + 1) * width);
    const worst = expected.reduce((most, value, i) => Math.max(most, Math.abs(value - given[i]!)), 0);
    expect(worst).toBeLessThan(tolerance);
  }

  it('has the same logits for the base model and for the trained adapter', async () => {
    const { session, state } = await logitsSession();
    const run = async () => (await session.run({ ...goldenInputs(golden), ...state.views })).logits!;
    const { sequence } = shape();
    const logits = await run();
    expectRow(logits, sequence - 1, golden.expected.logits_last_position_row0, 2e-4);
    expectRow(logits, 2 * sequence + 5, golden.expected.logits_row2_pos5, 2e-4);
    await loadGoldenAdapter(golden, 'adapter_final', state);
    expectRow(await run(), sequence - 1, golden.expected.final_logits_last_position_row0, 2e-4);
  });

  it('has the same loss, gradients, and losses and logits of twelve steps', async () => {
    const { expected } = golden;
    const { losses, gradient, state } = await trainGolden(golden);
    for (const [i, wanted] of expected.adamw_losses.entries())
      expect(Math.abs(losses[i]! / wanted - 1), `loss of step ${i}`).toBeLessThan(i === 0 ? 1e-5 : 1e-3);
    expectNorms(gradient, expected.lora_grad_norms);
    const { session } = await logitsSession();
    const { logits } = await session.run({ ...goldenInputs(golden), ...state.views });
    expectRow(logits!, shape().sequence - 1, expected.final_logits_last_position_row0, 5e-3);
  });
});

it.each(['llama', 'lfm2'] as const)('rows of %s that share a line do not see each other', async name => {
  const golden = await openGoldenModel(name);
  const { input_ids: rows, labels } = golden.batch;
  const line = rows.map((ids, row) => ({ ids, supervised: labels[row]!.map(label => label >= 0) }));
  const pass = toPass([line], 1 / line.reduce((sum, example) => sum + countLabels(example), 0));
  const state = createAdapterState(golden, GOLDEN_LORA);
  await loadGoldenAdapter(golden, 'adapter_init', state);
  const runner = await createLossRunner(golden, GOLDEN_LORA, pass.ids.length, { threads: 1 });
  const loss = await runner.run(pass, state).finally(runner.close);
  expect(Math.abs(loss / golden.expected.loss_with_adapter_init - 1)).toBeLessThan(1e-5);
});

interface Text {
  ids: number[];
  learned: number[];
}

interface Result {
  losses: number[];
  metrics: { chosen: number; rejected: number; margins: number; accuracies: number }[];
  gradient_norms: Record<string, number>;
}

interface Preferences {
  pairs: { chosen: Text; rejected: Text }[];
  learning_rate: number;
  methods: Record<string, { beta: number; loss_weights: [number, number?] }>;
  results: Record<string, Record<string, Result>>;
}

const LONGEST = longestLine(0);
const file = new URL('../golden/preferences/expected.json', import.meta.url);
const preferences = JSON.parse(readFileSync(file, 'utf8')) as Preferences;

const pairs = preferences.pairs.map(({ chosen, rejected }, row) => ({
  ids: [...chosen.ids, ...rejected.ids],
  supervised: [...chosen.learned, ...rejected.learned],
  chosen: chosen.ids.length,
  row,
}));

const methods = Object.keys(preferences.methods);
const compared = GOLDEN_MODELS.filter(model => preferences.results[model]);

it.each(compared.flatMap(model => methods.map(method => [model, method] as const)))(
  '%s learns preferences as TRL does: %s',
  async (name, title) => {
    const golden = await openGoldenModel(name);
    const { beta, loss_weights: weights } = preferences.methods[title]!;
    const method: PreferenceMethod = { type: 'dpo', beta, labelSmoothing: 0, sftWeight: weights[1] ?? 0 };
    const wanted = preferences.results[name]![title]!;
    const state = createAdapterState(golden, GOLDEN_LORA);
    await loadGoldenAdapter(golden, 'adapter_init', state);
    const compute = { threads: 1, provider: 'cpu' as const };
    const model = {
      ...shareRunner(() => createLossRunner(golden, GOLDEN_LORA, LONGEST, compute)),
      adapter: createAdapterState(golden, GOLDEN_LORA),
    };
    const plan = { rowsPerStep: pairs.length, stepsPerEpoch: 1, totalSteps: wanted.losses.length };
    const objective = createPreferenceObjective(pairs, { method, seed: 1, model, plan });
    const learned = createLearned(state);
    const runner = await createStepRunner(golden, GOLDEN_LORA, LONGEST, learned, {
      ...compute,
      dropout: 0,
      compares: toShape(method),
    });
    const run = {
      examplesOf: () => pairs,
      objective,
      options: trainOptions({ maxGradNorm: Number.POSITIVE_INFINITY, seed: 1 }),
      control: {},
      progress: { step: 0 },
      runner,
    };
    try {
      for (const [step, loss] of wanted.losses.entries()) {
        const result = await takeStep(run, preferences.learning_rate);
        const tolerance = step === 0 ? 1e-5 : 1e-3;
        expect(Math.abs(result.loss / loss - 1), `the loss of step ${step}`).toBeLessThan(tolerance);
        const { chosen, rejected, margins, accuracies } = wanted.metrics[step]!;
        const { chosenReward, rejectedReward, rewardMargin, rewardAccuracy } = result.metrics!;
        for (const [i, found] of [chosenReward, rejectedReward, rewardMargin].entries()) {
          const value = [chosen, rejected, margins][i]!;
          const most = step === 0 ? 2e-5 : 2e-3 * Math.max(1, Math.abs(value));
          expect(Math.abs(found! - value), `a reward of step ${step}`).toBeLessThan(most);
        }
        expect(rewardAccuracy).toBeCloseTo(accuracies, 5);
        if (step === 0) expectNorms(learned.gradient as LoraState, wanted.gradient_norms);
      }
    } finally {
      await runner.close();
      await objective.close();
    }
  },
);

function expectNorms({ parameters, views }: LoraState, wanted: Record<string, number>): void {
  expect(Object.keys(wanted)).toHaveLength(parameters.length);
  for (const { name, layer, module, side } of parameters) {
    const key = `base_model.model.model.layers.${layer}.${module}.lora_${side.toUpperCase()}.weight`;
    const norm = Math.hypot(...views[name]!);
    expect(Math.abs(norm / wanted[key]! - 1), key).toBeLessThan(1e-3);
  }
}
