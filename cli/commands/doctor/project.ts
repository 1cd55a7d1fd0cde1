// Whether this folder is linked to a project and its state file is valid.
import { join } from 'node:path';
import { stateFile } from '../../../lib/contract/index.js';
import type { Check } from './check.js';
import { checkJsonFile } from './json-file.js';

export function checkProject(cwd: string): Promise<Check> {
  return checkJsonFile('project', join(cwd, '.svc', 'state.json'), stateFile, {
    missing: `${cwd} is not linked to a project yet`,
    hint: 'It must be { "orgSlug", "projectSlug", "projectId" }. Fix it or move it away; svc never overwrites it.',
  });
}
