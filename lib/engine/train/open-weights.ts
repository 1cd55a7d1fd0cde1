// A model with its weights in the precision that is asked for, or that is the faster one on this machine.
import { roundModel, type WeightPrecision, type WeightSetting } from '../int8/index.js';
import type { ModelSource } from '../model/index.js';
import { compute, exactIntegerForm } from '../runtime/index.js';
import { chooseWeights } from './choose-weights.js';

interface WeightOptions {
  /** Keeps rounded weights and choices. */
  folder: string;
  provider?: 'cpu' | 'webgpu' | undefined;
}

export async function decideWeights(
  model: ModelSource,
  setting: WeightSetting,
  { folder, provider = 'cpu' }: WeightOptions,
): Promise<WeightPrecision> {
  if (setting !== 'auto') return setting;
  return provider === 'cpu' ? chooseWeights(model, folder) : 'f32';
}

export async function openWeights(
  model: ModelSource,
  weights: WeightPrecision,
  { folder, provider = 'cpu', trains }: WeightOptions & { trains: boolean },
): Promise<ModelSource> {
  if (weights === 'f32') return model;
  if (provider !== 'cpu') throw new Error('Weights in int8 need the cpu provider.');
  return roundModel(model, { folder, trains, form: await exactIntegerForm(), compute });
}
