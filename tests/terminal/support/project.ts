// A project as `svc init` makes it, in an empty home, and `svc` in a terminal there.
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProgramOptions, runProgram, startProgram, untilEnded } from '../../support/program.js';
import { repositoryRoot } from '../../support/source-tree.js';
import type { Size } from './emulator.js';
import { openSvc } from './open-svc.js';
import type { Screen } from './screen.js';

export interface Project {
  place: ProgramOptions;
  /** `svc` with these arguments, on a screen of its own. */
  open(args: readonly string[], options?: { size?: Size; env?: Record<string, string> }): Screen;
  /** Has its trainer be called so, and take so many steps. */
  train(name: string, steps: number): Promise<void>;
  /** The process of the local cloud. */
  cloudPid(): Promise<number>;
  /** A file of the project; null when there is none. */
  read(path: string): Promise<string | null>;
  /** Ends its cloud, and leaves nothing. */
  remove(): Promise<void>;
}

export async function createProject(): Promise<Project> {
  const home = await mkdtemp(join(tmpdir(), 'svc-terminal-'));
  const cwd = join(home, 'app');
  await mkdir(cwd);
  const place = { cwd, env: { SVC_HOME: join(home, '.svc') } };
  await runProgram(['init'], place);
  await mkdir(join(cwd, 'node_modules'));
  await symlink(repositoryRoot, join(cwd, 'node_modules', 'svc'));
  return {
    place,
    open: (args, { size, env } = {}) => openSvc(args, { cwd, env: { ...place.env, ...env }, size }),
    train: (name, steps) => writeFile(join(cwd, 'src', 'svc', 'index.ts'), entry(name, steps)),
    async cloudPid() {
      const file = await readFile(join(home, '.svc', 'cloud', 'cloud.json'), 'utf8');
      return (JSON.parse(file) as { pid: number }).pid;
    },
    read: path => readFile(join(cwd, path), 'utf8').catch(() => null),
    async remove() {
      await untilEnded(startProgram(['cloud', 'stop'], place));
      await rm(home, { recursive: true, force: true });
    },
  };
}

function entry(name: string, maxSteps: number): string {
  const options = {
    name,
    dataset: { type: 'file', path: 'data/train.jsonl' },
    evalFraction: 0.2,
    evalSteps: 10,
    maxSteps,
    saveSteps: 4,
    batchSize: 2,
    learningRate: 2e-3,
  };
  return `import { createService, createTrainer } from 'svc';
export const service = createService({ trainer: createTrainer(${JSON.stringify(options)}) });
`;
}
