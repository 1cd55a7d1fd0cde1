// Parity with PyTorch, transformers and PEFT, for each architecture: logits, loss, gradients, twelve steps of AdamW.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  buildLogitsGraph,
  buildTrainingGraph,
  gradientOf,
  type LoraShape,
  MODULES,
  moduleShape,
} from '../../lib/engine/model/index.js';
import { createSession, type Session } from '../../lib/engine/runtime/index.js';
import { createAdamWState, stepAdamW } from '../../lib/engine/train/adamw.js';
import { type LoraState, loadPairs } from '../../lib/engine/train/lora-state.js';
import { createState } from '../../lib/engine/train/state.js';
import { readAdapter } from '../../lib/engine/weights/index.js';
import { GOLDEN_MODELS, type GoldenModel, openGoldenModel } from '../support/golden-models.js';

describe.each(GOLDEN_MODELS)('%s', name => {
  const sessions: Session[] = [];
  let golden: GoldenModel;
  let lora: LoraShape;
  let inputs: Record<string, Float32Array | BigInt64Array>;
  let supervised: { at: number; label: number }[];

  beforeAll(async () => {
    golden = await openGoldenModel(name);
    lora = { rank: 8, scaling: 2, modules: MODULES };
    const { input_ids: ids, labels } = golden.batch;
    const sequence = ids[0]!.length;
    inputs = {
      ids: BigInt64Array.from(ids.flat(), BigInt),
      positions: BigInt64Array.from(ids.flatMap(row => row.map((_, i) => BigInt(i)))),
      rows: Float32Array.from(ids.flatMap((row, line) => row.map(() => line))),
    };
    supervised = labels.flatMap((row, line) =>
      row.flatMap((label, i) => (label < 0 || i === 0 ? [] : [{ at: line * sequence + i - 1, label }])),
    );
  });
  afterAll(() => Promise.all(sessions.map(session => session.close())));

  const shape = () => ({ batch: golden.batch.input_ids.length, sequence: golden.batch.input_ids[0]!.length });

  async function loadAdapter(which: string, state: LoraState): Promise<void> {
    const model = {
      layers: golden.config.layers,
      shapeOf: (module: (typeof MODULES)[number]) => moduleShape(golden.config, module),
    };
    loadPairs(state, (await readAdapter(`${golden.folder}/${which}`, model)).tensors);
  }

  async function logitsSession() {
    const { graph, parameters } = buildLogitsGraph(golden.config, golden.place, lora, shape());
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

  it('has the logits of the base model', async () => {
    const { session, state } = await logitsSession();
    const { logits } = await session.run({ ...inputs, ...state.views });
    const { sequence } = shape();
    expectRow(logits!, sequence - 1, golden.expected.logits_last_position_row0, 2e-4);
    expectRow(logits!, 2 * sequence + 5, golden.expected.logits_row2_pos5, 2e-4);
  });

  it('has the logits of the trained adapter', async () => {
    const { session, state } = await logitsSession();
    await loadAdapter('adapter_final', state);
    const { logits } = await session.run({ ...inputs, ...state.views });
    expectRow(logits!, shape().sequence - 1, golden.expected.final_logits_last_position_row0, 2e-4);
  });

  it('has the loss, the gradients, the twelve losses and the logits after them', async () => {
    const { expected } = golden;
    const { graph, parameters } = buildTrainingGraph(golden.config, golden.place, lora, {
      ...shape(),
      labels: supervised.length,
    });
    const session = await createSession(graph);
    sessions.push(session);
    const state = createState(parameters);
    await loadAdapter('adapter_init', state);
    const optimizer = createAdamWState(state.values.length);
    const { lr, betas, eps, weight_decay } = expected.optimizer;
    const options = { beta1: betas[0], beta2: betas[1], epsilon: eps, weightDecay: weight_decay };
    const step = {
      ...inputs,
      at: BigInt64Array.from(supervised, ({ at }) => BigInt(at)),
      labels: BigInt64Array.from(supervised, ({ label }) => BigInt(label)),
      weights: new Float32Array(supervised.length).fill(1 / supervised.length),
    };
    const gradient = createState(parameters);
    for (const [i, wanted] of expected.adamw_losses.entries()) {
      const results = await session.run({ ...step, ...state.views });
      expect(Math.abs(results.loss![0]! / wanted - 1), `loss of step ${i}`).toBeLessThan(
        i === 0 ? 1e-5 : 1e-3,
      );
      for (const parameter of parameters)
        gradient.views[parameter.name]!.set(results[gradientOf(parameter.name)]!);
      if (i === 0) expectNorms(gradient, expected.lora_grad_norms);
      stepAdamW(state.values, gradient.values, optimizer, lr, options);
    }
    const scored = await logitsSession();
    const { logits } = await scored.session.run({ ...inputs, ...state.views });
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
