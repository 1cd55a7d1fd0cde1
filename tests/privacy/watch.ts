// Runs a program where it can reach nothing, and reports what it tried to reach and what it wrote. Needs Linux
// namespaces, which many systems let every user create.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findTestProgram } from '../support/test-program.js';
import type { Recorded } from './recorder/record.js';

export interface Findings extends Recorded {
  exitCode: number | null;
  /** Mounts that could not be made read-only. */
  writable: string[];
}

export interface Watched extends Findings {
  /** The files it left in its home and temporary folders. */
  home: string[];
  tmp: string[];
}

const NAMESPACES = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
const AS_USER = ['--user', '--map-root-user'];

/** Why this machine cannot do it; null if it can. */
export function whyNotWatched(): string | null {
  if (process.platform !== 'linux') return 'only Linux has network namespaces';
  try {
    execFileSync('ip', ['-V'], { stdio: 'pipe' });
  } catch {
    return 'the program ip is missing (on Debian: apt-get install iproute2)';
  }
  return findFlags() ? null : 'unshare cannot create network namespaces here; try as root';
}

/** `folder` is empty and the only one that the program can write to; its home and temporary folders are in it. */
export async function watchProgram(folder: string, command: readonly string[]): Promise<Watched> {
  for (const name of ['home', 'tmp', 'recorder']) mkdirSync(join(folder, name));
  const flags = findFlags();
  if (!flags) throw new Error(`The program cannot be watched: ${whyNotWatched()}.`);
  // The first process of the namespace has to reap orphans, which a shell does and Node does not.
  const script = '"$@"; exit $?';
  const { path, execArgv } = await findTestProgram(fileURLToPath(new URL('inside.ts', import.meta.url)));
  const node = [process.execPath, ...execArgv, path, folder, ...command];
  const child = spawn('unshare', [...flags, 'sh', '-c', script, 'sh', ...node], {
    stdio: 'inherit',
    env: { ...process.env, TMPDIR: join(folder, 'recorder') },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`The recorder failed with exit code ${code}.`);
  const findings = JSON.parse(readFileSync(join(folder, 'findings.json'), 'utf8')) as Findings;
  return { ...findings, home: listFiles(join(folder, 'home')), tmp: listFiles(join(folder, 'tmp')) };
}

let known: string[] | null | undefined;

/** As this user if that is allowed, otherwise as root of a new user namespace. */
function findFlags(): string[] | null {
  known ??= [NAMESPACES, [...AS_USER, ...NAMESPACES]].find(works) ?? null;
  return known;
}

function works(flags: readonly string[]): boolean {
  const trial = 'mount -t tmpfs tmpfs /tmp && ip link set lo up';
  try {
    execFileSync('unshare', [...flags, 'sh', '-c', trial], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => !entry.isDirectory())
    .map(entry => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}
