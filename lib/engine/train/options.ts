// A run's training options, plus how this machine computes.
import type { RunOptions } from '../../contract/index.js';
import type { WeightSetting } from '../int8/index.js';
import { longestText, type ModelSource } from '../model/index.js';

export type Schedule = RunOptions['lrSchedulerType'];

/**
 * Learns which of two answers is preferred, by how the likelihood of each changes relative to the model without the adapter.
 * Rows are pairs of answers.
 */
export type PreferenceMethod = NonNullable<RunOptions['method']>;

interface ComputeOptions {
  threads: number | undefined;
  /** `webgpu` fails on machines without it. */
  provider: 'cpu' | 'webgpu';
  /** Precision of the frozen weights. */
  weights: WeightSetting;
}

export interface TrainOptions extends Omit<RunOptions, 'saveSteps'>, ComputeOptions {
  /** Null for no checkpoints, only the final adapter. */
  saveSteps: number | null;
}

/** The options of a run's document, with what differs between machines if it is given. */
export type RequestedOptions = Omit<TrainOptions, keyof ComputeOptions> & Partial<ComputeOptions>;

export function completeOptions(model: Pick<ModelSource, 'config'>, given: RequestedOptions): TrainOptions {
  const maxLength = limitLength(model, given.maxLength);
  return { threads: undefined, provider: 'cpu', weights: 'f32', ...given, maxLength };
}

/** In tokens, as far as the model can read. */
export function limitLength({ config }: Pick<ModelSource, 'config'>, maxLength: number): number {
  return Math.min(maxLength, longestText(config));
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
