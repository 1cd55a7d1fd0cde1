// Dropout in the training graph: the kept part of an adapter's input is scaled up to make up for the dropped part.
import { expect, it, onTestFinished } from 'vitest';
import { buildTrainingGraph, dropoutInputs } from '../../../lib/engine/model/index.js';
import { createSession } from '../../../lib/engine/runtime/index.js';
import { createState } from '../../../lib/engine/train/state.js';
import { type GoldenModel, openGoldenModel } from '../../support/golden-models.js';
import { goldenStep } from '../../support/golden-step.js';
import { GOLDEN_LORA, loadGoldenAdapter } from '../../support/golden-training.js';

async function lossOf(golden: GoldenModel, scaling: number, dropout: number, kept: 0 | 1): Promise<number> {
  const step = goldenStep(golden);
  const tokens = step.ids.length;
  const lora = { ...GOLDEN_LORA, scaling };
  const { graph, parameters } = buildTrainingGraph(golden.config, golden.weights, lora, tokens, { dropout });
  const state = createState(parameters);
  await loadGoldenAdapter(golden, 'adapter_final', state);
  const groups = dropout > 0 ? dropoutInputs(golden.config, lora) : [];
  const masks = groups.map(({ name, width }) => [name, new Uint8Array(tokens * width).fill(kept)] as const);
  const session = await createSession(graph, { threads: 1 });
  onTestFinished(() => session.close());
  return (await session.run({ ...step, ...state.views, ...Object.fromEntries(masks) })).loss![0]!;
}

it('scales kept inputs by 4 at a rate of 0.75, and drops the others', async () => {
  const golden = await openGoldenModel('llama');
  expect(await lossOf(golden, 0.5, 0.75, 1)).toBeCloseTo(await lossOf(golden, 2, 0, 1), 5);
  expect(await lossOf(golden, 2, 0.75, 0)).toBeCloseTo(await lossOf(golden, 0, 0, 1), 5);
  expect(await lossOf(golden, 2, 0, 1)).not.toBeCloseTo(await lossOf(golden, 0, 0, 1), 2);
});
