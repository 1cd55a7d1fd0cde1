// The config of a job: complete, as it is stored and answered.
import {
  type CompleteOptions,
  DPO_DEFAULTS,
  type JobConfig,
  type JobConfigInput,
  TRAINING_DEFAULTS,
} from '../../contract/index.js';

/** Complete, and without secrets. */
export type StoredConfig = Omit<JobConfigInput, keyof CompleteOptions> & CompleteOptions;

/** A job and the preview of its data are completed alike. */
export function completeConfig({ method, ...given }: JobConfigInput): StoredConfig {
  return {
    ...TRAINING_DEFAULTS,
    ...given,
    ...(method?.type === 'dpo' && { method: { ...DPO_DEFAULTS, ...method } }),
    ...(given.bestBy && { bestBy: { higher: true, ...given.bestBy } }),
  } as StoredConfig;
}

/** What every job has: they are no choice that tells one run from another. */
const GIVEN = new Set(['model', 'datasetSource']);

/** Which settings of a job were chosen: those that differ from the defaults, and those that have none. */
export function listCustomSettings(config: JobConfig): string[] {
  const defaults: JobConfig = TRAINING_DEFAULTS;
  return Object.keys(config).filter(
    name => !GIVEN.has(name) && JSON.stringify(config[name]) !== JSON.stringify(defaults[name]),
  );
}
