// Chooses the Python that trains with PyTorch: the one that was named, the first one here that can, or one in an
// environment that svc makes.
import { existsSync } from 'node:fs';
import { probeTorch } from '../../../lib/cloud/index.js';
import { describeTorch, type TorchFacts } from '../../../lib/contract/index.js';
import { CommandError, type Io } from '../../command.js';
import { toSafeLine } from '../../style.js';
import { findPythons, inEnvironment, toProgram } from './find-pythons.js';
import { installTorch, torchFolder } from './install-torch.js';

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
