// Whether the folder we stand in is linked to a project of the cloud, and its state file can be parsed.
import { join } from 'node:path';
import { stateFile } from '../../../lib/contract/index.js';
import type { Check } from './check.js';
import { checkJsonFile } from './json-file.js';

export function checkProject(cwd: string): Promise<Check> {
  return checkJsonFile('project', join(cwd, '.svc', 'state.json'), stateFile, {
    missing: `${cwd} is not linked to a project yet`,
    hint: 'It is { "orgSlug", "projectSlug", "projectId" }: repair it or move it away; svc leaves it as it is.',
  });
}
