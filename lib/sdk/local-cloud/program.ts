// Starts the program of this package as a process of its own, which outlives the terminal: detached, without our input,
// what it complains about in a file.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Env } from '../files/home.js';
import { toNotWritable } from '../files/not-writable.js';

export interface Launch {
  /** The words behind `svc`. */
  args: readonly string[];
  env: Env;
  /** Where it stands, unless it runs from its sources: those start others, which look for tsx from there. */
  folder: string;
  /** What it prints to stderr is added to this file. */
  output: string;
  /** What else one can do when that cannot be written. */
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
 * What follows `node` to run the program of this package, wherever it is run. Built code lies anywhere in `dist`, the
 * program at one place in it; sources need tsx.
 */
export function findProgram(): string[] {
  const root = findPackage();
  if (!isSource) return [join(root, 'dist', 'cli', 'bin.js')];
  const tsx = createRequire(import.meta.url).resolve('tsx');
  return ['--import', pathToFileURL(tsx).href, join(root, 'cli', 'bin.ts')];
}

/** The folder of this package. */
export function findPackage(folder = dirname(fileURLToPath(import.meta.url))): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  if (folder === dirname(folder))
    throw new Error('The package of svc is not complete: its package.json is missing.');
  return findPackage(dirname(folder));
}
