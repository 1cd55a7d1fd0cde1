// Runs a program where it can reach nothing, and tells what it tried to reach and what it wrote. Linux, by namespaces,
// which an ordinary user may make where the system lets them.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Recorded } from './recorder/record.js';

export interface Findings extends Recorded {
  exitCode: number | null;
  /** Places that could not be protected from writing. */
  writable: string[];
}

export interface Watched extends Findings {
  /** The files that it left in its home and in its folder for temporary ones. */
  home: string[];
  tmp: string[];
}

const NAMESPACES = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
const AS_USER = ['--user', '--map-root-user'];

const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
const inside = fileURLToPath(new URL('inside.ts', import.meta.url));

/** Why this machine cannot do it; null when it can. */
export function whyNotWatched(): string | null {
  if (process.platform !== 'linux') return 'only Linux has network namespaces';
  try {
    execFileSync('ip', ['-V'], { stdio: 'pipe' });
  } catch {
    return 'the program ip is missing (on Debian: apt-get install iproute2)';
  }
  return findFlags() ? null : 'this system lets nobody make a network namespace here (unshare refuses)';
}

/** The folder is empty, and the program's own to write in. Its home and its temporary files are below it. */
export async function watchProgram(folder: string, command: readonly string[]): Promise<Watched> {
  for (const name of ['home', 'tmp', 'recorder']) mkdirSync(join(folder, name));
  const flags = findFlags();
  if (!flags) throw new Error(`Nothing can be watched: ${whyNotWatched()}.`);
  // A shell takes the place of the first process, which has to see off those whose parents are gone.
  const script = '"$@"; exit $?';
  const node = [process.execPath, '--import', tsx, inside, folder, ...command];
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

/** With rights of its own where this user has them, else as a user who is root in there. */
function findFlags(): string[] | null {
  known ??= [NAMESPACES, [...AS_USER, ...NAMESPACES]].find(works) ?? null;
  return known;
}

function works(flags: readonly string[]): boolean {
  const trial = 'mount -t tmpfs tmpfs /mnt && ip link set lo up';
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
