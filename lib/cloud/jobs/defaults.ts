// Fills in a job's config, as it is stored and returned.
import {
  type CompleteOptions,
  DPO_DEFAULTS,
  type JobConfig,
  type JobConfigInput,
  TRAINING_DEFAULTS,
} from '../../contract/index.js';

/** Complete, and without secrets. */
export type StoredConfig = Omit<JobConfigInput, keyof CompleteOptions> & CompleteOptions;

/** Jobs and data previews get the same defaults. */
export function completeConfig({ method, ...given }: JobConfigInput): StoredConfig {
  return {
    ...TRAINING_DEFAULTS,
    ...given,
    ...(method?.type === 'dpo' && { method: { ...DPO_DEFAULTS, ...method } }),
    ...(given.bestBy && { bestBy: { higher: true, ...given.bestBy } }),
  } as StoredConfig;
}

/** Set for every job, so they do not distinguish one run from another. */
const GIVEN = new Set(['model', 'datasetSource']);

/** The settings that a job's owner chose: those that differ from the defaults, and those without a default. */
export function listCustomSettings(config: JobConfig): string[] {
  const defaults: JobConfig = TRAINING_DEFAULTS;
  return Object.keys(config).filter(
    name => !GIVEN.has(name) && JSON.stringify(config[name]) !== JSON.stringify(defaults[name]),
  );
}
