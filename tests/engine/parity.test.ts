// Parity with PyTorch, transformers and PEFT for each architecture: logits, loss, gradients, twelve AdamW steps.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildLogitsGraph } from '../../lib/engine/model/index.js';
import { createSession, type Session } from '../../lib/engine/runtime/index.js';
import type { LoraState } from '../../lib/engine/train/lora-state.js';
import { createState } from '../../lib/engine/train/state.js';
import { GOLDEN_MODELS, type GoldenModel, openGoldenModel } from '../support/golden-models.js';
import { goldenInputs, goldenShape } from '../support/golden-step.js';
import { GOLDEN_LORA, loadGoldenAdapter, trainGolden } from '../support/golden-training.js';

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
    const { graph, parameters } = buildLogitsGraph(
      golden.config,
      golden.weights,
      GOLDEN_LORA,
      batch * sequence,
    );
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

  it('has the same logits for the base model', async () => {
    const { session, state } = await logitsSession();
    const { logits } = await session.run({ ...goldenInputs(golden), ...state.views });
    const { sequence } = shape();
    expectRow(logits!, sequence - 1, golden.expected.logits_last_position_row0, 2e-4);
    expectRow(logits!, 2 * sequence + 5, golden.expected.logits_row2_pos5, 2e-4);
  });

  it('has the same logits for the trained adapter', async () => {
    const { session, state } = await logitsSession();
    await loadGoldenAdapter(golden, 'adapter_final', state);
    const { logits } = await session.run({ ...goldenInputs(golden), ...state.views });
    expectRow(logits!, shape().sequence - 1, golden.expected.final_logits_last_position_row0, 2e-4);
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

function expectNorms({ parameters, views }: LoraState, wanted: Record<string, number>): void {
  expect(Object.keys(wanted)).toHaveLength(parameters.length);
  for (const { name, layer, module, side } of parameters) {
    const parent = ['gate_proj', 'up_proj', 'down_proj'].includes(module) ? 'mlp' : 'self_attn';
    const key = `base_model.model.model.layers.${layer}.${parent}.${module}.lora_${side.toUpperCase()}.weight`;
    const norm = Math.hypot(...views[name]!);
    expect(Math.abs(norm / wanted[key]! - 1), key).toBeLessThan(1e-3);
  }
}
