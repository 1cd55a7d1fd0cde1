// A run's training options, plus how this machine computes.
import { isDeepStrictEqual } from 'node:util';
import { type RunOptions, TRAINING_DEFAULTS } from '../../contract/index.js';
import type { WeightSetting } from '../int8/index.js';
import { longestText, type ModelSource } from '../model/index.js';
import type { ProviderName } from '../runtime/index.js';

export type Schedule = RunOptions['lrSchedulerType'];

type MethodOf<Type extends string> = Extract<NonNullable<RunOptions['method']>, { type: Type }>;

/**
 * Learns which of two answers is preferred, by how the likelihood of each changes relative to the model without the adapter.
 * Rows are pairs of answers.
 */
export type PreferenceMethod = MethodOf<'dpo'>;

/** Learns from rewards for its own answers. Rows are prompts. */
export type RewardMethod = MethodOf<'grpo'>;

/** How often a step updates what is trained. Jobs that were stored before the option existed do not say so. */
export function updatesPerStep(method: RunOptions['method'] | undefined): number {
  return (method?.type === 'grpo' && method.updates) || 1;
}

interface ComputeOptions {
  threads: number | undefined;
  provider: ProviderName;
  /** On a GPU whose memory ran out in a larger pass. */
  mostPassTokens?: number | undefined;
  /** Precision of the frozen weights. */
  weights: WeightSetting;
}

export interface TrainOptions extends Omit<RunOptions, 'saveSteps'>, ComputeOptions {
  /** Null for no checkpoints, only the final adapter. */
  saveSteps: number | null;
}

/** The options of a run's document, and optionally those that differ between machines. */
export type RequestedOptions = Omit<TrainOptions, keyof ComputeOptions> & Partial<ComputeOptions>;

/** An adapter of another run, which a run goes on from. */
export interface StartingPoint {
  /** Its tensors, in PEFT's layout. */
  tensors: string;
  /** Of its files. */
  sha256: string;
  /** The folder with the state of its optimizer, which goes on; null for a fresh optimizer. */
  state: string | null;
}

export function completeOptions(model: Pick<ModelSource, 'config'>, given: RequestedOptions): TrainOptions {
  const maxLength = limitLength(model, given.maxLength);
  return { threads: undefined, provider: 'cpu', weights: 'f32', ...given, maxLength };
}

/** In tokens, as far as the model can read. */
export function limitLength({ config }: Pick<ModelSource, 'config'>, maxLength: number): number {
  return Math.min(maxLength, longestText(config));
}

/** They may differ when a run resumes, such as on another machine. */
const CHANGEABLE = ['threads', 'provider', 'mostPassTokens', 'weights', 'keepCheckpoints', 'loggingSteps'];

/** Only what is not the default, so that a run can be resumed by a version of svc that has more options. */
export function toFingerprintOptions(options: Partial<TrainOptions>): [name: string, value: unknown][] {
  const defaults: Readonly<Record<string, unknown>> = TRAINING_DEFAULTS;
  return Object.entries(options)
    .filter(
      ([name, value]) => !CHANGEABLE.includes(name) && !isDeepStrictEqual(value, defaults[name] ?? null),
    )
    .sort(([one], [other]) => (one < other ? -1 : 1));
}
