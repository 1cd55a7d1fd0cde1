// A project that stands where an installed svc would have it.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from '../../support/program.js';
import { repositoryRoot } from '../../support/source-tree.js';

/** Everything is at its usual place in the home folder: no setting of svc's own is given. */
export function makeProject(folder: string): Place {
  const cwd = join(folder, 'project');
  mkdirSync(join(cwd, 'node_modules'), { recursive: true });
  symlinkSync(repositoryRoot, join(cwd, 'node_modules', 'svc'));
  return { cwd, env: { HOME: process.env.HOME!, TMPDIR: join(folder, 'tmp'), LANG: 'C.UTF-8' } };
}
