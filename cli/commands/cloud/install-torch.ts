// Makes an environment with PyTorch in svc's own folder. Says what it downloads and asks first.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { probeTorch } from '../../../lib/cloud/index.js';
import { findHome } from '../../../lib/sdk/local-cloud/index.js';
import { findPackage } from '../../../lib/system/index.js';
import { CommandError, type Io } from '../../command.js';
import { canAsk } from '../../screen.js';
import { toSafeText } from '../../style.js';
import { askYesNo } from '../terminal/ask.js';
import { findPythons, inEnvironment } from './find-pythons.js';

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
export const torchFolder = (env: Io['env']) => join(findHome(env), 'torch');

/** The Python of the environment, which is made unless it is there and works. */
export async function installTorch({ io, note }: Asking): Promise<string> {
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
