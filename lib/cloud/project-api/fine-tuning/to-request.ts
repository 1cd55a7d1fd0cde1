// Turns a request for a fine-tuning job into a job of ours. Pure.
import {
  type FineTuningRequest,
  type Hyperparameters,
  hyperparametersOf,
  type JobConfigInput,
} from '../../../contract/index.js';
import { JOB_DEFAULTS } from '../../jobs/defaults.js';
import type { NewJob } from '../../jobs/index.js';
import type { FileRow } from '../file-rows.js';

interface NamedFiles {
  training: FileRow;
  validation: FileRow | null;
}

const LONGEST_NAME = 100;

export function toNewJob(
  request: FineTuningRequest,
  baseModel: string,
  { training, validation }: NamedFiles,
): NewJob {
  const { suffix, seed, metadata } = request;
  const hyperparameters = hyperparametersOf(request.method) ?? request.hyperparameters ?? {};
  const options = toOptions(hyperparameters);
  // At least once in an epoch, as OpenAI does, and often enough to resume a long one.
  const stepsPerEpoch = Math.ceil(training.rows / (options.batchSize ?? JOB_DEFAULTS.batchSize));
  const saveSteps = Math.min(JOB_DEFAULTS.saveSteps, stepsPerEpoch);
  return {
    name: suffix ?? toName(training.name),
    config: {
      model: baseModel,
      datasetSource: { type: 'upload', datasetId: training.dataset_id },
      ...(validation && {
        evalDatasetSource: { type: 'upload', datasetId: validation.dataset_id },
        evalSteps: saveSteps,
      }),
      ...options,
      ...(request.method?.type === 'dpo' && { method: toMethod(hyperparameters) }),
      ...(seed !== undefined && { seed }),
      saveSteps,
    },
    fineTuning: {
      trainingFile: training.id,
      validationFile: validation?.id ?? null,
      metadata: metadata ?? null,
    },
  };
}

/** `auto` means the default. */
function toMethod({ beta }: Hyperparameters): JobConfigInput['method'] {
  return { type: 'dpo', ...(typeof beta === 'number' && { beta }) };
}

/** The multiplier is of svc's default learning rate; `auto` means the default. */
function toOptions({ n_epochs, batch_size, learning_rate_multiplier }: Hyperparameters) {
  return {
    ...(typeof n_epochs === 'number' && { numTrainEpochs: n_epochs }),
    ...(typeof batch_size === 'number' && { batchSize: batch_size }),
    ...(typeof learning_rate_multiplier === 'number' && {
      learningRate: JOB_DEFAULTS.learningRate * learning_rate_multiplier,
    }),
  };
}

/** A job without a suffix is named after its file. */
function toName(fileName: string): string {
  const name = fileName.replace(/(?<=.)\.\w+$/, '');
  return Array.from(name).slice(0, LONGEST_NAME).join('').trim();
}
