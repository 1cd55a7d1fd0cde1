// Starts this package's program as a process that outlives the terminal: detached, without input, with stderr in a
// file.
import { type ChildProcess, spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { findPackage, findSvc, isSource } from '../../system/index.js';
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

export async function launch({ args, env, folder, output, elsewhere }: Launch): Promise<ChildProcess> {
  const file = await open(output, 'a', 0o600).catch(error => {
    throw toNotWritable(error, output, elsewhere);
  });
  try {
    const child = spawn(process.execPath, [...findSvc(), ...args], {
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
