// A project with svc installed, as a link to this repository.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { ProgramOptions } from '../../support/program.js';
import { repositoryRoot } from '../../support/repository-root.js';

/** Sets none of svc's own variables, so everything goes to its usual place. */
export function makeProject(folder: string): ProgramOptions {
  const cwd = join(folder, 'project');
  mkdirSync(join(cwd, 'node_modules'), { recursive: true });
  symlinkSync(repositoryRoot, join(cwd, 'node_modules', 'svc'));
  return { cwd, env: { HOME: process.env.HOME!, TMPDIR: join(folder, 'tmp'), LANG: 'C.UTF-8' } };
}
