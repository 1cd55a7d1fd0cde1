// Fills in a job's config, as it is stored and returned.
import {
  ApiError,
  type CompleteOptions,
  DPO_DEFAULTS,
  describeMissingModule,
  GRPO_DEFAULTS,
  type JobConfig,
  type JobConfigInput,
  TARGET_DEFAULTS,
  TRAINING_DEFAULTS,
} from '../../contract/index.js';
import { findGraderFault } from '../../grading/index.js';
import type { CloudDeps } from '../deps.js';

/** Complete, and without secrets. */
export type StoredConfig = Omit<JobConfigInput, keyof CompleteOptions> & CompleteOptions;

/** Jobs and data previews get the same defaults. */
export function completeConfig(
  { method, ...given }: JobConfigInput,
  { targetModules = TRAINING_DEFAULTS.targetModules }: CloudDeps['baseModel'],
): StoredConfig {
  const unknown = given.targetModules?.find(name => !targetModules.includes(name));
  if (unknown !== undefined)
    throw new ApiError('invalid_value', describeMissingModule(unknown, targetModules), {
      param: 'config.targetModules',
    });
  const reward = method?.type === 'grpo' ? method.reward : null;
  const fault = reward && reward.type !== 'function' ? findGraderFault(reward) : null;
  if (fault)
    throw new ApiError('invalid_value', `\`config.method.reward\`: ${fault.message}`, {
      param: 'config.method.reward',
    });
  return {
    ...TRAINING_DEFAULTS,
    targetModules,
    ...given,
    ...(method?.type === 'dpo' && { method: { ...DPO_DEFAULTS, ...method } }),
    ...(method?.type === 'grpo' && { method: { ...GRPO_DEFAULTS, ...method } }),
    ...(given.bestBy && { bestBy: { higher: true, ...given.bestBy } }),
  } as StoredConfig;
}

/** Set for every job, so they do not distinguish one run from another. */
const GIVEN = new Set(['model', 'datasetSource', 'from', 'replaySources']);

/** The settings that a job's owner chose: those that differ from the defaults, and those without a default. */
export function listCustomSettings(config: JobConfig): string[] {
  const defaults: JobConfig = TRAINING_DEFAULTS;
  const isDefault = (name: string) => {
    const all = name === 'targetModules' ? TARGET_DEFAULTS : [defaults[name]];
    return all.some(value => JSON.stringify(config[name]) === JSON.stringify(value));
  };
  return Object.keys(config).filter(name => !GIVEN.has(name) && !isDefault(name));
}
