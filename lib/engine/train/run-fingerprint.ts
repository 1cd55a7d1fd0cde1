// What identifies a run: its settings, the model's shape, and every token of the data or, for a large data set, its
// digest. Only a run with the same fingerprint resumes from its checkpoints.
import type { WeightPrecision } from '../int8/index.js';
import type { ModelConfig } from '../model/index.js';
import type { BackgroundReader } from './background-reader.js';
import { fingerprintOf } from './checkpoint.js';
import { type ExampleSet, examplesOf } from './example-set.js';
import { type TrainOptions, toFingerprintOptions } from './options.js';

interface Fingerprinted {
  options: TrainOptions;
  model: { config: ModelConfig };
  examples: ExampleSet;
  evaluation: ExampleSet;
  reader?: Pick<BackgroundReader, 'sample' | 'digest'> | null | undefined;
}

export function runFingerprint(
  { options, model, examples, evaluation, reader }: Fingerprinted,
  weights: WeightPrecision,
): string {
  const settings = [toFingerprintOptions(options), model.config, ...(weights === 'f32' ? [] : [weights])];
  return reader
    ? fingerprintOf([...settings, reader.digest], reader.sample)
    : fingerprintOf(settings, [...examplesOf(examples), ...examplesOf(evaluation)]);
}
