// A project as `svc init` makes it, in an empty home, and `svc` in a terminal there.
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram, startProgram, untilEnded } from '../../support/program.js';
import { repositoryRoot } from '../../support/repository-root.js';
import type { Size } from './emulator.js';
import { openSvc } from './open-svc.js';

export type Project = Awaited<ReturnType<typeof createProject>>;

export async function createProject() {
  const home = await mkdtemp(join(tmpdir(), 'svc-terminal-'));
  const cwd = join(home, 'app');
  await mkdir(cwd);
  const place = { cwd, env: { SVC_HOME: join(home, '.svc') } };
  await runProgram(['init'], place);
  await mkdir(join(cwd, 'node_modules'));
  await symlink(repositoryRoot, join(cwd, 'node_modules', 'svc'));
  return {
    /** `svc` with these arguments, on a screen of its own. */
    open: (args: readonly string[], { size, env }: { size?: Size; env?: Record<string, string> } = {}) =>
      openSvc(args, { cwd, env: { ...place.env, ...env }, size }),
    /** Has its trainer be called so, and take so many steps. */
    train: (name: string, steps: number) =>
      writeFile(join(cwd, 'src', 'svc', 'index.ts'), entry(name, steps)),
    /** The process of the local cloud. */
    async cloudPid() {
      const file = await readFile(join(home, '.svc', 'cloud', 'cloud.json'), 'utf8');
      return (JSON.parse(file) as { pid: number }).pid;
    },
    /** A file of the project; null when there is none. */
    read: (path: string) => readFile(join(cwd, path), 'utf8').catch(() => null),
    /** Ends its cloud, and leaves nothing. */
    async remove() {
      await untilEnded(startProgram(['cloud', 'stop'], place));
      await rm(home, { recursive: true, force: true });
    },
  };
}

function entry(name: string, maxSteps: number): string {
  const dataset = { type: 'file', path: 'data/train.jsonl' };
  const pace = { maxSteps, saveSteps: 4, batchSize: 2, learningRate: 2e-3 };
  const options = { name, dataset, evalFraction: 0.2, evalSteps: 10, ...pace };
  return `import { createService, createTrainer } from 'svc';
export const service = createService({ trainer: createTrainer(${JSON.stringify(options)}) });
`;
}
