// Opens a model's weights in the requested precision, or in whichever suits it and this machine.

import { keepResult, readGpuMemory } from '../../system/index.js';
import {
  type IntegerForm,
  keepWeightChoice,
  measureDivergence,
  readWeightChoice,
  roundModel,
  spreadIds,
  type WeightChoice,
  type WeightPrecision,
  type WeightSetting,
} from '../int8/index.js';
import { type LoraShape, MODULES, type ModelSource } from '../model/index.js';
import { compute, DeviceError, exactIntegerForm, type ProviderName, traitsOf } from '../runtime/index.js';
import { createLearned } from './adam-w.js';
import { needsHalf, openHalf } from './device/half-weights.js';
import { type Example, longestLine, packExamples, toPass } from './packing.js';
import { readSample } from './sample-text.js';
import { createAdapterState } from './state.js';
import { createStepRunner } from './step-runner.js';

interface WeightOptions {
  /** Keeps rounded weights and choices. */
  folder: string;
  provider?: ProviderName | undefined;
}

export async function decideWeights(
  model: ModelSource,
  setting: WeightSetting,
  { folder, onMeasure = () => {}, ...place }: WeightOptions & { onMeasure?: () => void },
): Promise<WeightPrecision> {
  if (setting !== 'auto') return setting;
  const { precisions } = traitsOf(place);
  if (precisions.includes('int8')) return chooseWeights(model, folder, onMeasure);
  return needsHalf(model.config, await readGpuMemory()) ? 'f16' : 'f32';
}

export async function openWeights(
  model: ModelSource,
  weights: WeightPrecision,
  { folder, trains, ...place }: WeightOptions & { trains: boolean },
): Promise<ModelSource> {
  if (weights === 'f32') return model;
  if (!traitsOf(place).precisions.includes(weights))
    throw new DeviceError(`Weights in ${weights} are only for the ${weights === 'f16' ? 'GPU' : 'CPU'}.`);
  if (weights === 'f16') return openHalf(model);
  return round(model, { folder, trains, form: await exactIntegerForm() });
}

function round(
  model: ModelSource,
  options: { folder: string; trains: boolean; form: IntegerForm },
  samples = () => readSamples(model),
) {
  const sample = async () => (await samples()).rounding;
  return roundModel(model, { ...options, compute, sample });
}

/** One to round a model by, and another one to see how good it is then. */
async function readSamples(model: ModelSource): Promise<Record<'rounding' | 'checking', number[]>> {
  const ids = (await readSample(model)) ?? spreadIds(model.config);
  const half = ids.length >> 1;
  // The first token of a text is like no other.
  return { rounding: ids.slice(0, half), checking: [ids[0]!, ...ids.slice(half)] };
}

const LORA: LoraShape = { rank: 16, scaling: 2, modules: MODULES };
const ROUNDS = 5;
/** A typical pass: enough tokens for the kernels of large products. */
const [ROWS, LENGTH] = [8, 64];
/** A smaller gain is not worth rounding for. */
const LEAST_SPEEDUP = 1.05;
/** Models whose answers are as good as those in floats are at 0.01; from here on, one of ten tokens is another. */
const LARGEST_DIVERGENCE = 0.03;

/**
 * Chooses the precision of a model's weights: integers, where this processor's products of them are exact, a training step
 * with them is faster, and the model then expects nearly the same tokens. The choice is kept, so that all runs with one
 * folder of rounded weights use the same form. Measures if there is no choice yet.
 */
async function chooseWeights(
  model: ModelSource,
  folder: string,
  onMeasure: () => void,
): Promise<WeightPrecision> {
  const known = await readWeightChoice(model, folder);
  if (known) return known.weights;
  onMeasure();
  return (await keepWeightChoice(model, folder, await measureChoice(model, folder))).weights;
}

async function measureChoice(model: ModelSource, folder: string): Promise<WeightChoice> {
  const form = await exactIntegerForm().catch((): IntegerForm | null => null);
  if (form === null) return { weights: 'f32', speedup: null };
  const samples = keepResult(() => readSamples(model));
  const rounded = await round(model, { folder, trains: true, form }, samples);
  const speedup = await measureSpeedup(model, rounded);
  if (speedup < LEAST_SPEEDUP) return { weights: 'f32', speedup };
  const { checking } = await samples();
  const divergence = await measureDivergence(model, rounded, checking, compute);
  return { weights: divergence <= LARGEST_DIVERGENCE ? 'int8' : 'f32', speedup, divergence };
}

async function measureSpeedup(model: ModelSource, rounded: ModelSource): Promise<number> {
  const [exact, integer] = [await createTimer(model), await createTimer(rounded)];
  try {
    const ratios: number[] = [];
    // In turns, so that other work on the machine slows both down.
    for (let round = 0; round < ROUNDS; round++) ratios.push((await exact.time()) / (await integer.time()));
    return ratios.sort((a, b) => a - b)[ROUNDS >> 1]!;
  } finally {
    await Promise.all([exact.close(), integer.close()]);
  }
}

/** Times steps of the model's first layer, which are like those of all layers. */
async function createTimer(model: ModelSource) {
  const layer: ModelSource = { ...model, config: { ...model.config, layers: 1 } };
  const length = Math.min(LENGTH, model.config.maxPositions);
  const row: Example = {
    ids: Array.from({ length }, (_, i) => i % model.config.vocabulary),
    // The product with the vocabulary's matrix would hide the layer's.
    supervised: Array.from({ length }, (_, i) => i === 1),
  };
  const state = createAdapterState(layer, LORA);
  const learned = createLearned(state);
  const runner = await createStepRunner(layer, LORA, longestLine(length), learned, { dropout: 0 });
  const rows = Array<Example>(ROWS).fill(row);
  const passes = packExamples(rows, runner).map(lines => toPass(lines, 1));
  const run = async () => {
    for (const pass of passes) await runner.run(pass, []);
  };
  await run();
  return {
    async time() {
      const start = performance.now();
      await run();
      return performance.now() - start;
    },
    close: runner.close,
  };
}
