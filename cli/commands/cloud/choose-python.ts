// Chooses the Python that trains with PyTorch: the one that was named, the first one here that can, or one in an
// environment that svc makes.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { delimiter, join, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { probeTorch } from '../../../lib/cloud/index.js';
import { describeTorch, type TorchFacts } from '../../../lib/contract/index.js';
import { findHome } from '../../../lib/sdk/local-cloud/index.js';
import { findPackage } from '../../../lib/system/index.js';
import { CommandError, type Io } from '../../command.js';
import { canAsk } from '../../screen.js';
import { toSafeLine, toSafeText } from '../../style.js';
import { askYesNo } from '../terminal/ask.js';

const REMEDY =
  'Install torch and transformers there, pass another Python with --torch, or let svc make one with --torch install.';

interface Choice {
  io: Io;
  note(line: string): void;
}

/** Its path. Throws if it cannot train, saying why. */
export async function choosePython(wanted: string, choice: Choice): Promise<string> {
  const facts = await look(wanted, choice);
  if (facts.problem != null)
    throw new CommandError(`${toSafeLine(`Jobs cannot train with ${describeTorch(facts)}`)} ${REMEDY}`);
  choice.note(toSafeLine(`Jobs train with ${describeTorch(facts)}.`));
  return facts.python;
}

async function look(wanted: string, { io, note }: Choice): Promise<TorchFacts> {
  if (wanted === 'auto') return findFirst({ io, note });
  return probeTorch(wanted === 'install' ? await installTorch({ io, note }) : toProgram(wanted, io));
}

async function findFirst({ io, note }: Choice): Promise<TorchFacts> {
  const folder = torchFolder(io.env);
  const installed = inEnvironment(folder);
  const programs = [...findPythons(io), ...(existsSync(installed) ? [installed] : [])];
  for (const program of programs) {
    const facts = await probeTorch(program);
    if (facts.problem == null) return facts;
    note(toSafeLine(`Not ${describeTorch(facts)}`));
  }
  const where = programs.length === 0 ? 'There is no Python' : 'No Python can train';
  const places = toSafeLine(`$VIRTUAL_ENV, .venv, PATH and ${folder}`);
  throw new CommandError(`${where}: svc looked in ${places}. ${REMEDY}`);
}

type Place = Pick<Io, 'cwd' | 'env'>;

const WINDOWS = process.platform === 'win32';
const NAMES = ['python3', 'python'];

/** The active environment, the folder's own, and those on PATH. */
function findPythons({ cwd, env }: Place): string[] {
  const folders = [env.VIRTUAL_ENV, resolve(cwd, '.venv')].filter(folder => folder !== undefined);
  const own = folders.map(inEnvironment).filter(isProgram);
  return [...new Set([...own, ...NAMES.flatMap(name => findOnPath(name, env) ?? [])])];
}

/** A program's path or name, or the folder of a virtual environment. */
function toProgram(wanted: string, { cwd, env }: Place): string {
  const path = resolve(cwd, wanted);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return inEnvironment(path);
  return wanted.includes(sep) || wanted.includes('/') ? path : (findOnPath(wanted, env) ?? path);
}

const inEnvironment = (folder: string) =>
  WINDOWS ? join(folder, 'Scripts', 'python.exe') : join(folder, 'bin', 'python');

function findOnPath(name: string, { PATH = '' }: Io['env']): string | undefined {
  const file = WINDOWS ? `${name}.exe` : name;
  return PATH.split(delimiter)
    .filter(Boolean)
    .map(folder => join(folder, file))
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

const PACKAGES = ['torch', 'transformers', 'numpy', 'safetensors'];
const CPU_INDEX = 'https://download.pytorch.org/whl/cpu';
const NEW_ENOUGH = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))';

/** About: a download of CUDA's libraries is most of it. */
const SIZES = {
  cuda: { download: '3 GB', disk: '7 GB', use: 'for NVIDIA GPUs' },
  cpu: { download: '300 MB', disk: '1.2 GB', use: 'for the CPU' },
} as const;

interface Asking {
  io: Io;
  note(line: string): void;
}

/** Where the environment is. */
const torchFolder = (env: Io['env']) => join(findHome(env), 'torch');

/** The Python of the environment, which is made unless it is there and works. */
async function installTorch({ io, note }: Asking): Promise<string> {
  const folder = torchFolder(io.env);
  const python = inEnvironment(folder);
  if (existsSync(python) && (await probeTorch(python)).problem == null) return python;
  const plan = await makePlan(folder, await findBase(io));
  if (!canAsk(io)) throw new CommandError(toSafeText(toManual(plan, folder)));
  note(toSafeText(plan.text));
  if ((await askYesNo('Continue? [y/N] ', io, new AbortController().signal)) !== 'yes')
    throw new CommandError('Nothing was installed.');
  for (const command of plan.commands) await run(command);
  return python;
}

type Command = readonly [program: string, ...args: string[]];

interface Plan {
  text: string;
  commands: readonly Command[];
}

async function makePlan(folder: string, base: string): Promise<Plan> {
  const packages = await readPins();
  const isLinux = process.platform === 'linux';
  const kind = isLinux && (await succeeds('nvidia-smi', ['--list-gpus'])) ? 'cuda' : 'cpu';
  const { download, disk, use } = SIZES[kind];
  // PyPI's builds for Linux are for CUDA, and those for other systems are not.
  const isElsewhere = isLinux && kind === 'cpu';
  // Of equal versions, pip takes the one that is marked as a build for CPUs.
  const index = isElsewhere ? ['--extra-index-url', CPU_INDEX] : [];
  const sources = `${isElsewhere ? 'download.pytorch.org, ' : ''}pypi.org and files.pythonhosted.org`;
  return {
    text: `This installs ${packages.join(', ')} ${use} into ${folder}, with ${base}. It downloads about ${download} from ${sources}, and takes about ${disk} of disk space.`,
    commands: [
      [base, '-m', 'venv', '--clear', folder],
      [inEnvironment(folder), '-m', 'pip', 'install', '--disable-pip-version-check', ...index, ...packages],
    ],
  };
}

/** The versions that svc is tested with. */
async function readPins(): Promise<string[]> {
  const text = await readFile(join(findPackage(), 'ray/pyproject.toml'), 'utf8');
  return PACKAGES.map(name => new RegExp(`"(${name}==[\\w.]+)"`).exec(text)![1]!);
}

/** A Python that can make environments. */
async function findBase(io: Io): Promise<string> {
  for (const python of findPythons(io)) if (await succeeds(python, ['-c', NEW_ENOUGH])) return python;
  throw new CommandError(
    'There is no Python 3.11 or later with venv and pip on PATH. Install one first, on Debian with "apt install python3-venv".',
  );
}

function toManual({ text, commands }: Plan, folder: string): string {
  const lines = commands.map(words => `\n  ${words.join(' ')}`);
  return `--torch install asks before it downloads anything, which needs a terminal. ${text} To do the same by yourself, run these commands, then start the cloud with --torch ${folder}:${lines.join('')}`;
}

function succeeds(program: string, args: readonly string[]): Promise<boolean> {
  return promisify(execFile)(program, args).then(
    () => true,
    () => false,
  );
}

/** Its output goes to the terminal. */
async function run([program, ...args]: Command): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 2, 2] });
  const [code] = await once(child, 'close');
  if (code !== 0)
    throw new CommandError(`${[program, ...args].join(' ')} failed. What it printed is above. Try again.`);
}
