// Which settings of a job were chosen: those that differ from the defaults, and those that have none.
import type { JobConfig } from '../../contract/index.js';
import { JOB_DEFAULTS } from './defaults.js';

/** What every job has: they are no choice that tells one run from another. */
const GIVEN = new Set(['model', 'datasetSource']);

export function listCustomSettings(config: JobConfig): string[] {
  const defaults: JobConfig = JOB_DEFAULTS;
  return Object.keys(config).filter(
    name => !GIVEN.has(name) && JSON.stringify(config[name]) !== JSON.stringify(defaults[name]),
  );
}
