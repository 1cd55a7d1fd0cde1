// Runs the program `svc` as a process of its own: of `dist` where svc's programs run from there, or bundled for the tests, so
// that each starts at once.
import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';
import { BUNDLING } from '../../../bundling.mjs';
import { isSource } from '../../../lib/system/programs.js';
import { inTime, untilFound } from '../../support/in-time.js';
import { repositoryRoot } from '../../support/repository-root.js';

export type Program = Awaited<ReturnType<typeof buildProgram>>;

interface RunOptions {
  cwd: string;
  env: Record<string, string>;
  /** Started as Studio starts it: with a channel between the two. */
  withChannel?: boolean;
}

export async function buildProgram() {
  const folder = isSource ? await bundle() : join(repositoryRoot, 'dist');
  const path = join(folder, 'cli', 'bin.js');
  const args = (argv: string[]) => [path, ...argv];
  return {
    /** The program's file. */
    path,
    /** What Node is started with for these arguments, for a terminal to do it. */
    args,
    /** The package of the same build, for a project to import. */
    sdk: join(folder, 'lib', 'index.js'),
    run: (argv: string[], options: RunOptions) => runProgram(args(argv), options),
    remove: async () => isSource && (await rm(folder, { recursive: true })),
  };
}

async function bundle(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bin-'));
  await symlink(join(repositoryRoot, 'node_modules'), join(folder, 'node_modules'));
  await build({
    ...BUNDLING,
    absWorkingDir: repositoryRoot,
    entryPoints: ['cli/bin.ts', 'lib/index.ts'],
    outdir: folder,
    outbase: '.',
  });
  return folder;
}

function runProgram(argv: string[], { cwd, env, withChannel = false }: RunOptions) {
  const child = spawn(process.execPath, argv, {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe', ...(withChannel ? ['ipc' as const] : [])],
  }) as ChildProcessByStdio<null, Readable, Readable>;
  const [stdout, stderr] = [text(child.stdout), text(child.stderr)];
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (piece: Buffer) => {
      printed[name] += piece;
    });
  const done = once(child, 'exit').then(async ([exitCode]) => ({
    exitCode: exitCode as number | null,
    stdout: await stdout,
    stderr: await stderr,
  }));
  return {
    child: child as ChildProcess,
    /** Resolves when stdout holds the text. */
    async shown(wanted: string) {
      const on = (look: () => void) => {
        child.stdout.on('data', look);
        return () => child.stdout.off('data', look);
      };
      await untilFound(() => printed.stdout.includes(wanted), { on, beside: () => printed });
    },
    /** Its end, as long as it prints something now and then. */
    get done() {
      return inTime(done, {
        progress: () => printed.stdout.length + printed.stderr.length,
        beside: () => ({ process: child.pid, argv: argv.slice(1), ...printed }),
      });
    },
  };
}
