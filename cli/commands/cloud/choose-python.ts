// Chooses the Python that trains with PyTorch: the one that was named, or with `auto` the first one here that can.
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve, sep } from 'node:path';
import { probeTorch } from '../../../lib/cloud/index.js';
import { describeTorch, type TorchFacts } from '../../../lib/contract/index.js';
import { CommandError, type Io } from '../../command.js';
import { toSafeLine } from '../../style.js';

const WINDOWS = process.platform === 'win32';
const NAMES = WINDOWS ? ['python'] : ['python3', 'python'];

const REMEDY =
  'Install torch, transformers and peft there, pass another Python with --torch, or let svc make one with --torch install.';

interface Choice {
  io: Pick<Io, 'cwd' | 'env'>;
  note(line: string): void;
}

/** Its path. Throws if it cannot train, saying why. */
export async function choosePython(wanted: string, { io, note }: Choice): Promise<string> {
  const facts = wanted === 'auto' ? await findFirst({ io, note }) : await probeTorch(toProgram(wanted, io));
  if (facts.problem != null)
    throw new CommandError(`${toSafeLine(`Jobs cannot train with ${describeTorch(facts)}`)} ${REMEDY}`);
  note(toSafeLine(`Jobs train with ${describeTorch(facts)}.`));
  return facts.python;
}

async function findFirst({ io, note }: Choice): Promise<TorchFacts> {
  const programs = listPythons(io);
  for (const program of programs) {
    const facts = await probeTorch(program);
    if (facts.problem == null) return facts;
    note(toSafeLine(`Not ${describeTorch(facts)}`));
  }
  const where = programs.length === 0 ? 'There is no Python' : 'No Python can train';
  throw new CommandError(`${where}: svc looked in .venv and on PATH. ${REMEDY}`);
}

/** The active environment, the folder's own, and those on PATH. */
function listPythons({ cwd, env }: Choice['io']): string[] {
  const folders = [env.VIRTUAL_ENV, resolve(cwd, '.venv')].filter(folder => folder !== undefined);
  const own = folders.map(inEnvironment).filter(isProgram);
  return [...new Set([...own, ...NAMES.flatMap(name => findOnPath(name, env) ?? [])])];
}

/** A program's path or name, or the folder of a virtual environment. */
function toProgram(wanted: string, { cwd, env }: Choice['io']): string {
  const path = resolve(cwd, wanted);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return inEnvironment(path);
  return wanted.includes(sep) || wanted.includes('/') ? path : (findOnPath(wanted, env) ?? path);
}

const inEnvironment = (folder: string) =>
  WINDOWS ? join(folder, 'Scripts', 'python.exe') : join(folder, 'bin', 'python');

function findOnPath(name: string, { PATH = '' }: Io['env']): string | undefined {
  const files = WINDOWS ? [`${name}.exe`] : [name];
  return PATH.split(delimiter)
    .filter(Boolean)
    .flatMap(folder => files.map(file => join(folder, file)))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
