// The Pythons of this machine.
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve, sep } from 'node:path';
import type { Io } from '../../command.js';

type Place = Pick<Io, 'cwd' | 'env'>;

const WINDOWS = process.platform === 'win32';
const NAMES = ['python3', 'python'];

/** The active environment, the folder's own, and those on PATH. */
export function findPythons({ cwd, env }: Place): string[] {
  const folders = [env.VIRTUAL_ENV, resolve(cwd, '.venv')].filter(folder => folder !== undefined);
  const own = folders.map(inEnvironment).filter(isProgram);
  return [...new Set([...own, ...NAMES.flatMap(name => findOnPath(name, env) ?? [])])];
}

/** A program's path or name, or the folder of a virtual environment. */
export function toProgram(wanted: string, { cwd, env }: Place): string {
  const path = resolve(cwd, wanted);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return inEnvironment(path);
  return wanted.includes(sep) || wanted.includes('/') ? path : (findOnPath(wanted, env) ?? path);
}

export const inEnvironment = (folder: string) =>
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
