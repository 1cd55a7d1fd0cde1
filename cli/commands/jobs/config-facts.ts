// A job's settings as facts, with the field names of the API; a star marks those that differ from the defaults.
import { settingRows } from '../../../lib/console/index.js';
import type { Job } from '../../../lib/contract/index.js';
import type { Fact } from '../terminal/facts.js';

export function configFacts(job: Partial<Pick<Job, 'config' | 'customSettings'>>): Fact[] {
  return settingRows(job).map(({ name, value, isCustom }) => [`${isCustom ? '*' : ' '} ${name}`, value]);
}
