// The twelve steps of AdamW that the references took, from the adapter that they began with.
import { TRAINING_DEFAULTS } from '../../lib/contract/index.js';
import { buildTrainingGraph, gradientOf, MODULES, type ModelSource } from '../../lib/engine/model/index.js';
import { toAdaptedModel } from '../../lib/engine/model/open-model.js';
import { createSession } from '../../lib/engine/runtime/index.js';
import { createAdamWState, stepAdamW } from '../../lib/engine/train/adam-w.js';
import { createState, type LoraState, loadPairs } from '../../lib/engine/train/state.js';
import { readAdapter } from '../../lib/engine/weights/index.js';
import type { GoldenModel } from './golden-models.js';
import { goldenStep } from './golden-step.js';

export const GOLDEN_LORA = { rank: 8, scaling: 2, modules: MODULES };

export interface GoldenTraining {
  losses: number[];
  /** Of the first step. */
  gradient: LoraState;
  /** Behind the last. */
  state: LoraState;
}

export async function trainGolden(
  golden: GoldenModel,
  { weights }: Pick<ModelSource, 'weights'> = golden,
): Promise<GoldenTraining> {
  const step = goldenStep(golden);
  const { graph, parameters } = buildTrainingGraph(golden.config, weights, GOLDEN_LORA, step.ids.length);
  const session = await createSession(graph);
  try {
    const [state, current, first] = [
      createState(parameters),
      createState(parameters),
      createState(parameters),
    ];
    await loadGoldenAdapter(golden, 'adapter_init', state);
    const optimizer = createAdamWState(state.values.length);
    const { lr: learningRate, weight_decay: weightDecay } = golden.expected.optimizer;
    const losses: number[] = [];
    for (const _ of golden.expected.adamw_losses) {
      const results = await session.run({ ...step, ...state.views });
      losses.push(results.loss![0]!);
      for (const { name } of parameters) current.views[name]!.set(results[gradientOf(name)]!);
      if (losses.length === 1) first.values.set(current.values);
      stepAdamW(state.values, current.values, optimizer, { ...TRAINING_DEFAULTS, learningRate, weightDecay });
    }
    return { losses, gradient: first, state };
  } finally {
    await session.close();
  }
}

export async function loadGoldenAdapter(
  { folder, config }: GoldenModel,
  which: 'adapter_init' | 'adapter_final',
  state: LoraState,
): Promise<void> {
  loadPairs(state, (await readAdapter(`${folder}/${which}`, toAdaptedModel(config))).tensors);
}
