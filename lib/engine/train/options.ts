// What a training run is told, with its defaults filled in.
import { MODULES, type Module } from '../model/index.js';
import type { WeightPrecision } from '../runtime/index.js';

export const SCHEDULES = ['linear', 'cosine', 'constant', 'constant_with_warmup'] as const;

export type Schedule = (typeof SCHEDULES)[number];

export interface TrainOptions {
  rank: number;
  alpha: number;
  dropout: number;
  modules: readonly Module[];
  /** The longest row, in tokens; what is beyond is cut off. */
  maxLength: number;
  /** Steps of the optimizer; null for as many as the epochs take. */
  maxSteps: number | null;
  epochs: number;
  learningRate: number;
  /** Rows of data a step, before accumulation. */
  batchSize: number;
  /** How many such batches make a step. */
  accumulation: number;
  schedule: Schedule;
  warmupSteps: number;
  weightDecay: number;
  /** The longest gradient, by its norm; a longer one is shortened. */
  maxGradientNorm: number;
  loggingSteps: number;
  /** Null for no checkpoints but the final adapter. */
  saveSteps: number | null;
  /** Null for an evaluation at the end alone, if there is data for one. */
  evalSteps: number | null;
  /** How many checkpoints are kept, the best one besides. */
  keepCheckpoints: number;
  seed: number;
  threads: number | undefined;
  /** `webgpu` where it is asked for and there. */
  provider: 'cpu' | 'webgpu';
  /** How the frozen weights are held. */
  weights: WeightPrecision;
}

/**
 * Of a run's options those that determine its course. How a machine computes is no part of it: a run goes on elsewhere,
 * or with other options of the cloud's.
 */
export function toCourseSettings({
  threads: _1,
  provider: _2,
  weights: _3,
  keepCheckpoints: _4,
  loggingSteps: _5,
  ...settings
}: Partial<TrainOptions>): Partial<TrainOptions> {
  return settings;
}

export const TRAIN_DEFAULTS: TrainOptions = {
  rank: 16,
  alpha: 32,
  dropout: 0,
  modules: MODULES,
  maxLength: 512,
  maxSteps: null,
  epochs: 3,
  learningRate: 2e-4,
  batchSize: 8,
  accumulation: 1,
  schedule: 'linear',
  warmupSteps: 0,
  weightDecay: 0,
  maxGradientNorm: 1,
  loggingSteps: 1,
  saveSteps: null,
  evalSteps: null,
  keepCheckpoints: 3,
  seed: 42,
  threads: undefined,
  provider: 'cpu',
  weights: 'f32',
};
