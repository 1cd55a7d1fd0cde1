// The options of a training run, and their defaults.
import type { WeightSetting } from '../int8/index.js';
import { MODULES, type Module } from '../model/index.js';

export type Schedule = 'linear' | 'cosine' | 'constant' | 'constant_with_warmup';

/**
 * Learns which of two answers is preferred, by how likely each becomes beside what the model said without the adapter.
 * Rows are pairs of answers.
 */
export interface PreferenceMethod {
  type: 'dpo';
  /** How strongly the adapter is held to the model: the lower, the further it may move. */
  beta: number;
  /** The share of pairs that are thought to be the wrong way round. */
  labelSmoothing: number;
  /** The weight of the usual loss of the chosen answers, which is added. */
  sftWeight: number;
}

export interface TrainOptions {
  /** Rows are learned as they are by default. */
  method?: PreferenceMethod | undefined;
  rank: number;
  alpha: number;
  dropout: number;
  modules: readonly Module[];
  /** In tokens; longer rows are truncated. */
  maxLength: number;
  /** Optimizer steps; null for as many as the epochs take. */
  maxSteps: number | null;
  epochs: number;
  learningRate: number;
  /** Rows per batch. */
  batchSize: number;
  /** Batches per optimizer step. */
  accumulation: number;
  schedule: Schedule;
  warmupSteps: number;
  weightDecay: number;
  /** Gradients with a larger norm are scaled down to it. */
  maxGradientNorm: number;
  loggingSteps: number;
  /** Null for no checkpoints, only the final adapter. */
  saveSteps: number | null;
  /** Null to evaluate only at the end, if there is data for it. */
  evalSteps: number | null;
  /** How many checkpoints to keep, in addition to the best one. */
  keepCheckpoints: number;
  seed: number;
  threads: number | undefined;
  /** `webgpu` fails on machines without it. */
  provider: 'cpu' | 'webgpu';
  /** Precision of the frozen weights. */
  weights: WeightSetting;
}

/** Without the options that may differ when a run resumes, such as on another machine. */
export function toFingerprintOptions({
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
