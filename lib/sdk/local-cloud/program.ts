// Starts this package's program as a process that outlives the terminal: detached, without input, with stderr in a
// file.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Env } from '../files/home.js';
import { toNotWritable } from '../files/not-writable.js';

interface Launch {
  /** The arguments after `svc`. */
  args: readonly string[];
  env: Env;
  /** Its working directory. When run from source it is the package, where child processes can find tsx. */
  folder: string;
  /** Its stderr is appended to this file. */
  output: string;
  /** The alternative to suggest if that file cannot be written. */
  elsewhere?: string | undefined;
}

const isSource = import.meta.url.endsWith('.ts');

export async function launch({ args, env, folder, output, elsewhere }: Launch): Promise<ChildProcess> {
  const file = await open(output, 'a', 0o600).catch(error => {
    throw toNotWritable(error, output, elsewhere);
  });
  try {
    const child = spawn(process.execPath, [...findProgram(), ...args], {
      cwd: isSource ? findPackage() : folder,
      env,
      detached: true,
      windowsHide: true,
      stdio: ['ignore', 'ignore', file.fd],
    });
    child.unref();
    return child;
  } finally {
    await file.close();
  }
}

/**
 * The arguments for `node` to run this package's program from any working directory. Built code may be anywhere in
 * `dist`, but the program is at a fixed path; running from source needs tsx.
 */
export function findProgram(): string[] {
  const root = findPackage();
  if (!isSource) return [join(root, 'dist', 'cli', 'bin.js')];
  const tsx = createRequire(import.meta.url).resolve('tsx');
  return ['--import', pathToFileURL(tsx).href, join(root, 'cli', 'bin.ts')];
}

/** The root folder of this package. */
export function findPackage(folder = dirname(fileURLToPath(import.meta.url))): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  if (folder === dirname(folder))
    throw new Error('The svc package is incomplete: its package.json is missing.');
  return findPackage(dirname(folder));
}
